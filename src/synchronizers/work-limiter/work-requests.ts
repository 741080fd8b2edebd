import { requestLifeMs } from '../../config/request-life.js'
import { idempotencyKey, workLimiterKeys } from '../../core/context/names.js'
import type { LockContext } from '../../core/context/object-context.js'
import { demandStillWanted } from '../../core/context/still-wanted.js'
import { countAttempt } from '../../core/holds/traced-acquisition.js'
import { mayHaveTakenEffect } from '../../errors/after-effect.js'
import { safeUntil } from '../../renewal/lease.js'
import { Deadline } from '../../util/time/deadline.js'
import { warnOnce } from '../../util/warn-once.js'
import type { Compensations } from '../../waiting/compensations.js'
import { AHEAD_MS, type Settings, type WorkRequest } from './settings.js'
import type { Granted } from './waiting-work.js'
import * as scripts from './work-limiter.scripts.js'

/** The result of a request. */
export interface Served {
  /** The places of the first functions, in their order. */
  readonly granted: readonly Granted[]
  /** Another request is useless for this number of milliseconds, unless a message comes. */
  readonly retryInMs: number
  /** Whether it is, even if places become free. */
  readonly byRate: boolean
}

/** How Redis is asked. */
interface Asking {
  /** Whether those who get nothing wait on (1). */
  readonly enters: 0 | 1
  readonly signal?: AbortSignal | undefined
  readonly replyBy?: Deadline
}

/** Asks Redis about one limiter. */
export class WorkRequests {
  readonly key: string
  readonly #context: LockContext
  readonly #compensations: Compensations
  /** What is to be given back at the end of this turn of the event loop. */
  readonly #unused: { readonly granted: Granted; readonly settings: Settings }[] = []

  constructor(context: LockContext, key: string, compensations: Compensations) {
    this.#context = context
    this.key = key
    this.#compensations = compensations
  }

  /** At which queues are called. */
  get channel(): string {
    return workLimiterKeys(this.key).channel
  }

  /** An id that no other queue has. */
  newWaiter(): string {
    return this.#context.requestIds.next()
  }

  /** Asks for one function, which does not wait. */
  askOnce(work: WorkRequest): Promise<Served> {
    return this.ask([work], this.newWaiter(), { enters: 0, signal: work.signal })
  }

  /** Asks once for all of these, which have one priority and the same settings. */
  async ask(
    works: readonly [WorkRequest, ...WorkRequest[]],
    waiter: string,
    { enters, signal, replyBy }: Asking,
  ): Promise<Served> {
    const [{ settings, priority }] = works
    const { ahead, config, closing, requestIds } = this.#context
    demandStillWanted(this.#context, signal)
    countAttempt(works)
    const id = requestIds.next()
    const leaseMs = config.lockWatchdogTimeoutMs
    const weights = works.map(({ weight }) => weight)
    const { concurrency, limits } = settings
    const args = {
      id,
      waiter,
      weights: weights.join(' '),
      priority,
      enters,
      leaseMs,
      aheadMs: enters === 1 ? aheadOf(works[0], leaseMs) : 0,
      concurrency,
      limits,
    }
    const { result, sentAt } = await this.#compensations.acquireOrCompensate({
      answer: ahead.runTimed(
        scripts.ask,
        { keys: this.#keysOf(id), args },
        { endOfWaiting: closing, replyBy },
      ),
      signal,
      giveBack: ({ result: [, , ...late] }) =>
        this.#returnUnused(placesOf({ id, weights, sentAt: 0 }, late), settings),
      undo: () => this.#undo(id, weights, { settings, waiter: enters === 1 ? waiter : undefined }),
      isOpen: mayHaveTakenEffect,
    })
    const [retryInMs = 0, byRate, ...begins] = result
    const granted = placesOf({ id, weights, sentAt }, begins)
    if (granted.length === 0 || performance.now() < safeUntil(sentAt, leaseMs))
      return { granted, retryInMs, byRate: byRate === 1 }
    warnOfLateReplies(this.key, leaseMs)
    this.giveBackUnused(granted, settings) // others may have them by now
    return { granted: [], retryInMs: 0, byRate: false }
  }

  /** Gives back, in the background, what no function begins with. What is given back in one turn of the event loop is given back together. */
  giveBackUnused(granted: readonly Granted[], settings: Settings): void {
    const isFirst = this.#unused.length === 0
    this.#unused.push(...granted.map((each) => ({ granted: each, settings })))
    if (isFirst && granted.length > 0) this.#compensations.compensate(() => this.#returnAllUnused())
  }

  /**
   * Gives back the places of a function that has come to its end. If Redis cannot be reached, this rejects, and goes on trying.
   *
   * @param waiter - the queue of this process
   * @returns whether that may ask now
   */
  async giveBack(granted: Granted, waiter: string, settings: Settings): Promise<boolean> {
    const { lockWatchdogTimeoutMs: insistMs } = this.#context.config
    const call = this.#givingBack(granted, settings, { waiter, refund: 0, undoneMs: 0 })
    try {
      const [, isNext] = await this.#context.ahead.run(scripts.giveBack, call)
      return isNext === 1
    } catch (error) {
      this.#compensations.compensate(() => this.#context.ahead.run(scripts.giveBack, call, { insistMs }))
      throw error
    }
  }

  /** Ends the waiting of a queue, in the background. */
  leave(waiter: string): void {
    this.#compensations.compensate(() => this.#leave(waiter))
  }

  async counts(): Promise<readonly [running: number, waitingProcesses: number]> {
    const { places, ends } = workLimiterKeys(this.key)
    return await this.#context.executor.run(scripts.counts, { keys: { places, ends }, args: {} })
  }

  async reset(): Promise<boolean> {
    return await this.#context.executor.run(scripts.reset, {
      keys: workLimiterKeys(this.key),
      args: { aheadMs: AHEAD_MS },
    })
  }

  async #returnAllUnused(): Promise<void> {
    await new Promise<void>((resolve) => {
      process.nextTick(resolve)
    })
    const all = Map.groupBy(this.#unused.splice(0), ({ settings }) => settings)
    const returned = [...all].map(([settings, unused]) =>
      this.#returnUnused(
        unused.map(({ granted }) => granted),
        settings,
      ),
    )
    await Promise.all(returned)
  }

  /** Gives back the last first: the cells of one come back only if no later ones are reserved. */
  async #returnUnused(granted: readonly Granted[], settings: Settings): Promise<void> {
    const { lockWatchdogTimeoutMs: insistMs } = this.#context.config
    const lastFirst = granted.toSorted(
      (one, other) => other.leaseFrom - one.leaseFrom || other.first - one.first,
    )
    await Promise.allSettled(
      lastFirst.map((each) => {
        const call = this.#givingBack(each, settings, { waiter: '', refund: 1, undoneMs: 0 })
        return this.#context.ahead.run(scripts.giveBack, call, { insistMs })
      }),
    )
  }

  /**
   * Gives back what a request has taken, if it has, and lets no copy of it take anything from now on. Then its queue waits no more: a copy that
   * Redis was late to run may have had it wait.
   */
  async #undo(
    id: string,
    weights: readonly number[],
    { settings, waiter }: { readonly settings: Settings; readonly waiter: string | undefined },
  ): Promise<void> {
    const places = { id, first: 1, count: weights.reduce((sum, weight) => sum + weight, 0) }
    const undoneMs = requestLifeMs(this.#context.config)
    const call = this.#givingBack(places, settings, { waiter: '', refund: 1, undoneMs })
    await this.#context.ahead.run(scripts.giveBack, call)
    if (waiter !== undefined) await this.#leave(waiter)
  }

  async #leave(waiter: string): Promise<void> {
    const { waiting, ends, channel } = workLimiterKeys(this.key)
    await this.#context.ahead.run(scripts.leave, { keys: { waiting, ends, channel }, args: { waiter } })
  }

  #givingBack(
    { id, first, count }: Pick<Granted, 'id' | 'first' | 'count'>,
    { limits }: Settings,
    how: { readonly waiter: string; readonly refund: 0 | 1; readonly undoneMs: number },
  ) {
    const { lockWatchdogTimeoutMs: leaseMs } = this.#context.config
    return { keys: this.#keysOf(id), args: { id, first, count, leaseMs, limits, ...how } }
  }

  #keysOf(id: string) {
    return { ...workLimiterKeys(this.key), request: idempotencyKey(this.key, id) }
  }
}

/** For how long ahead cells are reserved: no longer than the first function waits. Others that wait for less time are not asked for together with it. */
function aheadOf({ deadline }: WorkRequest, leaseMs: number): number {
  return Math.floor(deadline.within(Math.min(AHEAD_MS, leaseMs / 4)))
}

function warnOfLateReplies(limiter: string, leaseMs: number): void {
  warnOnce(
    'REDISSON_SHORT_LEASE',
    `work ${limiter}`,
    `Work limiter ${limiter} began nothing by a reply that took longer than a lease: lockWatchdogTimeout is ${leaseMs} ms.`,
  )
}

/**
 * The places that a request has taken for the first of its functions.
 *
 * @param begins - in how many milliseconds each of them may begin
 */
function placesOf(
  {
    id,
    weights,
    sentAt,
  }: { readonly id: string; readonly weights: readonly number[]; readonly sentAt: number },
  begins: readonly number[],
): readonly Granted[] {
  let next = 1
  return begins.map((inMs, index) => {
    const first = next
    const count = weights[index] ?? 0
    next += count
    return { id, first, count, leaseFrom: sentAt + inMs, due: Deadline.after(inMs) }
  })
}
