import { RedissonError } from './redisson-error.js'

/** What happened at one member of a group of locks. */
export interface MemberFailure {
  /** The name of the member. */
  readonly lock: string
  /** What it said. */
  readonly error: Error
}

/** Some members of a multi-lock could not be given back. All others were. */
export class MultiUnlockError extends RedissonError {
  override readonly name = 'MultiUnlockError'
  override readonly code = 'MULTI_UNLOCK'
  /** The members that could not be given back. */
  readonly failures: readonly MemberFailure[]

  constructor(failures: readonly MemberFailure[], members: number) {
    super(`${failures.length} of ${members} locks could not be given back: ${listing(failures)}`)
    this.failures = failures
  }
}

/** Too few servers of a red lock could be asked. What was taken at the others was given back. */
export class QuorumError extends RedissonError {
  override readonly name = 'QuorumError'
  override readonly code = 'NO_QUORUM'
  /** The members that could not be asked, and why. */
  readonly failures: readonly MemberFailure[]
  /** How many members are needed. */
  readonly quorum: number

  constructor(
    failures: readonly MemberFailure[],
    facts: { readonly members: number; readonly quorum: number },
  ) {
    const { members, quorum } = facts
    super(
      `Expected ${quorum} of ${members} servers to answer, got ${members - failures.length}: ${listing(failures)}`,
    )
    this.failures = failures
    this.quorum = quorum
  }
}

function listing(failures: readonly MemberFailure[]): string {
  return failures.map(({ lock, error }) => `${lock}: ${error.message}`).join('; ')
}
