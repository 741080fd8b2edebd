import type { PollOptions, TakeOptions } from '../../collections/shared/polling.api.js'
import type { SortedValue } from '../../collections/sorted-set/sorted-set.api.js'
import type { ListenOptions } from '../../topics/shared/subscription.api.js'
import type { ElementSubscription } from '../blocking-queue/blocking-queue.api.js'
import type { RPriorityBlockingQueue } from '../priority-blocking-queue/priority-blocking-queue.api.js'
import type { RPriorityDeque } from '../priority-deque/priority-deque.api.js'

/**
 * A priority queue of which both ends are used, and whose callers wait for elements. It is the same data as the {@link RPriorityQueue} of its name. It
 * waits as an {@link RPriorityBlockingQueue} does.
 *
 * @example
 * ```ts
 * const offers = client.getPriorityBlockingDeque<number>('offers')
 * const highest = offers.takeLast({ signal: AbortSignal.timeout(5_000) })
 * await offers.put(7)
 * console.log(await highest) // 7
 * ```
 */
export interface RPriorityBlockingDeque<V extends SortedValue>
  extends RPriorityBlockingQueue<V>, RPriorityDeque<V> {
  /** Removes the first element, and returns it, as soon as there is one. */
  takeFirst(options?: TakeOptions): Promise<V>

  /** Removes the last element, and returns it, as soon as there is one. */
  takeLast(options?: TakeOptions): Promise<V>

  /** Removes the lowest element, and returns it; undefined if there is none. See `RPriorityBlockingQueue.poll`. */
  poll(options?: PollOptions): Promise<V | undefined>
  /** Removes the lowest elements. See `RPriorityBlockingQueue.poll`. */
  poll(count: number, options?: PollOptions): Promise<V[]>

  /** Removes the first element, and returns it; undefined if there is none. With `waitMs` it waits for one. */
  pollFirst(options?: PollOptions): Promise<V | undefined>
  /**
   * Removes the first elements, and returns them in their order. With `waitMs` it waits for the first one, and not for more.
   *
   * @param count - from 0 to 5 000
   */
  pollFirst(count: number, options?: PollOptions): Promise<V[]>

  /** Removes the last element, and returns it; undefined if there is none. With `waitMs` it waits for one. */
  pollLast(options?: PollOptions): Promise<V | undefined>
  /**
   * Removes the last elements, and returns them, the last one first. With `waitMs` it waits for the first one, and not for more.
   *
   * @param count - from 0 to 5 000
   */
  pollLast(count: number, options?: PollOptions): Promise<V[]>

  pollLastAndOfferFirstTo(name: string, options?: PollOptions): Promise<V | undefined>

  /** Takes the first element again and again for a function. See {@link RBlockingQueue.subscribeOnElements}. */
  subscribeOnFirstElements(listener: (value: V) => unknown, options?: ListenOptions): ElementSubscription

  /** Takes the last element again and again for a function. See {@link RBlockingQueue.subscribeOnElements}. */
  subscribeOnLastElements(listener: (value: V) => unknown, options?: ListenOptions): ElementSubscription
}
