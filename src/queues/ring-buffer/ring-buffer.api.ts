import type { RDumpable } from '../../api/object.js'
import type { QueueMoveOptions, RQueue } from '../queue/queue.api.js'

/**
 * A queue that keeps the newest elements: what is added to a full one removes the oldest. All clients of the same servers share it, in Node and in Java.
 *
 * The elements are a list of Redis, which other queues of that name see too. How many they may be, the capacity, is under another key.
 * {@link RRingBuffer.trySetCapacity} has to come first: `add`, `addAll` and `offer` reject with a {@link CapacityNotSetError} without it. Each of their
 * requests reads the capacity, adds the values and removes the oldest ones in one step. So there are never more elements than that, whichever clients add.
 *
 * What adds by another way does not know the capacity, as in Java: {@link RQueue.pollLastAndOfferFirstTo} and `move` onto this buffer, a queue or a
 * list of the same name. Then the next value that is added here removes all that are too many.
 *
 * A buffer without elements does not exist, as any queue: it cannot be renamed, copied, moved to another database or made to expire. Its capacity stays
 * until {@link RObject.delete}, also where that returns false. With elements, all of these are about both keys. A buffer that expires does so with its
 * capacity, even if it was empty meanwhile.
 *
 * What is said of {@link RQueue} holds here too: which calls are sent again, and how they reject.
 *
 * @example
 * ```ts
 * const failures = client.getRingBuffer<string>('failures')
 * await failures.trySetCapacity(3)
 * await failures.addAll(['a', 'b', 'c', 'd'])
 * console.log(await failures.readAll(), await failures.peekLast()) // [ 'b', 'c', 'd' ] d
 * ```
 */
export interface RRingBuffer<V> extends Omit<RQueue<V>, keyof RDumpable> {
  /**
   * Sets the capacity, unless there is one. Returns whether it did. No element is removed before the next one is added.
   *
   * It is sent again if its reply is lost, and then rejects with `mayHaveRun` if it finds a capacity, unless the buffer was made with `exactlyOnce`.
   *
   * @param capacity - from 1 to 2 147 483 647, the largest integer of Java
   * @throws RangeError for any other number
   */
  trySetCapacity(capacity: number): Promise<boolean>

  /**
   * Sets the capacity, and removes the oldest elements that are too many. O(n) for n of these. It is sent again if its reply is lost.
   *
   * @param capacity - from 1 to 2 147 483 647, the largest integer of Java
   * @throws RangeError for any other number
   */
  setCapacity(capacity: number): Promise<void>

  /** Returns how many elements there may be; 0 if no capacity was set. */
  capacity(): Promise<number>

  /**
   * Returns how many elements can be added before the oldest is removed.
   *
   * @throws {@link CapacityNotSetError} if no capacity was set
   */
  remainingCapacity(): Promise<number>

  /**
   * Adds a value as the newest. If the buffer is full, the oldest is removed. Returns true.
   *
   * @throws TypeError for `undefined`
   * @throws {@link CapacityNotSetError} if no capacity was set
   */
  add(value: V): Promise<boolean>

  /**
   * Adds values as the newest, in their order, and removes the oldest that are too many. Returns whether there were any. Each request takes
   * 5 000 of them, one after the other. Of more values than the capacity, the last ones stay.
   *
   * @throws {@link CapacityNotSetError} if no capacity was set
   */
  addAll(values: Iterable<V>): Promise<boolean>

  /** The same as {@link RRingBuffer.add}: a full buffer takes a value too. */
  offer(value: V): Promise<boolean>

  /**
   * Returns the newest elements, which stay, the oldest of them first. O(n) for n elements.
   *
   * @param count - how many at most; 0 for none
   * @throws RangeError for a number below 0, and for one that is not whole
   */
  readNewest(count: number): Promise<V[]>

  /**
   * Returns the oldest elements, which stay, in their order. O(n) for n elements.
   *
   * @param count - how many at most; 0 for none
   * @throws RangeError for a number below 0, and for one that is not whole
   */
  readOldest(count: number): Promise<V[]>

  /** Returns the newest element, which stays; undefined if there is none. */
  peekLast(): Promise<V | undefined>

  /** Removes all elements. The capacity stays. O(n). */
  clear(): Promise<void>

  /**
   * Removes the newest element, and adds it at the head of another queue, as {@link RQueue.pollLastAndOfferFirstTo} does. The capacity of another ring
   * buffer is not considered, as in Java: it may have more elements then, until the next value is added to it.
   *
   * @param name - of the other queue
   * @throws {@link CrossSlotError} for a queue in another slot of the cluster
   */
  pollLastAndOfferFirstTo(name: string): Promise<V | undefined>

  /** Moves the buffer to another database, with its capacity. See {@link RObject.move}. */
  move(database: number): Promise<boolean>
  /**
   * Moves the oldest elements to the tail of another queue, as a queue does. The capacity of another ring buffer is not considered.
   *
   * @throws {@link CrossSlotError} for a queue in another slot of the cluster
   */
  move(options: QueueMoveOptions): Promise<V[]>
}
