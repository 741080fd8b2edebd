import type { Patience } from '../core/arguments/arguments.js'
import type { ObjectContext } from '../core/context/object-context.js'
import { demandReachable } from '../core/context/still-wanted.js'
import { RECHECK_MS } from './recheck.js'
import { QueuedWaiter, WaitQueue } from './wait-queue.js'
import { WaitQueues } from './wait-queues.js'
import type { Attempt, Occasion } from './wait-until.js'

/** A change of a key does not say what has changed. Only the first of each queue listens. */
const wakeAll = (): number => Infinity

/** There may be more than what one waiter has found. */
const atOnce = (): undefined => undefined

/**
 * The waiters of this process for what others add at keys, in one queue for each list of keys, first come, first served.
 *
 * Only the first of a queue listens and sends requests, so that a thousand waiters are one to the server.
 */
export class KeyWaiters {
  readonly #context: Pick<ObjectContext, 'keyWakeUps' | 'config' | 'topology'>
  readonly #recheckMs: number
  readonly #queues = new WaitQueues<WaitQueue>()

  /** @param recheckMs - after this number of milliseconds, the first of a queue tries again without a change */
  constructor(
    context: Pick<ObjectContext, 'keyWakeUps' | 'config' | 'topology'>,
    recheckMs: number = RECHECK_MS,
  ) {
    this.#context = context
    this.#recheckMs = recheckMs
  }

  /** Whether callers of this process wait in a queue that has this name. */
  isWaitedFor(queue: string): boolean {
    return this.#queues.of(queue) !== undefined
  }

  /**
   * Tries, and again after each change of one of the keys, until there is something; returns undefined when the time is over.
   *
   * @param find - what is tried, given why
   * @param name - who wait in one queue; those who wait for the same keys, where not said. What one of them does not find, those behind it would not
   * find either
   */
  async wait<T>(
    keys: readonly string[],
    find: (occasion: Occasion) => Promise<T | undefined>,
    { deadline, signal }: Patience,
    name = JSON.stringify(keys),
  ): Promise<T | undefined> {
    const attempt = async (occasion: Occasion): Promise<Attempt<T>> => {
      const value = await find(occasion)
      return value === undefined ? { done: false, retryInMs: this.#recheckMs } : { done: true, value }
    }
    const different = [...new Set(keys)]
    const open = () =>
      new WaitQueue(this.#context.config, () => this.#context.keyWakeUps.joinAll(different, wakeAll))
    const waiting = { deadline, signal, attempt, retryNextInMs: atOnce }
    const found = await this.#queues.join(name, open, (queue) => queue.wait(new QueuedWaiter(), waiting))
    if (found === undefined) demandReachable(this.#context)
    return found
  }
}
