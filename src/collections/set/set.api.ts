import type { RLock } from '../../locks/shared/lock.api.js'
import type { LockSettings } from '../../locks/locks.api.js'
import type { ReadWriteLockOptions, RReadWriteLock } from '../../locks/read-write/read-write-lock.api.js'
import type { ObjectEvent, ObjectListener, Names, RDumpable, RExpirable } from '../../api/object.js'
import type { RCountDownLatch } from '../../synchronizers/count-down-latch/count-down-latch.api.js'
import type { RPermitExpirableSemaphore } from '../../synchronizers/permit-expirable-semaphore/permit-expirable-semaphore.api.js'
import type { RSemaphore, SemaphoreSettings } from '../../synchronizers/semaphore/semaphore.api.js'
import type { ListenOptions, Subscription } from '../../topics/shared/subscription.api.js'
import type { RSortable } from '../shared/sortable.api.js'

/** Options of an iteration over a set. */
export interface SetScanOptions {
  /**
   * A glob-style pattern that the values have to match as they are in Redis: `*` is any text, `?` any byte, `[ab]` one of these, and `\`
   * takes the meaning away from what follows it. In JSON a text is between quotes: `"admin:*"`.
   *
   * @defaultValue all values
   */
  readonly pattern?: string | undefined
  /**
   * About how many values Redis looks at for each request, from 1 to 5 000.
   *
   * @defaultValue 1 000
   */
  readonly count?: number | undefined
  /**
   * The handling of a value that the codec cannot read: the iteration ends with a {@link CodecError}, or skips it.
   *
   * @defaultValue `throw`
   */
  readonly onInvalid?: 'throw' | 'skip' | undefined
  /** Ends the iteration, which throws the reason of the signal. */
  readonly signal?: AbortSignal | undefined
}

/** Options of an iteration over a set that several processes share. */
export interface DistributedIteratorOptions extends SetScanOptions {
  /**
   * About how many values Redis looks at for each request, from 1 to 5 000.
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

/** How the values of an intersection are counted. */
export interface CountOptions {
  /**
   * Where the counting ends.
   *
   * @defaultValue 0: it counts all of them
   */
  readonly limit?: number | undefined
}

/**
 * A set that all clients of the same servers share, in Node and in Java.
 *
 * Values are compared by their encoded bytes. `undefined` is no value. A set without values is not there.
 *
 * Each method takes one round trip and O(1), unless it says something else. Methods that only read are sent
 * again if their reply is lost. So are `add`, `addAll`, `remove`, `removeAll`, `retainAll`, `move`, `union`,
 * `diff`, `intersection` and `sortTo`. These have the same effect if they run twice. They may then overwrite
 * what another client has written in between. A call rejects if its result no longer shows which client has
 * made the change. All others are not sent again: the call rejects, and its error has `mayHaveRun`. A set
 * that was made with `exactlyOnce` sends all of them again, and each takes effect once.
 *
 * All methods reject with a {@link WrongTypeError} if the name belongs to another kind of object. They reject
 * with a {@link CodecError} if the codec cannot write a value (then nothing was sent) or read one.
 * {@link CodecError.taken} and {@link CodecError.unreadable} return what such a call has removed.
 *
 * @example
 * ```ts
 * const tags = client.getSet<string>('tags')
 * await tags.add('red')
 * console.log(await tags.contains('red')) // true
 * for await (const tag of tags) console.log(tag)
 * ```
 */
export interface RSet<V> extends RExpirable, RDumpable, RSortable<V>, AsyncIterable<V> {
  /**
   * Adds a value. Returns whether it is new.
   *
   * If its reply is lost, a copy adds the value again that another client has removed meanwhile. To add jobs that others take with `removeRandom`, make
   * the set with `exactlyOnce`.
   *
   * @throws TypeError for `undefined`
   */
  add(value: V): Promise<boolean>

  /**
   * Adds values. Returns whether any of them is new.
   *
   * Takes O(n) for n values, in one request for each 5 000, one after the other. Each request is atomic, but
   * all of them together are not. The codec writes all values before the first request is sent. If the call
   * rejects, the requests before the failed one have taken effect, and its error has `mayHaveRun` if they
   * have changed something.
   *
   * @throws TypeError for what is no iterable, and for `undefined` among the values; nothing is sent then
   * @example
   * ```ts
   * const tags = client.getSet<string>('tags')
   * console.log(await tags.addAll(['red', 'green', 'red'])) // true
   * console.log(await tags.size()) // 2
   * ```
   */
  addAll(values: Iterable<V>): Promise<boolean>

  /** Adds values. Returns how many of them are new. See {@link RSet.addAll}; it is not sent again. */
  addAllCounted(values: Iterable<V>): Promise<number>

  /**
   * Adds all of the values if none of them is there. Returns whether it did. One step, of O(n) for n values. It is not sent again.
   *
   * @throws RangeError for more than 5 000 values, which could not be added as one step
   * @example
   * ```ts
   * const seats = client.getSet<string>('seats')
   * console.log(await seats.tryAdd('A1', 'A2')) // true
   * console.log(await seats.tryAdd('A2', 'A3')) // false: A2 is taken, and A3 is not added
   * ```
   */
  tryAdd(...values: V[]): Promise<boolean>

  /** Returns whether the value is there. */
  contains(value: V): Promise<boolean>

  /**
   * Returns of each value whether it is there, in their order. O(n) for n values, in one request for each 5 000.
   *
   * In Java it returns the values that are there.
   *
   * @example
   * ```ts
   * const tags = client.getSet<string>('tags')
   * await tags.add('red')
   * console.log(await tags.containsEach(['red', 'blue'])) // [ true, false ]
   * ```
   */
  containsEach(values: Iterable<V>): Promise<boolean[]>

  /** Returns whether all of the values are there; also for none. See {@link RSet.containsEach}. */
  containsAll(values: Iterable<V>): Promise<boolean>

  /** Removes a value. Returns whether it was there. */
  remove(value: V): Promise<boolean>

  /** Removes values. Returns whether any of them was there. See {@link RSet.addAll}. */
  removeAll(values: Iterable<V>): Promise<boolean>

  /** Removes values. Returns how many of them were there. See {@link RSet.addAll}; it is not sent again. */
  removeAllCounted(values: Iterable<V>): Promise<number>

  /**
   * Removes all values but these. Returns whether it removed any.
   *
   * One step for a set of up to 5 000 values and as many to keep. Otherwise it iterates over the set, with two requests for about 1 000
   * values each: what others add meanwhile may be removed or not. No other key is needed, so nothing can be left behind.
   *
   * Takes O(n + m) for n values of the set and m to keep. To keep none is {@link RObject.delete}.
   */
  retainAll(values: Iterable<V>): Promise<boolean>

  /** A random value; undefined if there is none. */
  random(): Promise<V | undefined>

  /**
   * Random distinct values: that number, or all if there are fewer.
   *
   * @param count - 0 or more
   */
  random(count: number): Promise<V[]>

  /** Removes a random value, and returns it; undefined if there is none. */
  removeRandom(): Promise<V | undefined>

  /**
   * Removes random values, and returns them: that number, or all if there are fewer. One step.
   *
   * @param count - from 0 to 5 000
   */
  removeRandom(count: number): Promise<V[]>

  /**
   * Moves a value to another set. Returns whether it was here. One step.
   *
   * @param destination - the name of that set
   * @throws {@link CrossSlotError} if a cluster has both sets in different slots; nothing is sent then
   * @example
   * ```ts
   * const open = client.getSet<number>('{orders}:open')
   * await open.add(7)
   * console.log(await open.move('{orders}:done', 7)) // true
   * ```
   */
  move(destination: string, value: V): Promise<boolean>

  /** Moves the whole set to another database: see {@link RObject.move}. */
  move(database: number): Promise<boolean>

  /**
   * Sets this set to the union of others, and returns its size. What it had before is gone, unless its own name is among them.
   *
   * One step, of O(n) for n values of all sets, in which Redis does nothing else.
   *
   * @param names - one or more
   * @throws {@link CrossSlotError} if a cluster has the sets in different slots; nothing is sent then
   * @throws RangeError for no names, and with {@link ObjectOptions.exactlyOnce} for more than one script takes
   * @example
   * ```ts
   * await client.getSet<number>('{n}:even').addAll([2, 4])
   * await client.getSet<number>('{n}:odd').addAll([1, 3])
   * console.log(await client.getSet<number>('{n}:all').union(['{n}:even', '{n}:odd'])) // 4
   * ```
   */
  union(names: Names): Promise<number>

  /**
   * Returns the union of this set and others, none of which is changed. O(n) for n values of all sets, in one
   * request, in which Redis does nothing else.
   *
   * @throws {@link CrossSlotError} if a cluster has the sets in different slots; nothing is sent then
   */
  readUnion(names: Names): Promise<V[]>

  /**
   * Sets this set to the first of others without the values of the rest, and returns its size. See {@link RSet.union}. It is not sent again
   * where this set is one of the rest.
   */
  diff(names: Names): Promise<number>

  /** Returns the values of this set that are in none of the others. See {@link RSet.readUnion}. */
  readDiff(names: Names): Promise<V[]>

  /** Sets this set to the values that all of others have, and returns its size. See {@link RSet.union}. */
  intersection(names: Names): Promise<number>

  /**
   * Returns the values of this set that are in all of the others. See {@link RSet.readUnion}; O(n · m) for n
   * values of the smallest of m sets.
   */
  readIntersection(names: Names): Promise<V[]>

  /**
   * Returns how many values of this set are in all of the others. See {@link RSet.readIntersection}.
   *
   * @throws {@link UnsupportedCommandError} at servers before Redis 7
   */
  countIntersection(names: Names, options?: CountOptions): Promise<number>

  /** Returns how many values there are. */
  size(): Promise<number>

  /** Returns whether there are no values. */
  isEmpty(): Promise<boolean>

  /** Removes all values, as {@link RObject.delete} does. Takes O(n) for n values, in which Redis does nothing else. */
  clear(): Promise<void>

  /**
   * All values, each of them once, in no order.
   *
   * Up to 5 000 values are read by one request and as of one moment. More are read by requests of about 1 000 each: what other clients add or
   * remove meanwhile may be among them or not. {@link RSet.values} needs less memory.
   */
  readAll(): Promise<V[]>

  /**
   * Walks through the values, as `for await (const value of set)` does, with a request for about `count` of them at a time. `break` ends it.
   *
   * What is there for all of that time comes, and what is not there at any time does not. While the set grows or shrinks, a value may come
   * twice. A failover or a moved slot in between may have values left out.
   *
   * @throws RangeError for a `count` outside of 1 to 5 000
   * @example
   * ```ts
   * for await (const tag of client.getSet('tags').values({ pattern: '"r*"' })) console.log(tag)
   * ```
   */
  values(options?: SetScanOptions): AsyncIterable<V>

  /**
   * Shares one iteration over the values with all others that call it, in Node and in Java: each page of
   * values goes to one of them.
   *
   * Redis stores the position for an hour after the last page. When all pages are delivered, the iteration is
   * over for all of them. An iteration that begins within that hour returns nothing, unless it has another
   * `iteratorName`, or the key of that name is deleted. That key stays when the set is renamed or deleted.
   *
   * A page is taken by one request, which takes effect once even if its reply is lost. If a process ends,
   * leaves the loop or is aborted before it has handled its values, no other process gets them. The readable
   * values of a page come before the {@link CodecError} of the others. For changes of the set meanwhile, see
   * {@link RSet.values}.
   *
   * @throws {@link CrossSlotError} for an `iteratorName` in another slot
   * @example
   * ```ts
   * const jobs = client.getSet<number>('jobs')
   * for await (const job of jobs.distributedIterator({ count: 50 })) console.log(job)
   * ```
   */
  distributedIterator(options?: DistributedIteratorOptions): AsyncIterable<V>

  /**
   * Returns the lock of a value, which is the same in Java, whether or not the value is there. No other
   * method takes it by itself. It is an object of its own: it stays when the set is renamed or deleted.
   *
   * @throws TypeError for `undefined`, and for an option that is unknown or wrong
   * @throws {@link CodecError} if the codec cannot write the value
   * @example
   * ```ts
   * const orders = client.getSet<number>('orders')
   * await orders.getLock(7).withLock(async () => {
   *   if (await orders.contains(7)) await orders.remove(7)
   * })
   * ```
   */
  getLock(value: V, settings?: LockSettings): RLock

  /** Returns the fair lock of a value. It is another lock than {@link RSet.getLock}, which see. */
  getFairLock(value: V, settings?: LockSettings): RLock

  /** Returns the read-write lock of a value. It is another lock than {@link RSet.getLock}, which see. */
  getReadWriteLock(value: V, options?: ReadWriteLockOptions & LockSettings): RReadWriteLock

  /** Returns the semaphore of a value. See {@link RSet.getLock}. */
  getSemaphore(value: V, settings?: SemaphoreSettings): RSemaphore

  /** Returns the semaphore with expirable permits of a value. See {@link RSet.getLock}. */
  getPermitExpirableSemaphore(value: V, settings?: SemaphoreSettings): RPermitExpirableSemaphore

  /** Returns the latch of a value. See {@link RSet.getLock}. */
  getCountDownLatch(value: V): RCountDownLatch

  /**
   * Listens for the events of {@link RObject.addListener}, and for these, which need `Ks` in `notify-keyspace-events`:
   *
   * - `added`: values were added, or one was moved here.
   * - `removed`: values were removed, or one was moved away.
   * - `removedRandom`: values were removed by `removeRandom`.
   * - `stored`: the set was set by {@link RSet.union}, {@link RSet.diff} or {@link RSet.intersection}.
   *
   * Redis does not say which values, and sends one event for all that one request changes. A set whose last value is removed is also `deleted`.
   */
  addListener(
    event: ObjectEvent | 'added' | 'removed' | 'removedRandom' | 'stored',
    listener: ObjectListener,
    options?: ListenOptions,
  ): Promise<Subscription>
}
