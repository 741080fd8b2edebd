import type { LockLossReason } from './lock-errors.js'
import { RedissonError, type RedissonErrorOptions } from './redisson-error.js'

/** Why the mark of a run was lost before the function had ended. */
export type MarkLossReason = Exclude<LockLossReason, 'forced'>

/**
 * The mark of a run was lost while its function ran, or had ended before the function could begin: from here on another process may
 * run the same.
 */
export class MarkLostError extends RedissonError {
  override readonly name = 'MarkLostError'
  override readonly code = 'MARK_LOST'
  /** The name of what is run once. */
  readonly once: string
  /** What the run is for, as its key says it; undefined where the call named nothing. */
  readonly fire: string | undefined
  /** Why it was lost. */
  readonly reason: MarkLossReason

  constructor(
    facts: {
      readonly once: string
      readonly fire: string | undefined
      readonly reason: MarkLossReason
      /** How long it lasts, if that was over before the function could begin. */
      readonly lifeMs?: number
    },
    options?: RedissonErrorOptions,
  ) {
    const which = facts.fire === undefined ? 'The mark' : `The mark for ${facts.fire}`
    const why = facts.lifeMs === undefined ? explanations[facts.reason] : answeredTooLate(facts.lifeMs)
    super(`${which} of ${facts.once} was lost: ${why}`, options)
    this.once = facts.once
    this.fire = facts.fire
    this.reason = facts.reason
  }
}

const explanations: Readonly<Record<MarkLossReason, string>> = {
  'not-held': 'Redis says that it is gone, or the mark of another run',
  expired: 'its lease ended before Redis confirmed a renewal',
  closed: 'the client was shut down',
}

function answeredTooLate(lifeMs: number): string {
  return `it lasts for ${lifeMs} ms, and Redis took longer to confirm it, so that the function was not run`
}

/** A client was to compete in an election in which it competes already. */
export class ElectionRunningError extends RedissonError {
  override readonly name = 'ElectionRunningError'
  override readonly code = 'ELECTION_RUNNING'
  /** The name of the election. */
  readonly election: string

  constructor(election: string) {
    super(`This client competes in election ${election} already, and can have one function at a time there`)
    this.election = election
  }
}
