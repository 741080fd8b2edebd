import type { CommandExecutor } from '../../command/operation/command-executor.js'
import { requestLifeMs } from '../../config/request-life.js'
import { idempotencyKey, semaphoreChannel } from '../../core/context/names.js'
import type { LockContext } from '../../core/context/object-context.js'
import type { PermitsRequest } from '../../core/arguments/permits-request.js'
import { demandStillWanted } from '../../core/context/still-wanted.js'
import { countAttempt, followed, traced } from '../../core/holds/traced-acquisition.js'
import { UNDO_WITHIN_MS, type Compensations } from '../../waiting/compensations.js'
import { RECHECK_MS } from '../../waiting/recheck.js'
import type { Until } from '../../waiting/settled-in-time.js'
import type { PermitSource, Served } from '../shared/permit-queue.js'
import type { Claim } from '../shared/permit-waiters.js'
import type { PermitQueues } from '../shared/permit-queues.js'
import { warnOfNone, warnOfOthers } from '../shared/permit-warnings.js'
import { acquire, release, undo } from './semaphore.scripts.js'
import { sumOf } from '../../util/collections/sum-of.js'

/** The queue entries: requests for permits, which get as many as they want. */
export type SemaphoreQueues = PermitQueues<Claim, number>

/** What the requests of one semaphore are made with. */
interface SemaphoreRequestsDeps {
  readonly context: LockContext
  readonly name: string
  readonly key: string
  /** The waiters of this process. */
  readonly queues: SemaphoreQueues
  readonly compensations: Compensations
  /** How many permits an acquisition sets where the semaphore is not there. */
  readonly initial: number | undefined
  /** What sends a request, once those before it have left. */
  readonly executor: () => CommandExecutor
}

interface ReleaseOptions {
  /** Whether only a semaphore that is there shall have the permits (1). */
  readonly ifExists: 0 | 1
  readonly insistMs?: number
}

/** How permits are released that reached no caller. */
const GIVEN_UP: ReleaseOptions = { ifExists: 1, insistMs: UNDO_WITHIN_MS }

/** Acquires permits of one semaphore that have no owner, and releases them. */
export class SemaphoreRequests {
  readonly #deps: SemaphoreRequestsDeps
  readonly #source: PermitSource<Claim, number>

  constructor(deps: SemaphoreRequestsDeps) {
    this.#deps = deps
    this.#source = {
      channel: semaphoreChannel(deps.key),
      mostPermits: Infinity,
      ask: (...args) => this.#ask(...args),
      compensate: (got) => {
        deps.compensations.compensate(() => this.#compensate(got))
      },
    }
  }

  /** Whether a release needs a semaphore that is there (1). Where permits are brought, the next acquisition sets all of them. */
  get ifExists(): 0 | 1 {
    return this.#deps.initial === undefined ? 0 : 1
  }

  /** The keys of one request. */
  newKeys() {
    const { key, context } = this.#deps
    const request = idempotencyKey(key, context.requestIds.next())
    return { semaphore: key, channel: semaphoreChannel(key), request }
  }

  /** Acquires permits; returns whether there were enough in time. */
  async acquire(request: PermitsRequest): Promise<boolean> {
    const { key, initial } = this.#deps
    const claim = traced({ ...request, initial }, 'permit', key)
    return await followed(claim, this.#obtain(claim))
  }

  /**
   * Leaves permits to callers of this process that wait for them, without a request. Returns whether they have all of them now; otherwise they
   * are to go to Redis, also all of them: a release whose reply is lost has run as a whole or not at all.
   */
  passOn(permits: number): boolean {
    const { context, key, queues } = this.#deps
    return !context.closing.aborted && queues.passOn(key, permits, (claim) => claim.permits)
  }

  /** Releases permits that a program had. */
  async releaseAll(permits: number): Promise<void> {
    await this.release(permits, { ifExists: this.ifExists })
  }

  /** Releases permits; returns whether the semaphore has them. */
  async release(permits: number, { ifExists, ...insistence }: ReleaseOptions): Promise<boolean> {
    const call = { keys: this.newKeys(), args: { permits, ifExists } }
    const options = { remember: true, ...insistence }
    return this.#freed(await this.#deps.executor().run(release, call, options))
  }

  /** Releases permits. When Redis cannot be reached, this rejects, and goes on trying: the caller could not know what has run. */
  async return(permits: number): Promise<void> {
    const executor = this.#deps.executor()
    const call = { keys: this.newKeys(), args: { permits, ifExists: this.ifExists } }
    try {
      this.#freed(await executor.run(release, call, { remember: true, repeatableMs: UNDO_WITHIN_MS }))
    } catch (error) {
      const insistently = { remember: true, keep: true, insistMs: UNDO_WITHIN_MS }
      this.#deps.compensations.compensate(() => executor.run(release, call, insistently))
      throw error
    }
  }

  /** Notes that a release has gone to Redis; returns whether the semaphore has the permits. */
  #freed([released, heard]: readonly [released: number, heard: number]): boolean {
    this.#deps.queues.freed(this.#deps.key, heard)
    return released === 1
  }

  async #obtain(claim: Claim): Promise<boolean> {
    const { key, queues } = this.#deps
    if (claim.permits > 0) return (await queues.obtain(key, claim, this.#source)) !== undefined
    claim.signal?.throwIfAborted()
    return true
  }

  /** Asks once for all of them. */
  async #ask(claims: readonly Claim[], initial: number | undefined, until: Until): Promise<Served<number>> {
    const { context, name, compensations } = this.#deps
    demandStillWanted(context, until.signal)
    countAttempt(claims)
    const wanted = claims.map(({ permits }) => permits)
    const keys = this.newKeys()
    const executor = this.#deps.executor()
    const undoneMs = requestLifeMs(context.config)
    const options = { replyBy: until.deadline, endOfWaiting: context.closing, remember: true }
    const args = {
      claims: wanted.join(' '),
      initial: initial ?? '',
      undoableMs: UNDO_WITHIN_MS + undoneMs,
    }
    const [served, left, there] = await compensations.acquireOrCompensate({
      answer: executor.run(acquire, { keys, args }, options),
      signal: until.signal,
      giveBack: ([late]) => this.#compensate(wanted.slice(0, late)),
      undo: () => executor.run(undo, { keys, args: { undoneMs } }),
    })
    if (there === 0 && claims.some(({ waitMs }) => waitMs > 0)) warnOfNone(name)
    const got = wanted.slice(0, served)
    this.#compare(left + sumOf(got))
    return { got, retryInMs: RECHECK_MS, there: there === 1 }
  }

  async #compensate(got: readonly number[]): Promise<void> {
    const permits = sumOf(got)
    if (permits > 0 && !this.passOn(permits)) await this.release(permits, GIVEN_UP)
  }

  /** Only if more are free than there should be at all is it sure that there are others. */
  #compare(free: number): void {
    const { initial, name } = this.#deps
    if (initial !== undefined && free > initial) warnOfOthers(name, initial, `${free} free permits`)
  }
}
