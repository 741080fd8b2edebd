import type { Cluster, Redis } from 'ioredis'
import type { RedissonError } from '../../errors/redisson-error.js'
import { isRedirection, wasNotSent } from '../../errors/transient.js'
import { CommandError } from '../../errors/reply-errors.js'
import { Listeners } from '../../util/listeners.js'
import { ApartConnections } from './apart-connections.js'
import { ClusterNodes } from './cluster-nodes.js'
import { ClusterSubscriber } from './cluster-subscriber.js'
import { asOvertakable, isCongested } from '../requests/congestion.js'
import type { Apart, Command, Connection, Key, Outcome, Reply, SyncedReply } from '../connection.js'
import { closeLogins, type Logins } from '../login/credentials-cache.js'
import type { Failures } from '../login/failures.js'
import { hashSlot } from '../requests/hash-slot.js'
import type { InitialConnection } from '../login/initial-connection.js'
import { TRACKING } from '../login/ioredis-options.js'
import { IoredisSubscriber } from '../messages/ioredis-subscriber.js'
import { KeySubscriber } from '../messages/key-subscriber.js'
import type { Surroundings } from '../master/master-connection.js'
import { NodeAttachments } from './node-attachments.js'
import { NodeEvents } from './node-events.js'
import { disconnectNode, SOME_NODE } from '../node/node-link.js'
import { PendingCommands } from '../requests/pending-commands.js'
import { ReplicaReads } from '../requests/replica-reads.js'
import { slotOf } from '../requests/request.js'

/** Whether messages travel by sharded pub/sub; `AUTO` where the server knows it. */
export type ShardedMode = 'AUTO' | 'ON' | 'OFF'

/** A command that a server refuses if it does not know sharded channels. */
const COUNTS_OF_SHARDED: Command = { name: 'pubsub', args: ['SHARDNUMSUB'] }

/** How a cluster is used. */
export interface ClusterUse {
  readonly mode: ShardedMode
  /** How often to request the topology, in milliseconds; 0 or undefined if others do that. */
  readonly scanIntervalMs?: number
  /** Whether the `Cluster` belongs to the program. */
  readonly shared?: boolean
}

/** The connection to a Redis Cluster. */
export class ClusterConnection implements Connection {
  readonly #cluster: Cluster
  readonly #mode: ShardedMode
  readonly #shared: boolean
  readonly #listeners = new Listeners()
  readonly #nodes: ClusterNodes
  readonly #contact: InitialConnection
  readonly #failures: Failures
  readonly #logins: Logins
  readonly #pending: PendingCommands
  readonly #attachments: NodeAttachments
  readonly #apart: ApartConnections
  readonly #reads: ReplicaReads
  readonly subscriber: ClusterSubscriber
  readonly keyChanges: ClusterSubscriber
  /** Whether messages travel by sharded pub/sub; undefined until the cluster was asked. */
  #sharded: boolean | undefined

  constructor(
    cluster: Cluster,
    { mode, scanIntervalMs = 0, shared = false }: ClusterUse,
    { config, events, failures, contact, logins }: Surroundings,
  ) {
    this.#shared = shared
    this.#cluster = cluster
    this.#mode = mode
    this.#nodes = new ClusterNodes(cluster, config, failures)
    this.#nodes.scan(scanIntervalMs)
    this.#contact = contact
    this.#failures = failures
    this.#logins = logins
    failures.watchCluster(cluster, this.#listeners)
    this.#pending = new PendingCommands(config.timeoutMs, failures, shared)
    failures.onDown(() => {
      this.#pending.failWaiting()
    })
    this.#attachments = new NodeAttachments(this.#pending, {
      config,
      events: new NodeEvents(cluster, { config, events, listeners: this.#listeners }),
      listeners: this.#listeners,
      shared,
      logins,
    })
    this.#apart = new ApartConnections(this.#nodes, config, failures)
    this.#reads = new ReplicaReads(config, failures, {
      replicasOf: (key) => this.#nodes.replicasOf(hashSlot(key)),
      askOwner: (command) => this.send(command),
    })
    const around = { nodes: this.#nodes, events, unreachable: (node?: string) => failures.unreachable(node) }
    this.subscriber = new ClusterSubscriber({
      ...around,
      listenAt: (open, listener) => new IoredisSubscriber(open({}), config, listener),
    })
    this.keyChanges = new ClusterSubscriber({
      ...around,
      listenAt: (open, listener) => new KeySubscriber(() => open(TRACKING), 'sharded', config, listener),
    })
    this.keyChanges.begin('sharded') // so that each key is listened for at its owner
  }

  async connect(): Promise<void> {
    for (const node of this.#cluster.nodes()) this.#attachments.add(node)
    this.#listeners.on(this.#cluster, '+node', (node: Redis) => {
      this.#attachments.add(node)
    })
    await this.#contact.make(this.#cluster)
    await this.#begin()
  }

  get isConnected(): boolean {
    const masters = this.masters
    return masters.length > 0 && masters.every((master) => this.#nodes.find(master)?.status === 'ready')
  }

  get outage(): RedissonError | undefined {
    const down = (master?: string) => this.#failures.outage(this.#cluster, master)
    return down() ?? this.#nodes.pooledMasters.map(down).find((error) => error !== undefined)
  }

  get hopeUntil(): number {
    return Math.max(this.#pending.hopeUntil, this.#apart.hopeUntil)
  }

  opening(): Promise<void> | undefined {
    return this.#sharded === undefined ? this.#begin() : undefined
  }

  get publishCommand(): 'publish' | 'spublish' {
    return this.#sharded === true ? 'spublish' : 'publish'
  }

  get countsAllListeners(): boolean {
    return this.#sharded === true
  }

  send(command: Command): Promise<Reply> {
    return this.#pending.send(this.#cluster, command)
  }

  sendAhead(command: Command): Promise<Reply> {
    if (this.#shared) return this.send(command)
    const slot = slotOf(command)
    const owner = this.#nodes.ownerOf(slot)
    const node = owner === undefined ? undefined : this.#nodes.find(owner)
    const isBlocked = node !== undefined && isCongested(node)
    return isBlocked ? this.#sendPast(slot, command) : this.send(asOvertakable(command))
  }

  read(command: Command, key: Key): Promise<Reply> {
    return this.#reads.send(command, key)
  }

  sendAll(
    commands: readonly Command[],
    key: Key | undefined,
    timeoutMs?: number,
  ): Promise<readonly Outcome[]> {
    const node = key === undefined ? undefined : { slot: this.slotOf(key), redis: undefined }
    return this.#pending.sendAll(this.#cluster, commands, { timeoutMs, node })
  }

  sendSynced(command: Command, replicas: number): Promise<SyncedReply> {
    return this.#apart.sendSynced(command, replicas)
  }

  apart(key: Key | undefined, replicas: number): Promise<Apart> {
    return this.#apart.at(key === undefined ? this.#nodes.anySlot : hashSlot(key), replicas)
  }

  get masters(): readonly string[] {
    return this.#nodes.masters
  }

  refreshMasters(): Promise<void> {
    return this.#nodes.refreshed()
  }

  sendTo(master: string, command: Command): Promise<Reply> {
    const node = this.#nodes.find(master)
    if (node !== undefined) return this.#pending.send(node, command)
    this.#nodes.refresh()
    return Promise.reject(this.#nodes.absence(`No master of the cluster is known at ${master}`, master))
  }

  sessionOf(master: string): object | undefined {
    return this.#nodes.find(master)?.stream
  }

  slotOf(key: Key): number {
    return hashSlot(key)
  }

  ownerOf(key: Key): string {
    return this.#nodes.lastOwnerOf(hashSlot(key)) ?? ''
  }

  placeOf(key: Key): string {
    return this.#nodes.lastOwnerOf(hashSlot(key)) ?? SOME_NODE
  }

  async close(): Promise<void> {
    if (this.#shared) this.#listeners[Symbol.dispose]()
    this.#attachments.close()
    this.#failures.close()
    closeLogins(this.#logins)
    this.#nodes.close()
    this.#pending.close()
    await Promise.all([
      this.#reads.close(),
      this.#apart.close(),
      this.subscriber.close(),
      this.keyChanges.close(),
      this.#shared ? undefined : disconnectNode(this.#cluster),
    ])
  }

  /** Sends a command past data. Without another connection it waits behind the data. ioredis follows a slot that has moved, or is moving. */
  async #sendPast(slot: number, command: Command): Promise<Reply> {
    try {
      return await this.#apart.sendAhead(slot, { ...command, failFast: true })
    } catch (error) {
      if (!isRedirection(error) && !wasNotSent(error)) throw error
      return await this.send(command)
    }
  }

  /** Finds out how messages travel, as soon as the cluster can be asked, unless the settings say it. */
  async #begin(): Promise<void> {
    const sharded = this.#mode === 'AUTO' ? await this.#knowsShardedChannels() : this.#mode === 'ON'
    if (this.#sharded !== undefined) return
    this.#sharded = sharded
    this.subscriber.begin(this.#sharded ? 'sharded' : 'plain')
  }

  async #knowsShardedChannels(): Promise<boolean> {
    await this.#nodes.begun()
    return await this.#nodes.firstReply(async (node) => {
      try {
        await this.#pending.send(node, COUNTS_OF_SHARDED)
        return true
      } catch (error) {
        if (error instanceof CommandError) return false
        throw error
      }
    })
  }
}
