import type { ObjectEvent, ObjectListener } from '../../api/object.js'
import type { ListenOptions, Subscription } from '../../topics/shared/subscription.api.js'
import type { RSet } from '../set/set.api.js'
import type { RSortable } from '../shared/sortable.api.js'

/** How long a value stays in a set cache. */
export interface ValueLifeOptions {
  /**
   * After how many milliseconds the value expires.
   *
   * @defaultValue 0: never
   */
  readonly ttlMs?: number | undefined
}

/** How long several values stay in a set cache. */
export interface ValuesLifeOptions<V> {
  /**
   * After how many milliseconds each value expires: one number for all of them, or a function that returns it for a value.
   *
   * @defaultValue 0: never
   */
  readonly ttlMs?: number | ((value: V) => number) | undefined
}

/** What has happened to a value. */
export interface SetCacheEvent<V> {
  /** The event. */
  readonly type: 'valueExpired'
  /** The value that has expired. */
  readonly value: V
}

/** Is called with a value that has expired. */
export type SetCacheListener<V> = (event: SetCacheEvent<V>) => unknown

/** What a set cache does in a way of its own, and what it does not do. */
type Replaced =
  keyof RSortable<unknown> | 'add' | 'addAll' | 'addAllCounted' | 'addListener' | 'move' | 'removeRandom'

/**
 * A set whose values may expire, one by one. All clients of the same servers share it, in Node and in Java.
 *
 * It has the methods of {@link RSet}, without those that sort, move or take values. They cost about the same: one round trip, and O(log n) for
 * each value.
 *
 * A value expires by the clock of the server. From that moment on, no method returns, counts or removes it. Its memory is freed later: by
 * clients that use the set cache, and by calls that combine sets or return random values.
 *
 * A value that is added without `ttlMs` does not expire, whatever it did before.
 *
 * A value of a union ends when it ends in all of the sets, one of an intersection when it ends in any of them, and one of a difference as
 * in the first set. All of these sets have to be set caches, 1 000 at most.
 *
 * Calls whose reply is lost are handled as by {@link RSet}. `addIfExists`, `addIfLess` and `addIfGreater` are sent again as `add` is. The other
 * methods that have a condition, or count, are not.
 *
 * @example
 * ```ts
 * const online = client.getSetCache<string>('online')
 * await online.add('ada', { ttlMs: 60_000 })
 * console.log(await online.contains('ada')) // true
 * console.log(await online.size()) // 1
 * ```
 */
export interface RSetCache<V> extends Omit<RSet<V>, Replaced>, AsyncIterable<V> {
  /**
   * Adds a value, or sets when it ends. Returns whether it was not there.
   *
   * @throws TypeError for `undefined`; RangeError for a time that is negative
   * @example
   * ```ts
   * const online = client.getSetCache<string>('online')
   * console.log(await online.add('ada', { ttlMs: 60_000 })) // true
   * console.log(await online.add('ada', { ttlMs: 60_000 })) // false: it ends later now
   * ```
   */
  add(value: V, options?: ValueLifeOptions): Promise<boolean>

  /**
   * Adds values, or sets when they end. Returns whether any of them was not there. See {@link RSet.addAll}.
   *
   * @throws TypeError for what is no iterable, and for `undefined` among the values; nothing is sent then
   * @example
   * ```ts
   * const codes = client.getSetCache<string>('codes')
   * await codes.addAll(['a1', 'b22'], { ttlMs: (code) => code.length * 60_000 })
   * ```
   */
  addAll(values: Iterable<V>, options?: ValuesLifeOptions<V>): Promise<boolean>

  /** Adds values, or sets when they end. Returns how many of them were not there. See {@link RSetCache.addAll}; it is not sent again. */
  addAllCounted(values: Iterable<V>, options?: ValuesLifeOptions<V>): Promise<number>

  /** Adds a value if it is not there. Returns whether it did. It is not sent again. */
  addIfAbsent(value: V, options?: ValueLifeOptions): Promise<boolean>

  /** Sets when a value ends, if it is there. Returns whether it is. */
  addIfExists(value: V, options?: ValueLifeOptions): Promise<boolean>

  /** Sets when a value ends, if it is there and would end later. Returns whether it did. */
  addIfLess(value: V, options?: ValueLifeOptions): Promise<boolean>

  /** Sets when a value ends, if it is there and would end earlier. Returns whether it did. */
  addIfGreater(value: V, options?: ValueLifeOptions): Promise<boolean>

  /** Adds those of the values that are not there. Returns how many. See {@link RSetCache.addAll}; it is not sent again. */
  addAllIfAbsent(values: Iterable<V>, options?: ValuesLifeOptions<V>): Promise<number>

  /** Sets when those of the values end that are there. Returns how many. See {@link RSetCache.addAll}; it is not sent again. */
  addAllIfExist(values: Iterable<V>, options?: ValuesLifeOptions<V>): Promise<number>

  /** Sets when those of the values end that would end later. Returns how many. See {@link RSetCache.addAll}; it is not sent again. */
  addAllIfLess(values: Iterable<V>, options?: ValuesLifeOptions<V>): Promise<number>

  /** Sets when those of the values end that would end earlier. Returns how many. See {@link RSetCache.addAll}; it is not sent again. */
  addAllIfGreater(values: Iterable<V>, options?: ValuesLifeOptions<V>): Promise<number>

  /**
   * Adds all of the values if none of them is there, as {@link RSet.tryAdd} does, with a time to live. In Java it is `addIfAbsent()` with a map.
   *
   * @throws RangeError for more than 5 000 values, which could not be added as one step
   * @example
   * ```ts
   * const seats = client.getSetCache<string>('seats')
   * console.log(await seats.tryAddAll(['A1', 'A2'], { ttlMs: 300_000 })) // true
   * console.log(await seats.tryAddAll(['A2', 'A3'], { ttlMs: 300_000 })) // false: A2 is taken, and A3 is not added
   * ```
   */
  tryAddAll(values: Iterable<V>, options?: ValuesLifeOptions<V>): Promise<boolean>

  /** Moves the whole set to another database: see {@link RObject.move}. */
  move(database: number): Promise<boolean>

  /**
   * Listens to values that expire. The event comes when the memory is freed: up to half an hour after the end, while any client uses the set cache. It
   * needs no setting of the server.
   *
   * @throws {@link WrongTypeError} if the name belongs to another kind of object
   */
  addListener(
    event: 'valueExpired',
    listener: SetCacheListener<V>,
    options?: ListenOptions,
  ): Promise<Subscription>

  /**
   * Listens for the events of {@link RObject.addListener}, and for these, which need `Kz` in `notify-keyspace-events`:
   *
   * - `added`: values were added, or their ends set.
   * - `removed`: values were removed, those that have expired among them.
   * - `stored`: the set was set by {@link RSet.union}, {@link RSet.diff} or {@link RSet.intersection}.
   */
  addListener(
    event: ObjectEvent | 'added' | 'removed' | 'stored',
    listener: ObjectListener,
    options?: ListenOptions,
  ): Promise<Subscription>
}
