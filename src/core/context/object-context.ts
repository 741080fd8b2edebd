import type { RedissonEvents } from '../../api/events.js'
import type { CommandExecutor } from '../../command/operation/command-executor.js'
import type { Masters } from '../../command/masters.js'
import type { Config } from '../../config/config.js'
import type { Connection } from '../../connection/connection.js'
import type { EvictionService } from '../../eviction/eviction-service.js'
import type { Owners } from '../../ownership/owners.js'
import type { Subscriptions } from '../../pubsub/subscriptions.js'
import type { WakeUps } from '../../pubsub/wake-ups.js'
import type { RenewalService } from '../../renewal/renewal-service.js'
import type { Deadline } from '../../util/time/deadline.js'
import type { Emitter } from '../../util/emitter.js'
import type { HoldWatch } from '../holds/hold-watch.js'
import type { IdempotencyIds } from '../../command/once/idempotency-ids.js'

/** What every object is given. A record of services, with no behaviour of its own. */
export interface ObjectContext {
  readonly executor: CommandExecutor
  /** Asks each master by itself. */
  readonly masters: Masters
  readonly subscriptions: Subscriptions
  /** Listens for changes of keys: see {@link Connection.keyChanges}. */
  readonly keyChanges: Subscriptions
  /** Wakes waiters after changes of keys. */
  readonly keyWakeUps: WakeUps
  /** Cleans objects whose entries expire. */
  readonly eviction: EvictionService
  readonly topology: Topology
  readonly config: Config
  /** Aborts with a {@link ClientClosedError} as soon as the shutdown begins. */
  readonly closing: AbortSignal
  /**
   * Adds what has to settle before the connections close. It is called once, when the time for holds and permits is over, and
   * has until the deadline. What has to end at once listens to {@link ObjectContext.closing} instead.
   *
   * It is kept for as long as the client, and so is for rooms and not for single objects.
   */
  readonly onClose: (settle: (deadline: Deadline) => Promise<unknown>) => void
}

/** What locks and synchronizers are given besides: what they wait and hold by. */
export interface LockContext extends ObjectContext {
  /** Sends what must not wait behind data that is large for the link: what a lease depends on. It may overtake other requests. */
  readonly ahead: CommandExecutor
  readonly wakeUps: WakeUps
  /** Numbers the requests of those that remember their replies by themselves. */
  readonly requestIds: IdempotencyIds
  readonly renewal: RenewalService
  readonly owners: Owners
  readonly events: Emitter<RedissonEvents>
  /** Reports forgotten holds, where that was asked for. */
  readonly holdWatch: HoldWatch | undefined
}

/** What objects have to know of the servers' arrangement. */
export type Topology = Pick<Connection, 'countsAllListeners' | 'slotOf' | 'ownerOf' | 'placeOf' | 'outage'>
