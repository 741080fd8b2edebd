import type { ObjectEvent, ObjectListener, RDumpable, RExpirable } from '../../api/object.js'
import type { ListWalkOptions } from '../../collections/list/list.api.js'
import type { ListenOptions, Subscription } from '../../topics/shared/subscription.api.js'

/** How many elements are moved to another queue, and where. */
export interface QueueMoveOptions {
  /** The name of the other queue, which has to be in the same slot of a cluster. */
  readonly to: string
  /**
   * How many elements are moved at most, from 1 to 5 000.
   *
   * @defaultValue 1
   */
  readonly count?: number | undefined
  /**
   * Whether nothing is moved if there are fewer elements than `count`.
   *
   * @defaultValue false
   */
  readonly exactly?: boolean | undefined
}

/**
 * A queue that all clients of the same servers share, in Node and in Java: values are added at its end, its tail, and removed from its front, its head.
 *
 * A queue is a list of Redis. Queues, deques, blocking queues and lists of one name are the same data. An element is delivered once: it is
 * gone from Redis when it was polled, and lost if the program ends before its work is done.
 *
 * Elements are compared by their encoded bytes. `undefined` is no element: it means that there is none. A queue without elements does not exist.
 *
 * Each method takes one round trip. It takes O(1) unless it says otherwise.
 *
 * Methods that only read are sent again if their reply is lost. All others are not, because a copy would add an element twice, or remove another one:
 * the call rejects, and its error has `mayHaveRun`. With `exactlyOnce` all of them are sent again, and each takes effect once.
 *
 * All methods reject with a {@link WrongTypeError} if the name belongs to another kind of object. They reject with a {@link CodecError} if the codec
 * cannot write a value (then nothing was sent) or read one. {@link CodecError.taken} and {@link CodecError.unreadable} return what such a call has
 * removed.
 *
 * @example
 * ```ts
 * const orders = client.getQueue<string>('orders')
 * await orders.addAll(['tea', 'coffee'])
 * console.log(await orders.poll(), await orders.peek()) // tea coffee
 * ```
 */
export interface RQueue<V> extends RExpirable, RDumpable, AsyncIterable<V> {
  /**
   * Adds a value at the tail. Returns true, as in Java.
   *
   * @throws TypeError for `undefined`
   */
  add(value: V): Promise<boolean>

  /** Adds values at the tail, in their order. Returns whether there were any. Each request takes 5 000 of them, one after the other. */
  addAll(values: Iterable<V>): Promise<boolean>

  /** Adds a value at the tail. Returns true: only a queue with a capacity can be full. */
  offer(value: V): Promise<boolean>

  /** Removes the element at the head, and returns it; undefined if there is none. */
  poll(): Promise<V | undefined>
  /**
   * Removes elements from the head, and returns them in their order; none if there are none. O(n) for n elements.
   *
   * @param count - from 0 to 5 000: what is removed has to come back by one reply
   */
  poll(count: number): Promise<V[]>

  /** Returns the element at the head, which stays; undefined if there is none. */
  peek(): Promise<V | undefined>

  /**
   * Returns the element at the head, which stays.
   *
   * @throws {@link NoSuchElementError} if there is none
   */
  element(): Promise<V>

  /**
   * Removes the element at the head, and returns it.
   *
   * @throws {@link NoSuchElementError} if there is none
   */
  remove(): Promise<V>
  /**
   * Removes the first element that is equal to a value. Returns whether there was one. O(n).
   *
   * @throws TypeError for `undefined`: without an argument, it removes the head
   */
  remove(value: V): Promise<boolean>

  /** Removes all elements that are equal to one of these values. Returns whether there were any. O(n + m) for n elements and m values. */
  removeAll(values: Iterable<V>): Promise<boolean>

  /** Removes all elements that are equal to none of these values. Returns whether there were any. See {@link RList.retainAll}. */
  retainAll(values: Iterable<V>): Promise<boolean>

  /**
   * Removes the element at the tail, and adds it at the head of another queue. Returns it; undefined if there is none. With the name of this queue, it
   * goes around.
   *
   * @param name - of the other queue
   * @throws {@link CrossSlotError} for a queue in another slot of the cluster
   */
  pollLastAndOfferFirstTo(name: string): Promise<V | undefined>

  /** Moves the queue to another database. See {@link RObject.move}. */
  move(database: number): Promise<boolean>
  /**
   * Moves elements from the head to the tail of another queue, in their order, and returns them.
   *
   * It is one step: no other client sees a moved element in both queues, or in none. With the name of this queue, its first elements become its last.
   * O(n) for n elements. In Java it needs Redis 8.10; here, no particular version.
   *
   * @throws {@link CrossSlotError} for a queue in another slot of the cluster
   * @example
   * ```ts
   * const inbox = client.getQueue<string>('{mail}:inbox')
   * await inbox.addAll(['a', 'b', 'c'])
   * console.log(await inbox.move({ to: '{mail}:archive', count: 2 })) // [ 'a', 'b' ]
   * ```
   */
  move(options: QueueMoveOptions): Promise<V[]>

  /**
   * Returns whether there is an element that is equal to a value. O(n).
   *
   * @throws {@link UnsupportedCommandError} before Redis 6.0.6, as {@link RQueue.indexOf} does
   */
  contains(value: V): Promise<boolean>

  /** Returns whether there is an element for each of these values; for none, it is true. O(n + m) for n elements and m values. */
  containsAll(values: Iterable<V>): Promise<boolean>

  /**
   * Returns how many elements are before the first one that is equal to a value; -1 if there is none. O(n).
   *
   * @throws {@link UnsupportedCommandError} before Redis 6.0.6
   */
  indexOf(value: V): Promise<number>

  /** Returns how many elements there are. */
  size(): Promise<number>

  /** Returns whether there are no elements. */
  isEmpty(): Promise<boolean>

  /** Removes all elements. O(n). */
  clear(): Promise<void>

  /** Returns all elements, which stay, by one request and as of one moment. O(n). */
  readAll(): Promise<V[]>

  /**
   * Walks through the elements from the head, and removes none; `for await (const element of queue)` does the same. See {@link RList.values}.
   *
   * @throws RangeError for a `count` outside of 1 to 5 000
   */
  values(options?: ListWalkOptions): AsyncIterable<V>

  /**
   * Listens for the events of {@link RObject.addListener}, and for those of lists, which need `Kl` in `notify-keyspace-events`. They are `added`,
   * `inserted`, `set`, `removed` and `trimmed`: see {@link RList.addListener}.
   */
  addListener(
    event: ObjectEvent | 'added' | 'inserted' | 'set' | 'removed' | 'trimmed',
    listener: ObjectListener,
    options?: ListenOptions,
  ): Promise<Subscription>
}
