import type { Redis } from 'ioredis'
import type { RedissonEvents } from '../api/events.js'
import type { Config } from '../config/config.js'
import { syncedTimeoutMs } from '../config/synced-timeout.js'
import type { Emitter } from '../util/emitter.js'
import { outside } from '../util/outside.js'
import { firstContact } from './first-contact.js'
import type { Command, Connection, Reply, SyncedReply } from './connection.js'
import { silenceMs, type NodeOptions } from './ioredis-options.js'
import { IoredisSubscriber } from './ioredis-subscriber.js'
import { joinWrites } from './joint-writes.js'
import { announce, hangUp, keepInTouch } from './node-link.js'
import { Outstanding } from './outstanding.js'

/** Makes one more connection to the master, whoever that is at the time. */
export type OpenMaster = (overrides: NodeOptions) => Redis

/** The way to Redis where all data is at one master: a single server, or one that sentinels or a provider replace. */
export class MasterConnection implements Connection {
  readonly publishCommand = 'publish'
  readonly countsAllListeners = true
  readonly subscriber: IoredisSubscriber
  readonly #open: OpenMaster
  readonly #config: Config
  readonly #commands: Redis
  readonly #touch: Disposable
  readonly #outstanding: Outstanding
  readonly #confirming: Outstanding
  #synced: Redis | undefined

  constructor(open: OpenMaster, config: Config, events: Emitter<RedissonEvents>) {
    this.#open = open
    this.#config = config
    this.#outstanding = new Outstanding(config.timeoutMs)
    this.#confirming = new Outstanding(syncedTimeoutMs(config))
    this.#commands = outside(() => open({}))
    joinWrites(this.#commands)
    this.#touch = keepInTouch(this.#commands, config.pingIntervalMs)
    const listening = outside(() => open({}))
    this.subscriber = new IoredisSubscriber(listening, 'subscribe', config.pingIntervalMs)
    announce(this.#commands, 'commands', events)
    announce(listening, 'messages', events)
  }

  connect(): Promise<void> {
    return firstContact(this.#commands, this.#config.retryAttempts)
  }

  send(command: Command): Promise<Reply> {
    return this.#outstanding.send(this.#commands, command)
  }

  async sendSynced(command: Command, replicas: number, timeoutMs: number): Promise<SyncedReply> {
    this.#synced ??= this.#openSynced()
    return await this.#confirming.sendSynced(this.#synced, command, replicas, timeoutMs)
  }

  /** Connects once more, to whoever is the master now. */
  protected reconnect(): void {
    this.#commands.disconnect(true)
    this.#synced?.disconnect(true)
    this.subscriber.reconnect()
  }

  slotOf(): number {
    return 0
  }

  async close(): Promise<void> {
    this.#touch[Symbol.dispose]()
    this.#outstanding.close()
    this.#confirming.close()
    await Promise.all([
      this.subscriber.close(),
      hangUp(this.#commands),
      this.#synced === undefined ? undefined : hangUp(this.#synced),
    ])
  }

  #openSynced(): Redis {
    const redis = outside(() => this.#open({ socketTimeout: silenceMs(syncedTimeoutMs(this.#config)) }))
    redis.on('error', () => undefined) // the commands on it say so themselves
    return redis
  }
}
