import type { PollOptions, TakeOptions } from '../../collections/shared/polling.api.js'
import type { SortedValue } from '../../collections/sorted-set/sorted-set.api.js'
import type { ListenOptions } from '../../topics/shared/subscription.api.js'
import type { ElementSubscription } from '../blocking-queue/blocking-queue.api.js'
import type { RPriorityQueue } from '../priority-queue/priority-queue.api.js'

/**
 * A priority queue whose callers wait for elements. It is the same data as the {@link RPriorityQueue} of its name.
 *
 * It waits as an {@link RBlockingQueue} does: no command of Redis blocks, and the waiting survives an outage. What removes an element takes effect once,
 * and is sent again if its reply is lost. A change of the key wakes a waiting call at once, whether a client in Node or in Java has added the
 * element. In Java a waiting call looks every 0 to 2 seconds. If no change can be heard of, a waiting call looks every 5 s.
 *
 * A waiting call also waits while a client in Java has the lock of the queue. A call that ends by its signal or its time removes nothing after that. If it
 * has removed an element at that moment, it returns the element. If Redis does not reply within half a second, the call ends, and what it removes
 * is put back in its place.
 *
 * Calls that wait are not for batches: they reject with a {@link NotInBatchError}.
 *
 * @example
 * ```ts
 * const jobs = client.getPriorityBlockingQueue<string>('jobs')
 * const next = jobs.take({ signal: AbortSignal.timeout(5_000) })
 * await jobs.put('2 mail')
 * console.log(await next) // 2 mail
 * ```
 */
export interface RPriorityBlockingQueue<V extends SortedValue> extends RPriorityQueue<V> {
  /** Adds a value behind its equals. It does not wait: a priority queue is never full. See `add`. */
  put(value: V): Promise<void>

  /** Removes the lowest element, and returns it, as soon as there is one. */
  take(options?: TakeOptions): Promise<V>

  /** Removes the lowest element, and returns it; undefined if there is none. With `waitMs` it waits for one. */
  poll(options?: PollOptions): Promise<V | undefined>
  /**
   * Removes the lowest elements, and returns them in their order; none if there are none. With `waitMs` it waits for the first one, and not for more.
   *
   * @param count - from 0 to 5 000: what is removed has to come back by one reply
   */
  poll(count: number, options?: PollOptions): Promise<V[]>

  /**
   * Removes the highest element, and adds it at the head of another queue, which is an {@link RQueue}. Returns it; undefined if there is none. With
   * `waitMs` it waits for one.
   *
   * @param name - of the other queue
   * @throws TypeError for the name of this queue
   * @throws {@link CrossSlotError} for a queue in another slot of the cluster
   */
  pollLastAndOfferFirstTo(name: string, options?: PollOptions): Promise<V | undefined>

  /** The same as soon as there is an element. */
  takeLastAndOfferFirstTo(name: string, options?: TakeOptions): Promise<V>

  /**
   * Removes the lowest elements, and returns them in their order; none if there are none. It does not wait. See {@link RBlockingQueue.drainTo}.
   *
   * @param max - from 0 to 5 000, which is the default
   */
  drainTo(max?: number): Promise<V[]>

  /** Takes the lowest element again and again for a function. See {@link RBlockingQueue.subscribeOnElements}. */
  subscribeOnElements(listener: (value: V) => unknown, options?: ListenOptions): ElementSubscription

  /** Takes the lowest element whenever the iteration asks for one. See {@link RBlockingQueue.consume}. */
  consume(options?: TakeOptions): AsyncIterable<V>
}
