import type { Patience } from '../../core/arguments/arguments.js'
import type { LockContext } from '../../core/context/object-context.js'
import { countAttempt, type TracedAcquisition } from '../../core/holds/traced-acquisition.js'
import { SubscriptionTimeoutError } from '../../errors/connection-errors.js'
import { waitUntil, type Attempt } from '../../waiting/wait-until.js'
import { Waiter, Waiters } from '../../waiting/waiters.js'
import { Deadline } from '../../util/time/deadline.js'
import { withoutAsyncContext } from '../../util/time/without-async-context.js'
import { RECHECK_MS } from '../../waiting/recheck.js'

/** Messages say what has changed, but not for which waiter; after any message, the count is read anew. */
const wakeOne = (): number => 1

/** The latch that is watched. */
export interface WatchTarget {
  readonly key: string
  readonly channel: string
  /** Whether the latch is at zero now. */
  readonly isOpen: () => Promise<boolean>
}

/** One that waits for a latch. */
class LatchWaiter extends Waiter {
  readonly trace: TracedAcquisition | undefined

  constructor(trace: TracedAcquisition | undefined) {
    super()
    this.trace = trace
  }
}

/** The waiters of this process for one latch, in the order in which they came. */
interface Watch {
  readonly waiting: Waiters<LatchWaiter>
  /** Aborts when no one waits any more. */
  readonly idle: AbortController
}

/**
 * Releases the waiters of this process for one latch together. Only one watch for each latch listens and asks Redis. If a request fails,
 * all know who waited when it was sent. For the confirmation of the channel each has its own time.
 */
export class LatchWatchers {
  readonly #context: LockContext
  readonly #watchers = new Map<string, Watch>()

  constructor(context: LockContext) {
    this.#context = context
  }

  /** Waits until the latch is at zero; returns false when the time is over. */
  async wait(target: WatchTarget, { deadline, signal, trace }: Patience): Promise<boolean> {
    const watch = this.#watchers.get(target.key) ?? this.#open(target)
    const waiter = watch.waiting.add(new LatchWaiter(trace))
    try {
      return await waiter.turn.wait(deadline.within(Infinity), signal)
    } finally {
      watch.waiting.delete(waiter)
      if (watch.waiting.isEmpty) this.#remove(target.key, watch)
    }
  }

  #open(target: WatchTarget): Watch {
    const watch = { waiting: new Waiters<LatchWaiter>(), idle: new AbortController() }
    this.#watchers.set(target.key, watch)
    void withoutAsyncContext(() => this.#run(watch, target)) // it settles all waiters, and may outlast the first of them
    return watch
  }

  /** Watches until no one waits any more. Never rejects. */
  async #run(watch: Watch, target: WatchTarget): Promise<void> {
    await Promise.resolve() // the caller that opened the watch is to wait before it begins
    while (!watch.waiting.isEmpty)
      try {
        await this.#watch(watch, target)
      } catch (error) {
        this.#dismiss(watch, error as Error)
      }
    this.#remove(target.key, watch)
  }

  async #watch(watch: Watch, target: WatchTarget): Promise<void> {
    const { subscriptionTimeoutMs } = this.#context.config
    const { waiting, idle } = watch
    const { signal } = idle
    const channelWaiter = this.#context.wakeUps.join(target.channel, wakeOne)
    const attempt = () => this.#release(watch, target)
    try {
      await waiting.confirmed(channelWaiter, subscriptionTimeoutMs, signal)
      if (waiting.isEmpty) return
      await waitUntil(channelWaiter, { attempt, deadline: Deadline.never, signal, subscriptionTimeoutMs })
    } finally {
      channelWaiter.leave()
    }
  }

  /** Ends the waiting where the channel of the latch has failed; where it was not confirmed, only of those who have waited for that too long. */
  #dismiss({ waiting }: Watch, error: Error): void {
    if (error instanceof SubscriptionTimeoutError)
      waiting.rejectOverdue(error, this.#context.config.subscriptionTimeoutMs)
    else waiting.reject([...waiting], error)
  }

  /**
   * Releases the waiters, if the latch is at zero, and ends the watch with the last of them.
   *
   * A reply counts only for those that waited when its request was sent. The latch may have been set anew since, and a waiter
   * that came after that waits for the next zero. So does an error.
   */
  async #release({ waiting }: Watch, { isOpen }: WatchTarget): Promise<Attempt<true>> {
    while (!waiting.isEmpty) {
      const asking = [...waiting]
      countAttempt(asking)
      try {
        if (!(await isOpen())) return { done: false, retryInMs: RECHECK_MS }
        for (const waiter of asking) {
          waiting.delete(waiter)
          waiter.turn.set()
        }
      } catch (error) {
        waiting.reject(asking, error as Error)
      }
    }
    return { done: true, value: true }
  }

  /** Waiters that come from now on get a watch of their own. */
  #remove(key: string, watch: Watch): void {
    if (this.#watchers.get(key) === watch) this.#watchers.delete(key)
    watch.idle.abort()
  }
}
