import type { RedissonEvents } from '../api/events.js'
import type { CommandExecutor } from '../command/command-executor.js'
import type { Config } from '../config/config.js'
import type { Connection } from '../connection/connection.js'
import type { Owners } from '../ownership/owners.js'
import type { WakeUps } from '../pubsub/wake-ups.js'
import type { RenewalService } from '../renewal/renewal-service.js'
import type { Emitter } from '../util/emitter.js'
import type { RequestIds } from './request-ids.js'

/** What every object is given. A record of services, with no behaviour of its own. */
export interface ObjectContext {
  readonly executor: CommandExecutor
  readonly wakeUps: WakeUps
  readonly renewal: RenewalService
  readonly owners: Owners
  readonly requestIds: RequestIds
  readonly events: Emitter<RedissonEvents>
  readonly servers: ServerFacts
  readonly config: Config
  /** Aborts with a {@link ClientClosedError} as soon as the shutdown begins. */
  readonly closing: AbortSignal
}

/** What objects have to know of the servers' arrangement. */
export type ServerFacts = Pick<Connection, 'publishCommand' | 'countsAllListeners' | 'slotOf'>
