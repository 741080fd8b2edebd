import type { SortedValue } from '../../collections/sorted-set/sorted-set.api.js'
import type { RPriorityQueue } from '../priority-queue/priority-queue.api.js'

/**
 * A priority queue of which both ends are used: the first element is the lowest, and the last one the highest. It is the same data as the
 * {@link RPriorityQueue} of its name. It has no methods that add at an end, as in Java, where they are not supported.
 *
 * @example
 * ```ts
 * const bids = client.getPriorityDeque<number>('bids')
 * await bids.addAll([20, 35, 5])
 * console.log(await bids.pollLast(), await bids.peekFirst()) // 35 5
 * ```
 */
export interface RPriorityDeque<V extends SortedValue> extends RPriorityQueue<V> {
  /** Removes the first element, and returns it; undefined if there is none. O(1). */
  pollFirst(): Promise<V | undefined>
  /**
   * Removes the first elements, and returns them in their order.
   *
   * @param count - from 0 to 5 000
   */
  pollFirst(count: number): Promise<V[]>

  /** Removes the last element, and returns it; undefined if there is none. O(1). */
  pollLast(): Promise<V | undefined>
  /**
   * Removes the last elements, and returns them, the last one first.
   *
   * @param count - from 0 to 5 000
   */
  pollLast(count: number): Promise<V[]>

  /** Returns the first element, which stays; undefined if there is none. O(1). */
  peekFirst(): Promise<V | undefined>

  /** Returns the last element, which stays; undefined if there is none. O(1). */
  peekLast(): Promise<V | undefined>

  /**
   * Returns the first element, which stays. O(1).
   *
   * @throws {@link NoSuchElementError} if there is none
   */
  getFirst(): Promise<V>

  /**
   * Returns the last element, which stays. O(1).
   *
   * @throws {@link NoSuchElementError} if there is none
   */
  getLast(): Promise<V>

  /**
   * Removes the first element, and returns it. O(1).
   *
   * @throws {@link NoSuchElementError} if there is none
   */
  removeFirst(): Promise<V>

  /**
   * Removes the last element, and returns it. O(1).
   *
   * @throws {@link NoSuchElementError} if there is none
   */
  removeLast(): Promise<V>

  /**
   * Removes the first element, as from a stack, and returns it. O(1).
   *
   * @throws {@link NoSuchElementError} if there is none
   */
  pop(): Promise<V>

  /** Removes the first of the elements that are equal to a value. Returns whether there was one. O(n). */
  removeFirstOccurrence(value: V): Promise<boolean>

  /** Removes the last of the elements that are equal to a value. Returns whether there was one. O(n). */
  removeLastOccurrence(value: V): Promise<boolean>

  /** Iterates over the elements from the last one to the first, and removes none. Pages are read by their indexes from the end. */
  descendingIterator(): AsyncIterable<V>
}
