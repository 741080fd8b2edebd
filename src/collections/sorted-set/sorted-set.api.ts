import type { ObjectEvent, ObjectListener, RExpirable } from '../../api/object.js'
import type { ListenOptions, Subscription } from '../../topics/shared/subscription.api.js'
import type { PollOptions } from '../shared/polling.api.js'

/** What a sorted set can put in order. */
export type SortedValue = string | number | bigint

/** Options of an iteration over a sorted set. */
export interface SortedSetScanOptions {
  /**
   * How many values one request reads, from 1 to 5 000.
   *
   * @defaultValue 1 000
   */
  readonly count?: number | undefined
  /** Ends the iteration, which throws the reason of the signal. */
  readonly signal?: AbortSignal | undefined
}

/** Options of an iteration over a sorted set that several processes share. */
export interface SortedSetIteratorOptions extends SortedSetScanOptions {
  /**
   * How many values one request reads, from 1 to 5 000.
   *
   * @defaultValue 100
   */
  readonly count?: number | undefined
  /**
   * The name under which Redis keeps how far they are, which has to be in the same slot of a cluster as the set.
   *
   * @defaultValue the one that Redisson makes of the name of the set
   */
  readonly iteratorName?: string | undefined
}

/**
 * Texts or numbers in their natural order, each of them once, shared by all clients of the same servers, in
 * Node and in Java. It is Redisson's `RSortedSet`, for data that is shared with Java. In Redis it is a list,
 * so adding and removing takes O(n). For other purposes use {@link RScoredSortedSet} or
 * {@link RLexSortedSet}, which take O(log n).
 *
 * The order is that of Java. Texts are in the order of their UTF-16 code units, as in `Array.prototype.sort`
 * and `String.compareTo`. Numbers are in the order of their values: 1 and 1.0 are the same value, and so are
 * 0 and -0. All values of a set are texts, or all are numbers. A value of another type causes a `TypeError`,
 * and nothing is changed. So do a text with half of a surrogate pair, `NaN`, an infinite number, and a text
 * for a set of numbers.
 *
 * The codec must write texts as they are or as JSON, and numbers as digits, as {@link jsonCodec},
 * {@link stringCodec}, `longCodec` and {@link doubleCodec} do. If a client in Java has given the set another
 * order by `trySetComparator`, it can be read and polled. Calls that add, remove by value or search reject
 * with a {@link WrongTypeError}.
 *
 * A number beyond 2⁵³ has the value of its digits in Redis. A `number` is written with the digits that
 * distinguish it from other doubles, as in Java (1.1805916207174113E21 for 2 ** 70). A `bigint` is written
 * with all digits. So these two are different values. {@link jsonCodec} reads whole numbers up to 2⁵³ as
 * `number`, even in a `getSortedSet<bigint>`; `longCodec({ bigint: true })` reads all of them as `bigint`.
 *
 * Redisson for Java changes a sorted set under a lock. Here each change is one script, which needs no lock,
 * but waits while a client in Java has it. Then this client acquires the lock too, by up to three more
 * requests. Each method takes one round trip, unless it says otherwise. Methods that only read are sent again
 * if their reply is lost. All others are not: the call rejects, and its error has `mayHaveRun`. With
 * `exactlyOnce` they are sent again, and each takes effect once. For polls that wait for a value, that is
 * always so.
 *
 * All methods reject with a {@link WrongTypeError} if the name belongs to another kind of object. They reject
 * with a {@link CodecError} if the codec cannot write a value (then nothing was sent) or read one.
 *
 * @example
 * ```ts
 * const names = client.getSortedSet<string>('names')
 * await names.addAll(['Grace', 'Ada', 'Alan'])
 * console.log(await names.readAll()) // [ 'Ada', 'Alan', 'Grace' ]
 * console.log(await names.add('Ada')) // false
 * console.log(await names.pollFirst()) // Ada
 * ```
 */
export interface RSortedSet<V extends SortedValue> extends RExpirable, AsyncIterable<V> {
  /**
   * Adds the value. Returns whether it is new. O(n): Redis scans the list to its place.
   *
   * @throws TypeError for `undefined`, for a value that is neither text nor number, and for one of another kind than those that are there
   */
  add(value: V): Promise<boolean>

  /**
   * Adds these values. Returns whether any of them is new. O(n) for each.
   *
   * One request for each 100 values, one after the other. No request blocks Redis for long: it has fewer
   * values if these are larger than about 2 000 bytes, or far from the ends of a long list. Each request is
   * atomic, but all of them together are not. In a list of a million values that is one request for each
   * value. In a batch it is always one step, up to 100 values, however long Redis takes. If the call rejects,
   * the requests before the failed one have taken effect, and its error has `mayHaveRun` if they have changed
   * something.
   *
   * @throws TypeError for what is no iterable, such as a text, and for values that cannot be compared
   */
  addAll(values: Iterable<V>): Promise<boolean>

  /** Returns whether the value is there. O(n), without the lock: about log n elements are compared. */
  contains(value: V): Promise<boolean>

  /**
   * Returns whether all of these values are there; true for none. One request for each 100, of which five
   * leave together, or for fewer where values are larger than about 2 000 bytes. See
   * {@link RSortedSet.contains}.
   */
  containsAll(values: Iterable<V>): Promise<boolean>

  /** Removes the value. Returns whether it was there. O(n). */
  remove(value: V): Promise<boolean>

  /** Removes these values. Returns whether any of them was there. One request for each 100 or fewer, as for {@link RSortedSet.addAll}. */
  removeAll(values: Iterable<V>): Promise<boolean>

  /**
   * Removes all values but these. Returns whether there were any others.
   *
   * It reads the set page by page, and removes what is not to stay as {@link RSortedSet.removeAll} does: what others add meanwhile may be removed or not. Without any
   * values to keep it is `delete()`, which does not wait while a client in Java has the lock.
   */
  retainAll(values: Iterable<V>): Promise<boolean>

  /**
   * Removes the first value, and returns it; undefined if there is none. O(1). With `waitMs` it waits for
   * one. It uses no blocking command: a change of the key wakes the waiter. So it blocks no connection, and
   * no value is lost or removed twice when a connection breaks. The order of several waiters is undefined. It
   * also waits for a lock that a client in Java has.
   *
   * @example
   * ```ts
   * const numbers = client.getSortedSet<number>('numbers')
   * await numbers.addAll([10, 9])
   * console.log(await numbers.pollFirst({ waitMs: 1_000 })) // 9
   * ```
   */
  pollFirst(options?: PollOptions): Promise<V | undefined>

  /**
   * Removes the first values, and returns them, in their order; none if there are none. With `waitMs` it waits for the first one, and not for more.
   *
   * @param count - from 0 to 5 000: what is removed has to come back by one reply
   */
  pollFirst(count: number, options?: PollOptions): Promise<V[]>

  /** Removes the last value, and returns it; undefined if there is none. See `pollFirst`. */
  pollLast(options?: PollOptions): Promise<V | undefined>

  /** Removes the last values, and returns them, in the order of the set. In Java the last one comes first. See `pollFirst`. */
  pollLast(count: number, options?: PollOptions): Promise<V[]>

  /** Returns the first value; undefined if there is none. O(1). */
  first(): Promise<V | undefined>

  /** Returns the last value; undefined if there is none. O(1). */
  last(): Promise<V | undefined>

  /** Returns how many values there are. O(1). */
  size(): Promise<number>

  /** Returns whether there are no values. O(1). */
  isEmpty(): Promise<boolean>

  /** Removes all values, and the order that a client in Java gave the set. O(n) */
  clear(): Promise<void>

  /**
   * All values, in their order.
   *
   * Up to 5 000 are read by one request and as of one moment. More are read by several requests: what other clients add
   * or remove meanwhile may be among them or not. {@link RSortedSet.values} needs less memory.
   */
  readAll(): Promise<V[]>

  /**
   * Iterates over the values in their order, as `for await (const value of set)` does. Each request reads `count` of them,
   * O(n), and only one page is in memory. `break` ends it.
   *
   * What is there for all of that time comes once, and what is not there at any time does not. What others add or remove meanwhile comes if its
   * place was not passed yet.
   *
   * @throws RangeError for a `count` outside of 1 to 5 000
   * @example
   * ```ts
   * for await (const name of client.getSortedSet<string>('names')) console.log(name)
   * ```
   */
  values(options?: SortedSetScanOptions): AsyncIterable<V>

  /**
   * Shares one iteration over the values with all others that call it, in Node and in Java. Each page of
   * values, in their order, goes to one of them. Redis stores the index of the next page. A value that is
   * added or removed before that index shifts the later ones: one of them may come twice or not at all. For
   * the rest see {@link RSet.distributedIterator}.
   *
   * @throws {@link CrossSlotError} for an `iteratorName` in another slot
   * @example
   * ```ts
   * const names = client.getSortedSet('names')
   * for await (const name of names.distributedIterator({ count: 50 })) console.log(name)
   * ```
   */
  distributedIterator(options?: SortedSetIteratorOptions): AsyncIterable<V>

  /**
   * Listens for the events of {@link RObject.addListener}; for `added` and `removed` (values were removed or polled), which need `Kl` in `notify-keyspace-events`. Redis does not say which values, and
   * sends one event or more for each request that adds or removes values. A set whose last value is removed is also `deleted`.
   */
  addListener(
    event: ObjectEvent | 'added' | 'removed',
    listener: ObjectListener,
    options?: ListenOptions,
  ): Promise<Subscription>
}
