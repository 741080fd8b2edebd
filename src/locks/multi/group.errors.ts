import { RedissonError } from '../../errors/redisson-error.js'

/** What happened at one member of a group of locks. */
export interface MemberFailure {
  /** The name of the member. */
  readonly lock: string
  /** What it said. */
  readonly error: Error
}

/** Some members of a multi-lock could not be released. All others were. */
export class MultiUnlockError extends RedissonError {
  override readonly name = 'MultiUnlockError'
  override readonly code = 'MULTI_UNLOCK'
  /** The members that could not be released. */
  readonly failures: readonly MemberFailure[]

  constructor(failures: readonly MemberFailure[], members: number) {
    super(`${failures.length} of ${members} locks could not be released: ${listing(failures)}`, {
      mayHaveRun: true,
    })
    this.failures = failures
  }
}

/**
 * Too few members of a red lock could be reached to acquire it, or too few of a red lock or multi-lock to extend it. What
 * was acquired has been released.
 */
export class QuorumError extends RedissonError {
  override readonly name = 'QuorumError'
  override readonly code = 'NO_QUORUM'
  /** The members that could not be reached, and why. */
  readonly failures: readonly MemberFailure[]
  /** How many members are needed. */
  readonly quorum: number

  constructor(
    failures: readonly MemberFailure[],
    facts: { readonly members: number; readonly quorum: number; readonly mayHaveRun: boolean },
  ) {
    const { members, quorum, mayHaveRun } = facts
    super(
      `Expected ${quorum} of ${members} servers to reply, got ${members - failures.length}: ${listing(failures)}`,
      { cause: failures[0]?.error, mayHaveRun },
    )
    this.failures = failures
    this.quorum = quorum
  }
}

/**
 * A lock of several locks was given two locks of one name by different clients whose settings name the same servers.
 *
 * Either they are one lock, which no two clients can hold for one owner, or nothing defines in which order all processes take
 * them. Nothing was taken.
 */
export class SameLockError extends RedissonError {
  override readonly name = 'SameLockError'
  override readonly code = 'SAME_LOCK'
  /** The name of the lock. */
  readonly lock: string
  /** What the settings of both clients call the servers, and the database there. */
  readonly servers: string

  constructor(facts: { readonly lock: string; readonly servers: string }) {
    const { lock, servers } = facts
    super(
      `Expected locks at servers of their own, got lock ${lock} at ${servers} by two clients. ` +
        'Take every lock of these servers by the same client',
    )
    this.lock = lock
    this.servers = servers
  }
}

function listing(failures: readonly MemberFailure[]): string {
  return failures.map(({ lock, error }) => `${lock}: ${error.message}`).join('; ')
}
