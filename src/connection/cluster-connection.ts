import { Command as IoredisCommand, type Cluster, type Redis } from 'ioredis'
import type { RedissonEvents } from '../api/events.js'
import type { Config } from '../config/config.js'
import { syncedTimeoutMs } from '../config/synced-timeout.js'
import { ClientClosedError } from '../errors/client-errors.js'
import { ConnectionLostError } from '../errors/connection-errors.js'
import type { Emitter } from '../util/emitter.js'
import { outside } from '../util/outside.js'
import { ClusterNodes } from './cluster-nodes.js'
import { ClusterSubscriber } from './cluster-subscriber.js'
import { firstContact } from './first-contact.js'
import type { Command, Connection, Reply, SyncedReply } from './connection.js'
import { hashSlot } from './hash-slot.js'
import { translateError } from './ioredis-errors.js'
import { silenceMs } from './ioredis-options.js'
import { joinWrites } from './joint-writes.js'
import { announce, hangUp, keepInTouch } from './node-link.js'
import { Outstanding } from './outstanding.js'

/** Whether messages travel by sharded pub/sub; `AUTO` where the server knows it. */
export type ShardedMode = 'AUTO' | 'ON' | 'OFF'

/** The way to a Redis Cluster. */
export class ClusterConnection implements Connection {
  readonly #cluster: Cluster
  readonly #mode: ShardedMode
  readonly #nodes: ClusterNodes
  readonly #config: Config
  readonly #events: Emitter<RedissonEvents>
  readonly #outstanding: Outstanding
  readonly #confirming: Outstanding
  readonly #synced = new Map<string, Redis>()
  #subscriber: ClusterSubscriber | undefined
  #sharded = false

  constructor(cluster: Cluster, mode: ShardedMode, config: Config, events: Emitter<RedissonEvents>) {
    this.#cluster = cluster
    this.#mode = mode
    this.#nodes = new ClusterNodes(cluster, config)
    this.#config = config
    this.#outstanding = new Outstanding(config.timeoutMs)
    this.#confirming = new Outstanding(syncedTimeoutMs(config))
    this.#events = events
  }

  async connect(): Promise<void> {
    this.#cluster.on('+node', (node: Redis) => {
      this.#greet(node)
    })
    await firstContact(this.#cluster, this.#config.retryAttempts)
    this.#sharded = this.#mode === 'ON' || (this.#mode === 'AUTO' && (await this.#knowsShardedChannels()))
    this.#subscriber = new ClusterSubscriber(this.#nodes, {
      kind: this.#sharded ? 'ssubscribe' : 'subscribe',
      pingIntervalMs: this.#config.pingIntervalMs,
      events: this.#events,
    })
  }

  get publishCommand(): 'publish' | 'spublish' {
    return this.#sharded ? 'spublish' : 'publish'
  }

  get countsAllListeners(): boolean {
    return this.#sharded
  }

  get subscriber(): ClusterSubscriber {
    if (this.#subscriber === undefined) throw new ClientClosedError('The client is not connected yet')
    return this.#subscriber
  }

  send(command: Command): Promise<Reply> {
    return this.#outstanding.send(this.#cluster, command)
  }

  async sendSynced(command: Command, replicas: number, timeoutMs: number): Promise<SyncedReply> {
    return await this.#confirming.sendSynced(this.#syncedNode(command), command, replicas, timeoutMs)
  }

  slotOf(key: string): number {
    return hashSlot(key)
  }

  async close(): Promise<void> {
    this.#outstanding.close()
    this.#confirming.close()
    await Promise.all([
      this.#subscriber?.close(),
      hangUp(this.#cluster),
      ...Array.from(this.#synced.values(), (node) => hangUp(node)),
    ])
  }

  #greet(node: Redis): void {
    announce(node, 'commands', this.#events)
    joinWrites(node)
    const touch = keepInTouch(node, this.#config.pingIntervalMs)
    node.once('end', () => {
      touch[Symbol.dispose]()
    })
    // Made here, outside the context of whoever happens to ask first; replicas are never asked.
    if (node.options.readOnly !== true) outside(() => node.connect()).catch(() => undefined)
  }

  async #knowsShardedChannels(): Promise<boolean> {
    const [master] = this.#cluster.nodes('master')
    try {
      await master?.call('PUBSUB', 'SHARDNUMSUB')
      return true
    } catch (error) {
      if (error instanceof Error && error.name === 'ReplyError') return false
      throw translateError(error, 'pubsub')
    }
  }

  /** A connection to the owner of the command's keys that may wait for replicas; one whose node has left is let go. */
  #syncedNode({ name, args }: Command): Redis {
    const slot = new IoredisCommand(name, [...args]).getSlot()
    const key = this.#nodes.ownerOf(slot)
    if (key === undefined) {
      this.#nodes.refresh()
      throw new ConnectionLostError(`No node of the cluster is known to own slot ${slot}`)
    }
    for (const [known, redis] of this.#synced) {
      if (this.#nodes.has(known)) continue
      this.#synced.delete(known)
      void hangUp(redis)
    }
    const known = this.#synced.get(key)
    if (known !== undefined) return known
    const opened = this.#nodes.open(key, {
      socketTimeout: silenceMs(syncedTimeoutMs(this.#config)),
    })
    this.#synced.set(key, opened)
    return opened
  }
}
