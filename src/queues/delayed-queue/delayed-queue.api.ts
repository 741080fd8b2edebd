import type { RExpirable } from '../../api/object.js'
import type { ListWalkOptions } from '../../collections/list/list.api.js'
import type { RQueue } from '../queue/queue.api.js'

/** What a delayed queue needs of the queue that gets its elements: any queue or deque of this library. */
export type DelayDestination<V> = Pick<RQueue<V>, 'name' | 'codec' | 'element'>

/**
 * Elements that a queue gets later: each one waits for its delay, and is then added at the tail of the queue, the destination. All clients of the same
 * servers share it, in Node and in Java.
 *
 * **Who moves the elements.** Redis does not: clients do. Each client that has made this object moves what is due, until the client closes, or all its
 * objects of this destination are destroyed. So does a client whose calls wait for elements of the destination by an {@link RBlockingQueue}, even if it
 * has made none: it looks for delayed elements when its waiting begins, and every five seconds. A client that only polls without waiting has to make one.
 * When the program does not refer to the object any more, the client goes on until nothing waits.
 *
 * **When.** The time is that of the server, for all elements that this library offers. Clients of Java offer and move by their own clock. An element gets
 * to the destination when its delay is over, a round trip later. Where messages are lost, that is within five seconds. The same
 * holds if the client that has offered it is gone. What is due at the same time keeps no order.
 *
 * All methods but `offer` are about elements that still wait, in the order in which they were offered. They are compared by their encoded bytes,
 * and have the codec of the destination. `undefined` is no element.
 *
 * `offer` takes effect once, and is sent again if its reply is lost. What is said of {@link RQueue} holds for all other methods. A delayed queue
 * without elements does not exist.
 *
 * @example
 * ```ts
 * const orders = client.getBlockingQueue<string>('orders')
 * const later = client.getDelayedQueue(orders)
 * await later.offer('remind Ada', 50)
 * console.log(await later.size(), await orders.take()) // 1 remind Ada
 * ```
 */
export interface RDelayedQueue<V> extends RExpirable, AsyncIterable<V>, AsyncDisposable {
  /**
   * Adds a value, which gets to the destination after a delay. O(log n) for n elements.
   *
   * It is sent again if its reply is lost, and takes effect once. Each call writes one key more for that, as with `exactlyOnce`.
   *
   * @param delayMs - from 0 to 7 · 10¹⁵; a part of a millisecond counts as a whole one
   * @throws TypeError for `undefined` as the value
   * @throws RangeError for any other delay
   */
  offer(value: V, delayMs: number): Promise<void>

  /** Removes the element that was offered first, and returns it; undefined if none waits. It does not get to the destination. */
  poll(): Promise<V | undefined>
  /**
   * Removes the elements that were offered first, and returns them in their order; none if none wait. O(n log m) for n of m elements.
   *
   * @param count - from 0 to 5 000: what is removed has to come back by one reply
   */
  poll(count: number): Promise<V[]>

  /** Returns the element that was offered first, which stays; undefined if none waits. */
  peek(): Promise<V | undefined>

  /**
   * Returns the element that was offered first, which stays.
   *
   * @throws {@link NoSuchElementError} if none waits
   */
  element(): Promise<V>

  /**
   * Removes the element that was offered first, and returns it.
   *
   * @throws {@link NoSuchElementError} if none waits
   */
  remove(): Promise<V>
  /**
   * Removes the first element that is equal to a value. Returns whether there was one. O(n).
   *
   * @throws TypeError for `undefined`: without an argument, it removes the one that was offered first
   */
  remove(value: V): Promise<boolean>

  /** Removes all elements that are equal to one of these values. Returns whether there were any. O(n + m) for n elements and m values. */
  removeAll(values: Iterable<V>): Promise<boolean>

  /**
   * Removes all elements that are equal to none of these values. Returns whether there were any. O(n + m). With more than 5 000 values, the elements
   * are read first, and an element that is offered meanwhile may stay.
   */
  retainAll(values: Iterable<V>): Promise<boolean>

  /**
   * Removes the element that was offered last, and adds it at the head of another queue at once. Returns it; undefined if none waits.
   *
   * @param name - of the other queue
   * @throws {@link CrossSlotError} for a queue in another slot of the cluster
   */
  pollLastAndOfferFirstTo(name: string): Promise<V | undefined>

  /** Returns whether an element waits that is equal to a value. O(n). */
  contains(value: V): Promise<boolean>

  /** Returns whether an element waits for each of these values; for none, it is true. O(n + m) for n elements and m values. */
  containsAll(values: Iterable<V>): Promise<boolean>

  /** Returns how many elements wait. */
  size(): Promise<number>

  /** Returns whether no element waits. */
  isEmpty(): Promise<boolean>

  /** Removes all elements. What is in the destination stays there. O(n). */
  clear(): Promise<void>

  /** Returns all elements that wait, which stay, by one request and as of one moment. O(n). */
  readAll(): Promise<V[]>

  /**
   * Walks through the elements that wait, and removes none; `for await (const element of delayed)` does the same. See {@link RList.values}.
   *
   * @throws RangeError for a `count` outside of 1 to 5 000
   */
  values(options?: ListWalkOptions): AsyncIterable<V>

  /**
   * Ends the use of this object. With the last one of a destination, its client does not move elements to it any more; other clients do.
   * Elements that wait stay. `await using` calls it at the end of its block. A second call has no effect. Never rejects.
   */
  destroy(): Promise<void>
}
