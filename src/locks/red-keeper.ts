import { orUndone } from '../core/or-undone.js'
import { QuorumError, type MemberFailure } from '../errors/group-errors.js'
import { LockTimeoutError } from '../errors/lock-errors.js'
import { isRedissonError } from '../errors/redisson-error.js'
import type { Thread } from '../ownership/thread.js'
import { Deadline } from '../util/deadline.js'
import { NotInTime } from '../util/settled-within.js'
import { Sleeper } from '../util/sleeper.js'
import { timerDelay } from '../util/timers.js'
import type { Member } from './group-hold.js'
import { AS_MEMBER, failureOf, giveBack, GroupKeeper, type GroupFacts } from './group-keeper.js'
import type { Keeper } from './keeper.js'
import type { LockRequest } from './lock-request.js'

/** No server is waited for longer than this share of the lease, so that most of it is left when all have answered. */
const SHARE_OF_LEASE = 0.05

/** The shortest time that a server gets to answer, in milliseconds. */
const SHORTEST_LIMIT_MS = 50

/** The pause before another round is up to so many milliseconds long, by chance, so that rivals do not meet again. */
const LONGEST_PAUSE_MS = 200

/** A round without enough servers is repeated so often before that counts as the answer. */
const ROUNDS_WITHOUT_QUORUM = 3

/** What came of asking everybody once. */
interface Round {
  readonly members: readonly Member[]
  /** Those that could not be asked. */
  readonly failures: readonly MemberFailure[]
}

/**
 * Takes a majority of locks at independent servers, by the published algorithm.
 *
 * All servers are asked at once, each for no longer than a share of the lease. The lock is held if a majority has granted it
 * and the lease of a majority has not run out meanwhile, by this process's clock and less what clocks may drift. Otherwise
 * whatever was granted is given back, also at servers whose answer is unknown, and another round follows after a while.
 */
export class RedKeeper extends GroupKeeper {
  readonly #watchdogMs: number

  constructor(facts: GroupFacts) {
    super(facts, Math.floor(facts.members.length / 2) + 1)
    this.#watchdogMs = facts.context.config.lockWatchdogTimeoutMs
  }

  protected async collect(thread: Thread, request: LockRequest): Promise<Member[]> {
    const sleeper = new Sleeper()
    for (let withoutQuorum = 0; ;) {
      const round = await this.#round(thread, request)
      const { members, failures } = round
      if (members.filter(({ hold }) => hold.lost === undefined).length >= this.quorum) return [...members]
      const givenBack = this.#giveBack(round)
      request.signal?.throwIfAborted()
      await givenBack
      withoutQuorum = this.members.length - failures.length < this.quorum ? withoutQuorum + 1 : 0
      const { passed } = request.deadline
      if (withoutQuorum === ROUNDS_WITHOUT_QUORUM || (withoutQuorum > 0 && passed)) {
        throw new QuorumError(failures, { members: this.members.length, quorum: this.quorum })
      }
      if (passed) throw new LockTimeoutError(this.name, request.waitMs)
      await sleeper.sleep(request.deadline.within(Math.random() * LONGEST_PAUSE_MS), request.signal)
    }
  }

  /** A share of the lease, since whoever waits for a server longer has nothing of what it answers. */
  protected patienceMs(leaseMs = this.#watchdogMs): number {
    return Math.max(leaseMs * SHARE_OF_LEASE, SHORTEST_LIMIT_MS)
  }

  /** Asks everybody once. Who is busy has answered; any other failure means that a server cannot be asked. */
  async #round(thread: Thread, request: LockRequest): Promise<Round> {
    const patienceMs = this.patienceMs(request.leaseMs)
    const limit = new AbortController() // `AbortSignal.timeout()` cannot be ended, and there may be thousands in a second
    const timer = setTimeout(() => {
      limit.abort(new NotInTime(patienceMs))
    }, timerDelay(patienceMs))
    const signal =
      request.signal === undefined ? limit.signal : AbortSignal.any([limit.signal, request.signal])
    const once: LockRequest = { ...request, waitMs: 0, deadline: Deadline.after(0), signal }
    const results = await Promise.allSettled(this.members.map((keeper) => ask(keeper, thread, once)))
    clearTimeout(timer)
    const members = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
    const failures = results
      .flatMap((result, index) => failureOf(result, this.members[index]))
      .filter(({ error }) => !isRedissonError(error, 'LOCK_TIMEOUT'))
    return { members, failures }
  }

  /** Gives back what a round has got in vain; servers that do not answer are left to themselves after a while. */
  async #giveBack({ members }: Round): Promise<void> {
    const limit = new Sleeper()
    const all = Promise.allSettled(members.map(giveBack)).then(() => {
      limit.wake()
    })
    await Promise.race([all, limit.sleep(this.patienceMs())])
  }
}

/** Asks one server. What it grants when nobody waits for that any more is given back. */
async function ask(keeper: Keeper, thread: Thread, once: LockRequest): Promise<Member> {
  const taken = keeper.take(thread, once, AS_MEMBER)
  const { hold, entry } = await orUndone({
    answer: taken,
    signal: once.signal,
    giveBack: (late) => keeper.giveBack(late.hold, late.entry),
    undo: () => Promise.resolve(), // the keeper has seen to that
    isOpen: () => false,
    undoWithinMs: 0,
  })
  return { hold, entry, keeper }
}
