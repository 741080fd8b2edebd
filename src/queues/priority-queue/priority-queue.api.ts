import type { ObjectEvent, ObjectListener, RExpirable } from '../../api/object.js'
import type { ListWalkOptions } from '../../collections/list/list.api.js'
import type { SortedValue } from '../../collections/sorted-set/sorted-set.api.js'
import type { ListenOptions, Subscription } from '../../topics/shared/subscription.api.js'
import type { QueueMoveOptions } from '../queue/queue.api.js'

/**
 * A queue of texts or numbers whose head is the lowest one. All clients of the same servers share it, in Node and in Java. It is Redisson's
 * `RPriorityQueue`, for data that is shared with Java. In Redis it is a list, so adding takes O(n). Jobs that have priorities belong into an
 * {@link RReliableQueue}, whose `priority` takes O(log n).
 *
 * The order is that of an {@link RSortedSet}: texts in the order of their UTF-16 code units, numbers in the order of their values. All elements
 * are texts, or all are numbers. Another type causes a `TypeError`, and nothing is changed. The codec must write texts as they are or as JSON, and
 * numbers as digits. If a client in Java has given the queue another order by `trySetComparator`, it can be read and polled. Calls that add, remove by
 * value or search reject with a {@link WrongTypeError}.
 *
 * Equal elements are kept, in the order in which they were added. Java adds one behind any of its equals.
 *
 * Redisson for Java changes a priority queue under a lock. Here each change is one script, which needs no lock, but waits while a client in Java has it.
 * Then this client acquires the lock too, by up to three more requests. If a `nameMapper` puts that lock into another slot of a cluster, each change
 * is made under the lock.
 *
 * Each method takes one round trip, unless it says otherwise. Methods that only read are sent again if their reply is lost. All others are not: the
 * call rejects, and its error has `mayHaveRun`. With `exactlyOnce` they are sent again, and each takes effect once.
 *
 * All methods reject with a {@link WrongTypeError} if the name belongs to another kind of object. They reject with a {@link CodecError} if the codec
 * cannot write a value (then nothing was sent) or read one. {@link CodecError.taken} and {@link CodecError.unreadable} return what such a call has
 * removed.
 *
 * @example
 * ```ts
 * const numbers = client.getPriorityQueue<number>('numbers')
 * await numbers.addAll([10, 9, 9, 100])
 * console.log(await numbers.poll(), await numbers.readAll()) // 9 [ 9, 10, 100 ]
 * ```
 */
export interface RPriorityQueue<V extends SortedValue> extends RExpirable, AsyncIterable<V> {
  /**
   * Adds a value behind its equals. Returns true, as in Java. O(n): about log n elements are compared, and Redis scans the list to the place.
   *
   * @throws TypeError for `undefined`, for a value that is neither text nor number, and for one of another kind than those that are there
   */
  add(value: V): Promise<boolean>

  /**
   * Adds these values. Returns whether there were any. O(n) for each.
   *
   * One request for each 100 values, one after the other; for fewer if they are large, or far from the ends of a long list. See {@link RSortedSet.addAll}.
   */
  addAll(values: Iterable<V>): Promise<boolean>

  /** The same as `add`: a priority queue is never full. */
  offer(value: V): Promise<boolean>

  /** Removes the lowest element, and returns it; undefined if there is none. O(1). */
  poll(): Promise<V | undefined>
  /**
   * Removes the lowest elements, and returns them in their order; none if there are none.
   *
   * @param count - from 0 to 5 000: what is removed has to come back by one reply
   */
  poll(count: number): Promise<V[]>

  /** Returns the lowest element, which stays; undefined if there is none. O(1). */
  peek(): Promise<V | undefined>

  /**
   * Returns the lowest element, which stays. O(1).
   *
   * @throws {@link NoSuchElementError} if there is none
   */
  element(): Promise<V>

  /**
   * Removes the lowest element, and returns it. O(1).
   *
   * @throws {@link NoSuchElementError} if there is none
   */
  remove(): Promise<V>
  /**
   * Removes the first of the elements that are equal to a value. Returns whether there was one. O(n).
   *
   * @throws TypeError for `undefined`: without an argument, it removes the head
   */
  remove(value: V): Promise<boolean>

  /**
   * Removes all elements that are equal to one of these values. Returns whether there were any. O(n) for each value, in requests as those of `addAll`.
   * In Java it removes one element for each value.
   */
  removeAll(values: Iterable<V>): Promise<boolean>

  /**
   * Removes all elements that are equal to none of these values. Returns whether there were any.
   *
   * It reads the queue page by page, and removes the others as `removeAll` does: what other clients add meanwhile may be removed or not. Without any values
   * to keep it is `delete()`, which does not wait while a client in Java has the lock.
   */
  retainAll(values: Iterable<V>): Promise<boolean>

  /**
   * Removes the highest element, and adds it at the head of another queue, which is an {@link RQueue}. Returns it; undefined if there is none.
   *
   * @param name - of the other queue
   * @throws TypeError for the name of this queue
   * @throws {@link CrossSlotError} for a queue in another slot of the cluster
   */
  pollLastAndOfferFirstTo(name: string): Promise<V | undefined>

  /** Moves the queue to another database. See {@link RObject.move}. */
  move(database: number): Promise<boolean>
  /**
   * Moves the lowest elements to the tail of another queue, which is an {@link RQueue}, and returns them in their order. It is one step. O(n) for n
   * elements. In Java it needs Redis 8.10; here, no particular version.
   *
   * @throws TypeError for the name of this queue
   * @throws {@link CrossSlotError} for a queue in another slot of the cluster
   */
  move(options: QueueMoveOptions): Promise<V[]>

  /** Returns whether there is an element that is equal to a value. About log n elements are compared. */
  contains(value: V): Promise<boolean>

  /** Returns whether there is an element for each of these values; true for none. See {@link RSortedSet.containsAll}. */
  containsAll(values: Iterable<V>): Promise<boolean>

  /** Returns how many elements are lower than the first one that is equal to a value; -1 if there is none. About log n elements are compared. */
  indexOf(value: V): Promise<number>

  /** Returns how many elements there are. O(1). */
  size(): Promise<number>

  /** Returns whether there are no elements. O(1). */
  isEmpty(): Promise<boolean>

  /** Removes all elements, and the order that a client in Java gave the queue. O(n). */
  clear(): Promise<void>

  /** Returns all elements in their order, by one request and as of one moment. O(n). */
  readAll(): Promise<V[]>

  /**
   * Iterates over the elements in their order, and removes none; `for await (const element of queue)` does the same. Each page begins at an index: an
   * element before it that others add or remove shifts the later ones, so that one may come twice or not at all.
   *
   * @throws RangeError for a `count` outside of 1 to 5 000
   */
  values(options?: ListWalkOptions): AsyncIterable<V>

  /**
   * Listens for the events of {@link RObject.addListener}; for `added` and `removed`, which need `Kl` in `notify-keyspace-events`. Redis does not say
   * which elements, and sends one event or more for each request.
   */
  addListener(
    event: ObjectEvent | 'added' | 'removed',
    listener: ObjectListener,
    options?: ListenOptions,
  ): Promise<Subscription>
}
