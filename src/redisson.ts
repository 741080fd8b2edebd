import { randomUUID } from 'node:crypto'
import type { RedissonEvents } from './api/events.js'
import type { RFencedLock } from './api/locks/fenced-lock.js'
import type { FencingGuard } from './api/locks/fencing-guard.js'
import type { RLock } from './api/locks/lock.js'
import type { RMultiLock } from './api/locks/multi-lock.js'
import type { ReadWriteLockOptions, RReadWriteLock } from './api/locks/read-write-lock.js'
import type { SpinLockOptions } from './api/locks/spin-lock.js'
import type { LockSettings, RedissonClient, RunAsThreadOptions } from './api/redisson-client.js'
import type { RedissonOptions } from './api/redisson-options.js'
import type { RCountDownLatch } from './api/synchronizers/count-down-latch.js'
import type { RPermitExpirableSemaphore } from './api/synchronizers/permit-expirable-semaphore.js'
import type { RRateLimiter } from './api/synchronizers/rate-limiter.js'
import type { RSemaphore } from './api/synchronizers/semaphore.js'
import { ConnectionExecutor } from './command/connection-executor.js'
import type { Config } from './config/config.js'
import { loadOptions } from './config/load-config.js'
import { resolveConfig } from './config/resolve-config.js'
import type { Connection } from './connection/connection.js'
import { createConnection } from './connection/create-connection.js'
import { demandFunction, demandOptions } from './core/arguments.js'
import { RequestIds } from './core/request-ids.js'
import { ClientClosedError } from './errors/client-errors.js'
import { multiLock, redLock } from './locks/group-lock.js'
import { Locks } from './locks/locks.js'
import { Owners } from './ownership/owners.js'
import { Subscriptions } from './pubsub/subscriptions.js'
import { WakeUps } from './pubsub/wake-ups.js'
import { RenewalService } from './renewal/renewal-service.js'
import { Synchronizers } from './synchronizers/synchronizers.js'
import { Emitter } from './util/emitter.js'
import { shown } from './util/shown.js'

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

  /**
   * A lock that holds as long as a majority of independent servers grants it, by the published Redlock algorithm.
   *
   * @param clients - one of each server, best an odd number of them
   */
  createRedLock(clients: readonly RedissonClient[], name: string, settings?: LockSettings): RMultiLock {
    return redLock(demandClients(clients).map((client) => client.getLock(name, settings)))
  },
}

function demandClients(clients: readonly RedissonClient[]): readonly RedissonClient[] {
  if (Array.isArray(clients) && clients.every((client: unknown) => client instanceof Client)) return clients
  throw new TypeError(`Expected \`clients\` to be a list of clients, got ${shown(clients)}`)
}

const EVENTS: Readonly<Record<keyof RedissonEvents, true>> = {
  connected: true,
  disconnected: true,
  reconnected: true,
  lockLost: true,
}

/** Refuses events that never happen: whoever listens to them has mistaken the name. */
function demandEvent(event: unknown): void {
  if (typeof event === 'string' && Object.hasOwn(EVENTS, event)) return
  const names = Object.keys(EVENTS).join(', ')
  throw new RangeError(`Expected \`event\` to be one of ${names}, got ${shown(event)}`)
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
  readonly #synchronizers: Synchronizers
  readonly #closing = new AbortController()
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
      closing: this.#closing.signal,
    })
    this.#locks = new Locks(context)
    this.#synchronizers = new Synchronizers(context, this.id)
  }

  getLock(name: string, settings: LockSettings = {}): RLock {
    return this.#locks.getLock(name, settings)
  }

  getFairLock(name: string, settings: LockSettings = {}): RLock {
    return this.#locks.getFairLock(name, settings)
  }

  getReadWriteLock(name: string, options: ReadWriteLockOptions & LockSettings = {}): RReadWriteLock {
    return this.#locks.getReadWriteLock(name, options)
  }

  getFencedLock(name: string, settings: LockSettings = {}): RFencedLock {
    return this.#locks.getFencedLock(name, settings)
  }

  getFencingGuard(name: string): FencingGuard {
    return this.#locks.getFencingGuard(name)
  }

  getSpinLock(name: string, options: SpinLockOptions & LockSettings = {}): RLock {
    return this.#locks.getSpinLock(name, options)
  }

  getNonReentrantLock(name: string, settings: LockSettings = {}): RLock {
    return this.#locks.getNonReentrantLock(name, settings)
  }

  getNonReentrantFairLock(name: string, settings: LockSettings = {}): RLock {
    return this.#locks.getNonReentrantFairLock(name, settings)
  }

  getMultiLock(...locks: RLock[]): RMultiLock
  getMultiLock(group: string, values: Iterable<string | Uint8Array>): RLock
  getMultiLock(...args: RLock[] | [string, Iterable<string | Uint8Array>]): RMultiLock {
    return isGroup(args) ? this.#locks.getValueLock(...args) : multiLock(args)
  }

  getRedLock(...locks: RLock[]): RMultiLock {
    return redLock(locks)
  }

  getSemaphore(name: string): RSemaphore {
    return this.#synchronizers.getSemaphore(name)
  }

  getPermitExpirableSemaphore(name: string): RPermitExpirableSemaphore {
    return this.#synchronizers.getPermitExpirableSemaphore(name)
  }

  getCountDownLatch(name: string): RCountDownLatch {
    return this.#synchronizers.getCountDownLatch(name)
  }

  getRateLimiter(name: string): RRateLimiter {
    return this.#synchronizers.getRateLimiter(name)
  }

  async runAsThread<T>(fn: () => T | PromiseLike<T>, options: RunAsThreadOptions = {}): Promise<T> {
    this.#closing.signal.throwIfAborted()
    demandFunction(fn)
    demandOptions(options)
    const { threadId } = options
    const thread = threadId === undefined ? this.#owners.mint() : this.#owners.named(threadId)
    return await this.#owners.run(this.#owners.openScope(thread), fn)
  }

  on<K extends keyof RedissonEvents>(event: K, listener: (event: RedissonEvents[K]) => void): this {
    demandEvent(event)
    demandFunction(listener, 'listener')
    this.#events.on(event, listener)
    return this
  }

  off<K extends keyof RedissonEvents>(event: K, listener: (event: RedissonEvents[K]) => void): this {
    demandEvent(event)
    demandFunction(listener, 'listener')
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
    this.#closing.abort(new ClientClosedError())
    this.#wakeUps.close()
    await Promise.all([this.#synchronizers.close(), this.#locks.close()])
    await this.#executor.close()
    this.#renewal.close()
    this.#events.removeAll() // what ends on purpose is no news
    await this.#connection.close()
  }
}

/** A group has a name and a list. */
function isGroup<T>(args: RLock[] | [string, T]): args is [string, T] {
  return typeof args[0] === 'string' || Symbol.iterator in Object(args[1])
}
