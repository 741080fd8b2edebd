import type { Entry } from '../../history.js'
import type { Resource } from '../objects.js'

/** A promise that was broken. */
export interface Breach {
  readonly kind: string
  readonly what: string
  /** What of the history shows it. */
  readonly entries: readonly Entry[]
}

/** Under which conditions a round took place. */
export interface Conditions {
  readonly resources: readonly Resource[]
  /** The names of resources that were forced open: what their holders claim may be wrong. */
  readonly forced: ReadonlySet<string>
  /** Whether requests, replies and connections got lost. */
  readonly faulty: boolean
  /** Whether something was locked at several servers. */
  readonly majorities: boolean
  /** Whether clients were shut down while they were used. */
  readonly closing: boolean
  /** Whether all callers waited without a limit, so that processes take turns. */
  readonly turns: boolean
  /** The interval of each rate limiter, and of what runs once the time that its mark lasts. */
  readonly intervalsMs: ReadonlyMap<string, number>
  /**
   * For how long a process may have stood still, in milliseconds. When it goes on, it may return what it keeps before it hears of changes.
   *
   * @defaultValue 0
   */
  readonly standsStillMs?: number
}
