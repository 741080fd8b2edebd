import type { RLock } from '../../locks/shared/lock.api.js'
import type { LockSettings } from '../../locks/locks.api.js'
import type { ReadWriteLockOptions, RReadWriteLock } from '../../locks/read-write/read-write-lock.api.js'
import type { EntryCodecOptions, ObjectOptions } from '../../api/object-options.js'
import type { ObjectEvent, ObjectListener, RExpirable } from '../../api/object.js'
import type { RCountDownLatch } from '../../synchronizers/count-down-latch/count-down-latch.api.js'
import type { RPermitExpirableSemaphore } from '../../synchronizers/permit-expirable-semaphore/permit-expirable-semaphore.api.js'
import type { RSemaphore, SemaphoreSettings } from '../../synchronizers/semaphore/semaphore.api.js'
import type { ListenOptions, Subscription } from '../../topics/shared/subscription.api.js'
import type { RList } from '../list/list.api.js'
import type { KeyedMapCodec, MapScanOptions } from '../map/map.api.js'
import type { RSet } from '../set/set.api.js'

/** How a multimap behaves. */
export interface MultimapOptions<K, V> extends EntryCodecOptions<K, V>, ObjectOptions {}

/** The options of a multimap whose keys are no texts: they need a codec. */
export interface KeyedMultimapOptions<K, V> extends MultimapOptions<K, V> {
  readonly codec: KeyedMapCodec<K, V>
}

/** Methods of a multimap as a whole that the values of one key do not have. */
export type OnlyOfMultimap =
  | 'clearExpire'
  | 'expire'
  | 'expireIfGreater'
  | 'expireIfLess'
  | 'expireIfNotSet'
  | 'expireIfSet'
  | 'move'
  | 'rename'
  | 'renamenx'
  | 'restore'
  | 'restoreAndReplace'

/**
 * The values of one key of a {@link RSetMultimap}, as a set: what changes it changes the multimap in the same step, and the other way round. With its
 * last value the multimap loses the key.
 *
 * It has the methods of a {@link RSet}, but those that would give it a name, a database or a time to live of its own. What it
 * is made of expires with the multimap.
 *
 * Its `name` is the one of which the `nameMapper` makes its key. Where there is none, other objects refuse it with a `TypeError`.
 *
 * A call of another object that has these values for its destination, such as `move` of a {@link RSet}, does not tell the multimap of it.
 */
export interface RSetMultimapValues<V> extends Omit<RSet<V>, OnlyOfMultimap> {
  /** Moves a value to a set, as `move` of a {@link RSet} does. */
  move(destination: string, value: V): Promise<boolean>
}

/**
 * The values of one key of a {@link RListMultimap}, as a list: what changes it changes the multimap in the same step, and the other way round. With its
 * last value the multimap loses the key.
 *
 * It has the methods of a {@link RList}, but those that would give it a name, a database or a time to live of its own. What it
 * is made of expires with the multimap.
 */
export type RListMultimapValues<V> = Omit<RList<V>, OnlyOfMultimap>

/**
 * Common interface of both kinds of multimaps: keys with any number of values each.
 *
 * Keys and values are compared by their encoded bytes. `undefined` is neither a key nor a value. A key
 * without values does not exist, nor does a multimap without keys.
 *
 * Each method takes one round trip and O(1), unless it says something else. A change is one step in Redis: no
 * other client sees a key without values, or values without their key. Methods that only read are sent again
 * if their reply is lost. {@link RSetMultimap} and {@link RListMultimap} name the changes that are sent again
 * too. All others are not: the call rejects, and its error has `mayHaveRun`. With `exactlyOnce` all of them
 * are sent again, and each takes effect once.
 *
 * All methods reject with a {@link WrongTypeError} if the name belongs to another kind of object, except
 * `getAll`, `containsKey` and `containsEntry`, which find nothing. All reject with a {@link CodecError} if a
 * codec cannot write a value (then nothing was sent) or read one. A hash of another kind, such as a
 * {@link RMap}, is recognized by its values: by all values of the call, or by any one. Calls that only read
 * keys do not look at values, nor do the methods of all objects, such as `delete`.
 *
 * Methods of the multimap as a whole, such as `delete`, `rename`, `copy`, `expire` and `sizeInMemory`, apply
 * to the values of all keys. They are one step of O(n) for n keys, in which Redis does nothing else. In a
 * cluster all keys are in one slot.
 *
 * Redisson for Java leaves keys without values behind in a few cases, such as `replaceValues` with none.
 * `keySize`, `isEmpty`, `readAllKeySet` and `keys` count such a key until its values are changed here or it
 * is removed; all other methods do not.
 *
 * @typeParam C - the values of one key
 */
export interface RMultimap<K, V, C> extends RExpirable, AsyncIterable<[K, V]> {
  /**
   * Returns the values of a key, as they are whenever they are asked for. Nothing is sent for this itself,
   * and nothing is kept of it here.
   *
   * @throws TypeError for `undefined`
   * @throws {@link CodecError} if the codec cannot write the key
   */
  get(key: K): C

  /** Reads all values of a key: none if it is not there. O(n) for n values. See `readAll` of the values for many of them. */
  getAll(key: K): Promise<V[]>

  /**
   * Adds a value to those of a key. Returns whether there are more of them now.
   *
   * @throws TypeError for `undefined`
   */
  put(key: K, value: V): Promise<boolean>

  /**
   * Adds values to those of a key. Returns whether there are more of them now. None are no change, and nothing is sent.
   *
   * Takes O(n) for n values, in one request for each 5 000, one after the other. Each request is atomic, but
   * all of them together are not. The codec writes all values before the first request is sent. If the call
   * rejects, the requests before the failed one have taken effect, and its error has `mayHaveRun` if they
   * have changed something.
   *
   * @throws TypeError for what is no iterable, and for `undefined` among the values; nothing is sent then
   */
  putAll(key: K, values: Iterable<V> & object): Promise<boolean>

  /** Removes a value from those of a key: of several that are equal, the first. Returns whether it was there. */
  remove(key: K, value: V): Promise<boolean>

  /**
   * Removes a key, and returns the values that it had: none if it was not there. O(n) for n values.
   *
   * One step for any number of values, in which Redis does nothing else, and one reply that has all of them. {@link RMultimap.fastRemove} returns no
   * values.
   */
  removeAll(key: K): Promise<V[]>

  /**
   * Sets the values of a key, and returns those before. With no values it is {@link RMultimap.removeAll}.
   *
   * O(n + m) for n values before and m now. One step for any number of values, in which Redis does nothing else. They are written by the codec before
   * the call returns.
   *
   * @throws TypeError for what is no iterable, and for `undefined` among the values
   * @throws RangeError for more than 1 000 000 values; {@link RMultimap.putAll} adds more
   */
  replaceValues(key: K, values: Iterable<V> & object): Promise<V[]>

  /**
   * Sets the values of a key. Quicker than {@link RMultimap.replaceValues}, since no values come back.
   *
   * O(n + m), in one step, as {@link RMultimap.replaceValues}.
   *
   * @throws TypeError for what is no iterable, and for `undefined` among the values
   * @throws RangeError for more than 1 000 000 values; {@link RMultimap.putAll} adds more
   */
  fastReplaceValues(key: K, values: Iterable<V> & object): Promise<void>

  /**
   * Removes keys with all their values. Returns how many of the keys were there. O(n) for n keys, in one request for each 5 000.
   *
   * It is not sent again, unless the multimap was made with `exactlyOnce`: a copy would not count the keys that are gone.
   */
  fastRemove(...keys: K[]): Promise<number>

  /**
   * Removes values from all keys: of several equal values in a list, the first of each key. Returns how many
   * were removed.
   *
   * O(n · m) for n keys and m values, and for the lengths of lists. One step for up to 5 000 divided by m
   * keys. Otherwise it iterates over the keys, with a request for about as many of them at a time. It may
   * miss keys that others put meanwhile, and may visit a key twice while the multimap shrinks. A batch has
   * only one request: there, nothing is changed if there are more keys.
   *
   * It is not sent again, unless the multimap was made with `exactlyOnce`.
   */
  fastRemoveValue(...values: V[]): Promise<number>

  /** Returns whether the key has values. */
  containsKey(key: K): Promise<boolean>

  /**
   * Returns whether any key has the value. O(n) for n keys, and for the lengths of lists.
   *
   * One request for each 5 000 keys. With more keys, those that others put meanwhile may be left out.
   */
  containsValue(value: V): Promise<boolean>

  /** Returns whether the key has the value. O(1) in a set, O(n) in a list of n values. */
  containsEntry(key: K, value: V): Promise<boolean>

  /**
   * Returns the number of values of all keys together. O(n) for n keys.
   *
   * Up to 5 000 keys are counted at one moment. More are counted by a request for about 5 000 each. Keys that
   * others put or remove meanwhile may be counted or not, and twice while the multimap grows or shrinks.
   */
  size(): Promise<number>

  /** Returns how many keys there are. */
  keySize(): Promise<number>

  /** Returns whether there are no keys. */
  isEmpty(): Promise<boolean>

  /** Removes all keys, as {@link RObject.delete} does. */
  clear(): Promise<void>

  /** All keys, each of them once, in no order. See {@link RMap.readAllKeySet}. */
  readAllKeySet(): Promise<K[]>

  /** Walks through the keys, with a request for about `count` of them at a time. `break` ends it. See {@link RMap.keys}. */
  keys(options?: MapScanOptions): AsyncIterable<K>

  /** Walks through the values of all keys. See {@link RMultimap.entries}. */
  values(options?: MapScanOptions): AsyncIterable<V>

  /**
   * Walks through the keys, each of them as often as it has values, with one of these each, as `for await (const [key, value] of multimap)` does.
   * Values of one key come one after the other, those of a list in their order.
   *
   * One request for about `count` keys at a time, and one for each `count` values of a key. The first values of 20 keys are read at the same time, so that no
   * more than 20 times `count` values are in memory at once. `break` ends it.
   *
   * What is there for all of that time comes, and what is not there at any time does not. While keys or values grow or shrink in number, an entry may come
   * twice, and values of a list that others remove may have others left out.
   *
   * @throws RangeError for a `count` outside of 1 to 5 000
   */
  entries(options?: MapScanOptions): AsyncIterable<[K, V]>

  /**
   * Returns the lock of a key, which is the same in Java, whether or not the key is there. No other method
   * takes it by itself. It is an object of its own: it stays when the multimap is renamed or deleted.
   *
   * @throws TypeError for `undefined`, and for an option that is unknown or wrong
   * @throws {@link CodecError} if the codec cannot write the key
   */
  getLock(key: K, settings?: LockSettings): RLock

  /** Returns the fair lock of a key. It is another lock than {@link RMultimap.getLock}, which see. */
  getFairLock(key: K, settings?: LockSettings): RLock

  /** Returns the read-write lock of a key. It is another lock than {@link RMultimap.getLock}, which see. */
  getReadWriteLock(key: K, options?: ReadWriteLockOptions & LockSettings): RReadWriteLock

  /** Returns the semaphore of a key. See {@link RMultimap.getLock}. */
  getSemaphore(key: K, settings?: SemaphoreSettings): RSemaphore

  /** Returns the semaphore with expirable permits of a key. See {@link RMultimap.getLock}. */
  getPermitExpirableSemaphore(key: K, settings?: SemaphoreSettings): RPermitExpirableSemaphore

  /** Returns the latch of a key. See {@link RMultimap.getLock}. */
  getCountDownLatch(key: K): RCountDownLatch

  /**
   * Listens for the events of {@link RObject.addListener}, and for these, which need `Kh` in `notify-keyspace-events`:
   *
   * - `put`: a key that was not there has values.
   * - `removed`: keys were removed, or have lost their last value.
   *
   * Redis does not say which keys. Of the values of one key, `addListener` of {@link RMultimap.get} has the events.
   */
  addListener(
    event: ObjectEvent | 'put' | 'removed',
    listener: ObjectListener,
    options?: ListenOptions,
  ): Promise<Subscription>
}

/**
 * A multimap that has each value of a key once. All clients of the same servers share it, in Node and in Java.
 *
 * See {@link RMultimap} for what its methods do. `put`, `putAll`, `remove` and `fastReplaceValues` have the
 * same effect if they run twice, and are sent again when their reply is lost. They may then overwrite what
 * another client has written in between. A call rejects if its result no longer shows which client has made
 * the change.
 *
 * @example
 * ```ts
 * const tags = client.getSetMultimap<string, string>('tags')
 * await tags.put('article:7', 'redis')
 * await tags.putAll('article:7', ['node', 'redis'])
 * console.log((await tags.getAll('article:7')).toSorted()) // [ 'node', 'redis' ]
 * const ofArticle = tags.get('article:7')
 * console.log(await ofArticle.remove('node'), await tags.size()) // true 1
 * for await (const [article, tag] of tags) console.log(article, tag)
 * ```
 */
export interface RSetMultimap<K, V> extends RMultimap<K, V, RSetMultimapValues<V>> {
  /**
   * Adds a value to those of a key. Returns whether it is new among them.
   *
   * @throws TypeError for `undefined`
   */
  put(key: K, value: V): Promise<boolean>
}

/**
 * A multimap that has the values of a key in the order in which they were put, also several times. All clients of the same servers share it, in Node
 * and in Java.
 *
 * See {@link RMultimap} for what its methods do. `fastReplaceValues` leaves the same behind if it runs twice, and is sent
 * again when their reply is lost: what another client has written in between is overwritten then.
 *
 * @example
 * ```ts
 * const visits = client.getListMultimap<string, string>('visits')
 * await visits.put('Ada', '/home')
 * await visits.putAll('Ada', ['/cart', '/home'])
 * console.log(await visits.getAll('Ada')) // [ '/home', '/cart', '/home' ]
 * console.log(await visits.get('Ada').get(-1)) // /home
 * ```
 */
export interface RListMultimap<K, V> extends RMultimap<K, V, RListMultimapValues<V>> {
  /**
   * Adds a value behind those of a key. Returns true.
   *
   * @throws TypeError for `undefined`
   */
  put(key: K, value: V): Promise<boolean>
}
