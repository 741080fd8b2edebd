import { notSent } from '../../command/requests/caller-wait.js'
import type { MemberFailure } from './group.errors.js'
import { LockTimeoutError } from '../../errors/lock-errors.js'
import { isRedissonError } from '../../errors/redisson-error.js'
import type { Thread } from '../../ownership/thread.js'
import { onAbort } from '../../util/abort/abort-listeners.js'
import { afterRunning } from '../../util/time/after-running.js'
import { NotInTime } from '../../util/time/settled-within.js'
import { AutoResetEvent } from '../../util/auto-reset-event.js'
import { releaseMember, type Late, type Member } from './composite-hold.js'
import {
  AS_MEMBER,
  CompositeLockEngine,
  mayHaveRunThere,
  type Collected,
  type CompositeDeps,
  type EndingRequest,
} from './composite-lock-engine.js'
import { tryingOnce } from '../shared/engine/lock-request.js'

/** No server is waited for longer than this share of the lease, so that most of it is left when all have replied. */
const SHARE_OF_LEASE = 0.05

/** The shortest time that a server gets to reply, in milliseconds. */
const SHORTEST_LIMIT_MS = 50

/** A round without enough servers is repeated so often before that counts as the reply. */
const ROUNDS_WITHOUT_QUORUM = 3

let groups = 0

/** Counts the acquisitions of groups. */
function nextGroup(): number {
  return (groups += 1)
}

/** The replies so far. */
interface Replies extends Collected {
  /** Those that could not be asked. */
  readonly failures: readonly MemberFailure[]
}

/** The results of asking all members once. */
interface Round extends Replies {
  /** Whether those who are late have taken too long, or are not waited for any more. */
  readonly isOver: boolean
}

/**
 * Takes a majority of locks at independent servers, by the published algorithm.
 *
 * All servers are asked at once, each for no longer than a share of the lease. The lock is held as soon as a majority has granted it,
 * if the lease of a majority has not run out meanwhile, by this process's clock and less what clocks may drift. Servers that grant it
 * later join the others. Without a majority all that was granted is released, also at servers whose reply is unknown, and another
 * round follows after a while.
 */
export class RedLockEngine extends CompositeLockEngine {
  readonly kind = 'red-lock'
  readonly #watchdogMs: number

  constructor(deps: CompositeDeps) {
    super(deps, Math.floor(deps.members.length / 2) + 1)
    this.#watchdogMs = deps.context.config.lockWatchdogTimeoutMs
  }

  protected async collect(thread: Thread, request: EndingRequest): Promise<Collected> {
    request.signal.throwIfAborted()
    let refused = false
    let mayHaveRun = false
    const isOver = () => request.deadline.passed
    for (let withoutQuorum = 0; ;) {
      const round = await this.#round(thread, request)
      if (this.#isEnough(round.members)) return round
      await this.#releaseRound(thread, round, request)
      const { failures } = round
      this.#demandOpen(failures)
      withoutQuorum = this.members.length - failures.length < this.quorum ? withoutQuorum + 1 : 0
      mayHaveRun ||= mayHaveTaken(round)
      if (withoutQuorum === ROUNDS_WITHOUT_QUORUM) throw this.tooFew({ failures, mayHaveRun })
      refused ||= withoutQuorum === 0
      if (!isOver()) await this.pause(request)
      // There is no time for a reply then. If a majority has replied in this call, it was not free.
      if (isOver())
        throw refused
          ? new LockTimeoutError(this.name, request.waitMs)
          : this.tooFew({ failures, mayHaveRun })
    }
  }

  /** A share of the lease, since a reply that comes later is of no use. */
  protected patienceMs(leaseMs = this.#watchdogMs): number {
    return Math.max(leaseMs * SHARE_OF_LEASE, SHORTEST_LIMIT_MS)
  }

  /** The lock is free for others as soon as a majority is. */
  protected get releasePatienceMs(): number {
    return 0
  }

  /**
   * Asks all members once, until a majority has granted it or cannot any more. A busy one has replied; any other failure means that a
   * server cannot be asked.
   */
  async #round(thread: Thread, request: EndingRequest): Promise<Round> {
    const leftMs = Math.ceil(this.settlingDeadline(request).within(Infinity))
    const patienceMs = Math.min(this.patienceMs(request.leaseMs), leftMs)
    const limit = new AbortController() // `AbortSignal.timeout()` cannot be ended, and there may be thousands in a second
    const poll = new Poll({
      isDecided: (members, late) => this.#isEnough(members) || members.length + late < this.quorum,
      onReplied: () => {
        stopTimer()
      },
    })
    const end = (reason: unknown) => {
      limit.abort(reason)
      poll.close(reason as Error)
    }
    const stopTimer = afterRunning(patienceMs, () => {
      end(new NotInTime(patienceMs))
    })
    const group = request.group ?? nextGroup()
    const once = { ...tryingOnce(request), signal: limit.signal, takesLate: true, group }
    for (const engine of this.members) {
      const sending = notSent()
      poll.add({ engine, taking: engine.acquire(thread, { ...once, sending }, AS_MEMBER), group, sending })
    }
    const { signal } = request
    const stopListening = onAbort(signal, () => {
      end(signal.reason)
    })
    if (signal.aborted) end(signal.reason)
    const replies = await poll.replies
    stopListening()
    return { ...replies, isOver: limit.signal.aborted }
  }

  /** Clients that have been shut down never reply again, so that no majority comes when too few of them are left. */
  #demandOpen(failures: readonly MemberFailure[]): void {
    const closed = failures.filter(({ error }) => isRedissonError(error, 'CLOSED'))
    const [first] = closed
    if (first !== undefined && this.members.length - closed.length < this.quorum) throw first.error
  }

  #isEnough(members: readonly Member[]): boolean {
    return members.length >= this.quorum && members.filter(isHeld).length >= this.quorum
  }

  /**
   * Releases what a failed round has got, also later replies. Servers that do not reply are given up after a while, or
   * at once if they have taken too long already. No server is waited for when the signal aborts; that is what this rejects with then.
   */
  async #releaseRound(
    thread: Thread,
    { members, late, isOver }: Round,
    request: EndingRequest,
  ): Promise<void> {
    const released = members.map(releaseMember)
    for (const { engine, taking, group } of late) {
      const settled = taking.then(({ hold, entry }) => engine.release(hold, entry))
      engine.waitFirstFor(thread, settled, group)
      if (!isOver) released.push(settled)
    }
    const limit = new AutoResetEvent()
    void Promise.allSettled(released).then(() => {
      limit.set()
    })
    await limit.wait(this.settlingDeadline(request).within(this.patienceMs()), request.signal)
  }
}

interface Judge {
  /** Whether this number of members, and of late ones, decides it. */
  readonly isDecided: (members: readonly Member[], late: number) => boolean
  /** Is notified that none is late any more. */
  readonly onReplied: () => void
}

/** The replies of several members to one question. */
class Poll {
  readonly #members: Member[] = []
  readonly #failures: MemberFailure[] = []
  readonly #late = new Set<Late>()
  readonly #judge: Judge
  readonly #decided = Promise.withResolvers<Replies>()
  #closed = false

  constructor(judge: Judge) {
    this.#judge = judge
  }

  /** Resolves when what is known decides it, or nothing else will be. Later replies count as late. */
  get replies(): Promise<Replies> {
    return this.#decided.promise
  }

  /** Counts the reply of one. All are to be added before any replies. */
  add(asked: Late): void {
    this.#late.add(asked)
    const { engine, taking } = asked
    taking.then(
      ({ hold, entry }) => {
        if (!this.#closed) this.#members.push({ hold, entry, engine })
        this.#note(asked)
      },
      (error: unknown) => {
        if (!this.#closed && isSilence(error))
          this.#failures.push({ lock: engine.name, error: error as Error })
        this.#note(asked)
      },
    )
  }

  /** Later replies do not count; members without a reply count as failed, and are not asked any more if they were not so far. */
  close(error: Error): void {
    if (this.#closed) return
    for (const { engine, sending } of this.#late) {
      sending.over ||= !sending.sent
      this.#failures.push({ lock: engine.name, error })
    }
    this.#decide()
  }

  #note(asked: Late): void {
    this.#late.delete(asked)
    const { size } = this.#late
    if (size === 0) this.#judge.onReplied()
    if (!this.#closed && (size === 0 || this.#judge.isDecided(this.#members, size))) this.#decide()
  }

  #decide(): void {
    this.#closed = true
    this.#decided.resolve({ members: this.#members, failures: this.#failures, late: [...this.#late] })
  }
}

/** Whether a member may have been taken. Those who are late may, if they were asked. */
function mayHaveTaken({ members, late, failures }: Round): boolean {
  const asked = late.filter(({ sending }) => sending.sent)
  const known = failures.filter(({ error }) => !(error instanceof NotInTime))
  return members.length > 0 || asked.length > 0 || known.some(mayHaveRunThere)
}

function isHeld({ hold }: Member): boolean {
  return hold.loss() === undefined
}

/** Whether an error means that a server could not be asked. */
function isSilence(error: unknown): boolean {
  return !isRedissonError(error, 'LOCK_TIMEOUT')
}
