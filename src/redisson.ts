import { randomUUID } from 'node:crypto'
import type { RedissonEvents } from './api/events.js'
import type { RLock } from './api/locks/lock.js'
import type { LockSettings, RedissonClient, RunAsThreadOptions } from './api/redisson-client.js'
import type { RedissonOptions } from './api/redisson-options.js'
import { ConnectionExecutor } from './command/connection-executor.js'
import type { Config } from './config/config.js'
import { loadOptions } from './config/load-config.js'
import { resolveConfig } from './config/resolve-config.js'
import type { Connection } from './connection/connection.js'
import { createConnection } from './connection/create-connection.js'
import { RequestIds } from './core/request-ids.js'
import { ClientClosedError } from './errors/client-errors.js'
import { Locks } from './locks/locks.js'
import { Owners } from './ownership/owners.js'
import { Subscriptions } from './pubsub/subscriptions.js'
import { WakeUps } from './pubsub/wake-ups.js'
import { RenewalService } from './renewal/renewal-service.js'
import { Emitter } from './util/emitter.js'

/** Where clients come from. */
export const Redisson = {
  /**
   * Connects to Redis.
   *
   * @param source - settings, or the path of a YAML or JSON file that has them, or the URL of a single server
   * @throws {@link ConfigError} if a setting is missing, unknown or of the wrong kind; no socket was opened then
   * @throws {@link ConnectionLostError} if the servers cannot be reached
   */
  async create(source: RedissonOptions | string): Promise<RedissonClient> {
    const config = resolveConfig(typeof source === 'string' ? await loadOptions(source) : source)
    const events = new Emitter<RedissonEvents>()
    events.hold() // for the listeners that the program adds as soon as it has the client
    const client = new Client(config, await createConnection(config, events), events)
    setImmediate(() => {
      events.flush()
    })
    return client
  },
}

/** Wires the services once, and hands out objects by name. */
class Client implements RedissonClient {
  readonly id: string = randomUUID()
  readonly #connection: Connection
  readonly #executor: ConnectionExecutor
  readonly #wakeUps: WakeUps
  readonly #renewal: RenewalService
  readonly #owners: Owners
  readonly #events: Emitter<RedissonEvents>
  readonly #locks: Locks
  #shutdown: Promise<void> | undefined

  constructor(config: Config, connection: Connection, events: Emitter<RedissonEvents>) {
    this.#connection = connection
    this.#events = events
    this.#executor = new ConnectionExecutor(connection, config)
    this.#wakeUps = new WakeUps(new Subscriptions(connection.subscriber))
    this.#renewal = new RenewalService({
      leaseMs: config.lockWatchdogTimeoutMs,
      batchSize: config.lockWatchdogBatchSize,
    })
    this.#owners = new Owners(this.id)
    const context = Object.freeze({
      executor: this.#executor,
      wakeUps: this.#wakeUps,
      renewal: this.#renewal,
      owners: this.#owners,
      requestIds: new RequestIds(),
      events,
      servers: connection,
      config,
    })
    this.#locks = new Locks(context)
  }

  getLock(name: string, settings: LockSettings = {}): RLock {
    return this.#locks.getLock(name, settings)
  }

  async runAsThread<T>(fn: () => T | PromiseLike<T>, { threadId }: RunAsThreadOptions = {}): Promise<T> {
    if (this.#shutdown !== undefined) throw new ClientClosedError()
    const thread = threadId === undefined ? this.#owners.mint() : this.#owners.named(threadId)
    return await this.#owners.run(this.#owners.openScope(thread), fn)
  }

  on<K extends keyof RedissonEvents>(event: K, listener: (event: RedissonEvents[K]) => void): this {
    this.#events.on(event, listener)
    return this
  }

  off<K extends keyof RedissonEvents>(event: K, listener: (event: RedissonEvents[K]) => void): this {
    this.#events.off(event, listener)
    return this
  }

  shutdown(): Promise<void> {
    this.#shutdown ??= this.#close()
    return this.#shutdown
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.shutdown()
  }

  async #close(): Promise<void> {
    this.#wakeUps.close()
    await this.#executor.close()
    this.#renewal.close()
    this.#events.removeAll() // what ends on purpose is no news
    await this.#connection.close()
  }
}
