import { setImmediate as nextTurn } from 'node:timers/promises'
import type { RedissonEvents } from '../api/events.js'
import type { ShutdownOptions } from '../api/redisson-client.js'
import type { BatchExecutor, BatchRunOptions } from '../command/batch/batch-executor.js'
import { ConnectionExecutor } from '../command/connection-executor.js'
import { Masters } from '../command/masters.js'
import type { Config } from '../config/config.js'
import { syncedTimeoutMs } from '../config/synced-timeout.js'
import type { Connection } from '../connection/connection.js'
import { SharedServices } from '../core/context/factories.js'
import { HoldWatch } from '../core/holds/hold-watch.js'
import { IdempotencyIds } from '../command/once/idempotency-ids.js'
import type { LockContext } from '../core/context/object-context.js'
import { ClientClosedError } from '../errors/client-errors.js'
import { EvictionService } from '../eviction/eviction-service.js'
import { Owners } from '../ownership/owners.js'
import { Subscriptions } from '../pubsub/subscriptions.js'
import { WakeUps } from '../pubsub/wake-ups.js'
import { HoldTraces } from '../renewal/hold-traces.js'
import { RenewalService } from '../renewal/renewal-service.js'
import { Deadline } from '../util/time/deadline.js'
import type { Emitter } from '../util/emitter.js'
import { watchEvictionPolicy } from './eviction-policy.js'
import type { Complete } from '../util/option-types.js'

/** How long large data may move after a shutdown has begun, in milliseconds. */
const LONGEST_DATA_MS = 30_000

/** What a client runs on: wires the services that its objects are given, once, and ends them. */
export class Runtime {
  readonly context: LockContext
  /** What its objects share. */
  readonly shared: SharedServices<LockContext>
  readonly #connection: Connection
  readonly #executor: ConnectionExecutor
  readonly #closing = new AbortController()
  /** What has to settle before the connections close. */
  readonly #closers: ((deadline: Deadline) => Promise<unknown>)[] = []

  constructor(id: string, config: Config, connection: Connection, events: Emitter<RedissonEvents>) {
    this.#connection = connection
    this.#executor = new ConnectionExecutor(connection, config, this.#closing.signal)
    const subscriptions = new Subscriptions(connection.subscriber)
    const keyChanges = new Subscriptions(connection.keyChanges)
    this.context = Object.freeze({
      executor: this.#executor,
      ahead: this.#executor.ahead(),
      masters: new Masters(connection, this.#executor),
      subscriptions,
      keyChanges,
      keyWakeUps: new WakeUps(keyChanges, config),
      requestIds: new IdempotencyIds(),
      eviction: new EvictionService(this.#closing.signal),
      topology: connection,
      config,
      closing: this.#closing.signal,
      onClose: (settle: (deadline: Deadline) => Promise<unknown>) => void this.#closers.push(settle),
      wakeUps: new WakeUps(subscriptions, config),
      renewal: new RenewalService(
        { leaseMs: config.lockWatchdogTimeoutMs, batchSize: config.lockWatchdogBatchSize },
        new HoldTraces(),
      ),
      owners: new Owners(id),
      events,
      holdWatch: config.holdWarningMs === undefined ? undefined : new HoldWatch(config.holdWarningMs),
    })
    this.shared = new SharedServices(this.context)
    watchEvictionPolicy(connection, events)
  }

  /** Whether there is a connection for commands, and the client is not shut down. */
  get isConnected(): boolean {
    return this.#connection.isConnected && !this.#closing.signal.aborted
  }

  /** Returns an executor that collects, for one batch. */
  batch(options: BatchRunOptions): BatchExecutor {
    return this.#executor.batch(options)
  }

  /** Ends everything, in the order of `docs/architecture.md`. Called once. */
  async close({ drainMs, release }: Complete<ShutdownOptions>): Promise<void> {
    const { config, events, wakeUps, keyWakeUps, renewal, holdWatch } = this.context
    this.#closing.abort(new ClientClosedError())
    wakeUps.close()
    keyWakeUps.close()
    await nextTurn() // replies of a moment ago have reached their callers then
    await renewal.drained(drainMs)
    events.removeAll() // what ends on purpose is no news
    const left = renewal.close()
    holdWatch?.close()
    if (release) for (const lease of left) lease.giveBack().catch(() => undefined)
    const deadline = Deadline.after(syncedTimeoutMs(config))
    await this.#executor.idleOrStill(deadline, Deadline.after(LONGEST_DATA_MS)) // what replies grant now may have to be released
    await Promise.all(this.#closers.map((settle) => settle(deadline)))
    await this.#executor.close(deadline)
    await this.#connection.close()
  }
}
