import type { RDumpable } from '../../api/object.js'
import type { BlockingQueueMoveOptions, RBlockingQueue } from '../blocking-queue/blocking-queue.api.js'

/** How long a call waits for room. */
export interface RoomOptions {
  /**
   * Milliseconds to wait for room; `Infinity` for as long as it takes.
   * It also bounds the time to reach Redis: without a reply in that time the call rejects.
   *
   * @defaultValue 0
   */
  readonly waitMs?: number | undefined
  /** Ends the waiting: see {@link PutOptions.signal}. */
  readonly signal?: AbortSignal | undefined
}

/** How a call waits for room that has no end of its own. */
export interface PutOptions {
  /**
   * Ends the waiting, which rejects with the reason of the signal. Nothing is sent after that. A request that is under way has half a second for its reply.
   * Without one, the call rejects with an {@link AbortError} that has `mayHaveRun`: the value may be in the queue.
   */
  readonly signal?: AbortSignal | undefined
}

/**
 * A blocking queue with a capacity: callers wait for elements, and callers wait for room. All clients of the same servers share it, in Node and in Java.
 *
 * Redisson deprecates it. An {@link RReliableQueue} with a `capacity` does more: a message is not lost if the program ends before its work is done.
 *
 * The elements are a list of Redis, which other queues of that name see too. How many more there is room for is under another key.
 * {@link RBoundedBlockingQueue.trySetCapacity} has to come first: what adds elements rejects with a {@link CapacityNotSetError} without it. A request
 * adds elements and takes their places in one step, or removes elements and gives their places back in one step. So there are never more elements than
 * the capacity, whichever clients add, and a crash leaks no place.
 *
 * Three things may make a queue have more elements than its capacity, and then as many have to be removed before one can be added. A capacity may be set
 * for a longer queue. An element may be put back that reached no caller, although its place was taken meanwhile. Another bounded queue may move
 * elements here, which does not wait for room.
 *
 * What adds or removes by another way does not know of places, as in Java: a queue or a list of the same name, and moves of other kinds of queues. A
 * {@link RDelayedQueue} does not take it as its destination.
 *
 * A queue without elements does not exist, as any queue: it cannot be renamed, copied, moved to another database or made to expire. Its capacity
 * stays until {@link RObject.delete}, also where that returns false. With elements, all of these are about both keys. A queue that expires does so with
 * its capacity, even if it was empty meanwhile.
 *
 * What is said of {@link RBlockingQueue} holds here too: who is served first, which calls are sent again, and how they end.
 *
 * @example
 * ```ts
 * const orders = client.getBoundedBlockingQueue<string>('bounded-orders')
 * await orders.trySetCapacity(2)
 * await orders.addAll(['tea', 'coffee'])
 * const waiting = orders.put('juice')
 * console.log(await orders.take()) // tea
 * await waiting
 * ```
 */
export interface RBoundedBlockingQueue<V> extends Omit<RBlockingQueue<V>, keyof RDumpable> {
  /**
   * Sets the capacity, unless there is one. Returns whether it did. Elements that are there count.
   *
   * It is sent again if its reply is lost, and then rejects with `mayHaveRun` if it finds a capacity, unless the queue was made with `exactlyOnce`.
   *
   * @param capacity - from 1 to 2 147 483 647, the largest integer of Java
   * @throws RangeError for any other number
   */
  trySetCapacity(capacity: number): Promise<boolean>

  /**
   * Returns how many elements can be added now; 0 if there are too many.
   *
   * @throws {@link CapacityNotSetError} if no capacity was set
   */
  remainingCapacity(): Promise<number>

  /**
   * Adds a value at the tail. Returns true. It does not wait.
   *
   * @throws TypeError for `undefined`
   * @throws {@link QueueFullError} if there is no room
   * @throws {@link CapacityNotSetError} if no capacity was set
   */
  add(value: V): Promise<boolean>

  /**
   * Adds values at the tail, in their order: all of them, or none if there is no room for all. Returns whether it did; false for no values. It does not wait.
   *
   * @throws RangeError for more than 5 000 values, which one request cannot add
   * @throws {@link CapacityNotSetError} if no capacity was set
   */
  addAll(values: Iterable<V>): Promise<boolean>

  /**
   * Adds a value at the tail. Returns false if there is no room. With `waitMs` it waits for room.
   *
   * A call that finds others of its process waiting stands behind them. A call that waits takes effect once, and is sent again if its reply is lost.
   *
   * @throws TypeError for `undefined`
   * @throws {@link CapacityNotSetError} if no capacity was set, or it was deleted or has expired while the call waited
   * @example
   * ```ts
   * const jobs = client.getBoundedBlockingQueue<string>('bounded-jobs')
   * await jobs.trySetCapacity(1)
   * console.log(await jobs.offer('wash'), await jobs.offer('iron', { waitMs: 10 })) // true false
   * ```
   */
  offer(value: V, options?: RoomOptions): Promise<boolean>

  /**
   * Adds a value at the tail as soon as there is room. See {@link RBoundedBlockingQueue.offer}.
   *
   * @throws TypeError for `undefined`
   * @throws {@link CapacityNotSetError} if no capacity was set, or it was deleted or has expired while the call waited
   */
  put(value: V, options?: PutOptions): Promise<void>

  /**
   * Removes the element at the head, and returns it.
   *
   * @throws {@link NoSuchElementError} if there is none
   */
  remove(): Promise<V>
  /**
   * Removes the first element that is equal to a value. Returns whether there was one. O(n). In Java it removes all of them, and gives no place back for
   * several.
   *
   * @throws TypeError for `undefined`: without an argument, it removes the head
   */
  remove(value: V): Promise<boolean>

  /** Removes all elements. The capacity stays. O(n). */
  clear(): Promise<void>

  /** Moves the queue to another database, with its capacity. See {@link RObject.move}. */
  move(database: number): Promise<boolean>
  /**
   * Moves elements from the head to the tail of another queue, as a blocking queue does. They take their places in another bounded queue, even if it is
   * full: this does not wait for room there.
   *
   * @throws {@link CrossSlotError} for a queue in another slot of the cluster
   */
  move(options: BlockingQueueMoveOptions): Promise<V[]>
}
