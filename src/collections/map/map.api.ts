import type { CodecLike, MapCodec } from '../../api/codec.js'
import type { RLock } from '../../locks/shared/lock.api.js'
import type { LockSettings } from '../../locks/locks.api.js'
import type { ReadWriteLockOptions, RReadWriteLock } from '../../locks/read-write/read-write-lock.api.js'
import type { EntryCodecOptions, ObjectOptions } from '../../api/object-options.js'
import type { ObjectEvent, ObjectListener, RDumpable, RExpirable } from '../../api/object.js'
import type { RCountDownLatch } from '../../synchronizers/count-down-latch/count-down-latch.api.js'
import type { RPermitExpirableSemaphore } from '../../synchronizers/permit-expirable-semaphore/permit-expirable-semaphore.api.js'
import type { RSemaphore, SemaphoreSettings } from '../../synchronizers/semaphore/semaphore.api.js'
import type { ListenOptions, Subscription } from '../../topics/shared/subscription.api.js'

/** How a map behaves. */
export interface MapOptions<K, V> extends EntryCodecOptions<K, V>, ObjectOptions {
  /**
   * Where values come from that the map does not have.
   *
   * @defaultValue none
   */
  readonly loader?: MapLoader<K, V> | undefined
  /**
   * Where changes of the map go.
   *
   * @defaultValue none
   */
  readonly writer?: MapWriter<K, V> | undefined
  /**
   * When the writer is called.
   *
   * - `WRITE_THROUGH`: before the map is changed, by the call that changes it. If the writer fails, so does
   *   the call, and the map stays as it is. An error of this library has `mayHaveRun` once the writer has
   *   finished, and a {@link LockLostError} once it was called.
   * - `WRITE_BEHIND`: some time after the map was changed. The pending changes are in Redis, so that they
   *   survive the end of this process. Any process that uses such a map, even read-only, writes them. It
   *   checks one second after its first call, and then once in each half minute in which it makes a call.
   *
   * @defaultValue `WRITE_THROUGH`
   */
  readonly writeMode?: 'WRITE_THROUGH' | 'WRITE_BEHIND' | undefined
  /**
   * How long a change waits for others before it is written behind, in milliseconds. Of several changes of one key, the last is written. Where processes
   * have different delays, the shortest counts, or a second if that is longer.
   *
   * @defaultValue 1 000
   */
  readonly writeBehindDelayMs?: number | undefined
  /**
   * How many entries the writer is given at most at a time, from 1 to 5 000.
   *
   * @defaultValue 50
   */
  readonly writeBehindBatchSize?: number | undefined
  /**
   * How often a writer is called again that has thrown or rejected, unless it was by a `TypeError`.
   *
   * @defaultValue 0
   */
  readonly writerRetryAttempts?: number | undefined
  /**
   * The pause before that, in milliseconds.
   *
   * @defaultValue 100
   */
  readonly writerRetryIntervalMs?: number | undefined
}

/**
 * Loads the values that a map does not have: from a database, for example.
 *
 * @example
 * ```ts
 * const rows = new Map([['7', { name: 'Ada' }]])
 * const users = client.getMap<string, { name: string }>('users', { loader: { load: (id) => rows.get(id) } })
 * console.log(await users.get('7')) // { name: 'Ada' }, which is in the map from now on
 * ```
 */
export interface MapLoader<K, V> {
  /**
   * Returns the value of a key; undefined if it has none. It runs under the lock of the entry ({@link RMap.getLock}): once at a time for each
   * key, in Node and in Java. If it throws or rejects, so does the call that wants the value.
   */
  load(key: K, context: ComputeContext): V | undefined | PromiseLike<V | undefined>
  /** Returns all keys, for {@link RMap.loadAll} without keys. */
  loadAllKeys?(): Iterable<K> | AsyncIterable<K>
}

/**
 * Writes the changes of a map: to a database, for example. It may receive the same change twice, and so must
 * be idempotent.
 *
 * For each key it receives changes in their order: the next one only after it has finished the previous one.
 * That is so unless {@link ComputeContext.signal} has aborted: then this process can no longer be sure that
 * it is the only one that writes. A write after that may overwrite a newer value.
 *
 * With `WRITE_THROUGH` it receives the program's own keys and values, and no copies. Do not change these
 * until the call has settled, or the writer sees another value than the map.
 *
 * @example
 * ```ts
 * const rows = new Map<string, number>()
 * const stock = client.getMap<string, number>('stock', {
 *   writer: {
 *     write: (entries) => entries.forEach((count, id) => rows.set(id, count)),
 *     delete: (ids) => ids.forEach((id) => rows.delete(id)),
 *   },
 * })
 * await stock.put('apple', 3)
 * console.log(rows.get('apple')) // 3
 * ```
 */
export interface MapWriter<K, V> {
  /** Writes entries. What it returns is awaited. */
  write(entries: ReadonlyMap<K, V>, context: ComputeContext): unknown
  /** Deletes entries. What it returns is awaited. */
  delete(keys: readonly K[], context: ComputeContext): unknown
  /**
   * Is called when changes could not be written behind, with any number of attempts. They stay in Redis, and are tried again later. Without
   * this method there is a warning of the process.
   *
   * A change that the codecs of the map cannot read is reported alone, with a {@link CodecError}. If that is so of its key, there are no keys.
   */
  failed?(error: unknown, keys: readonly K[]): void
}

/** Options of {@link RMap.loadAll}. */
export interface LoadOptions<K> {
  /**
   * The keys whose values are loaded.
   *
   * @defaultValue what {@link MapLoader.loadAllKeys} returns
   */
  readonly keys?: Iterable<K> | undefined
  /**
   * Whether values are replaced that the map has already.
   *
   * @defaultValue false
   */
  readonly replaceExisting?: boolean | undefined
  /**
   * How many values are loaded at the same time, from 1 to 1 000.
   *
   * @defaultValue 10
   */
  readonly parallelism?: number | undefined
}

/** The options of a map whose keys are no texts: they need a codec. */
export interface KeyedMapOptions<K, V> extends MapOptions<K, V> {
  readonly codec: KeyedMapCodec<K, V>
}

/** The codecs of a map whose keys are no text. */
export interface KeyedMapCodec<K, V> extends MapCodec<K, V> {
  /** The codec of the keys. */
  readonly key: CodecLike<K>
}

/** Options of an iteration over a map. */
export interface MapScanOptions {
  /**
   * A glob-style pattern that the keys have to match as they are in Redis: `*` is any text, `?` any byte, `[ab]` one of these, and `\`
   * takes the meaning away from what follows it.
   *
   * @defaultValue all keys
   */
  readonly pattern?: string | undefined
  /**
   * About how many entries Redis looks at for each request, from 1 to 5 000.
   *
   * @defaultValue 1 000
   */
  readonly count?: number | undefined
  /**
   * The handling of an entry that the codec cannot read: the iteration ends with a {@link CodecError}, or skips it.
   *
   * @defaultValue `throw`
   */
  readonly onInvalid?: 'throw' | 'skip' | undefined
  /** Ends the iteration, which throws the reason of the signal. */
  readonly signal?: AbortSignal | undefined
}

/** How long a value may wait to be computed. */
export interface ComputeOptions {
  /**
   * Milliseconds to wait for the lock of the entry, after which the call rejects with a {@link LockTimeoutError}.
   *
   * @defaultValue none: as long as it takes; 0, or less, for one attempt
   */
  readonly waitMs?: number | undefined
  /** Ends the waiting for the lock, and keeps the function from being called again. It is part of {@link ComputeContext.signal}. */
  readonly signal?: AbortSignal | undefined
}

/** The last argument of a function that computes a value. */
export interface ComputeContext {
  /**
   * Aborts when the signal of the call does ({@link ComputeOptions.signal}, or that of {@link RedissonClient.withSignal}), or when this process can no longer be
   * sure of the lock.
   */
  readonly signal: AbortSignal
}

/** Computes the value of a key from the one that it has, undefined for none. What it returns is set; undefined removes the entry. */
export type ComputeFunction<K, V> = (
  key: K,
  value: V | undefined,
  context: ComputeContext,
) => V | undefined | PromiseLike<V | undefined>

/** Computes the value of a key that has none. What it returns is set; undefined sets nothing. */
export type ComputeIfAbsentFunction<K, V> = (
  key: K,
  context: ComputeContext,
) => V | undefined | PromiseLike<V | undefined>

/** Computes the value of a key from the one that it has. What it returns is set; undefined removes the entry. */
export type ComputeIfPresentFunction<K, V> = (
  key: K,
  value: V,
  context: ComputeContext,
) => V | undefined | PromiseLike<V | undefined>

/** Makes one value of that which is there and another. What it returns is set; undefined removes the entry. */
export type MergeFunction<V> = (
  before: V,
  value: V,
  context: ComputeContext,
) => V | undefined | PromiseLike<V | undefined>

/** Entries to put into a map. Where keys are texts, they may be an object, too. */
export type MapEntries<K, V> = Iterable<readonly [K, V]> | (K extends string ? Readonly<Record<K, V>> : never)

/**
 * A map that all clients of the same servers share, in Node and in Java.
 *
 * Keys and values are compared by their encoded bytes. `undefined` is neither a key nor a value: it means
 * that there is none. A map without entries does not exist.
 *
 * Each method takes one round trip and O(1), unless it says something else. Methods that only read are sent
 * again if their reply is lost. So are `fastPut`, `fastPutIfExists`, `fastReplace` and `putAll`, which have
 * the same effect if they run twice. They may then overwrite what another client has written in between. A
 * call rejects if its result no longer shows which client has made the change. All others are not sent again:
 * the call rejects, and its error has `mayHaveRun`. With `exactlyOnce` all of them are sent again, and each
 * takes effect once.
 *
 * In a map with a {@link MapOptions.loader | loader}, these calls load missing values: `get`, `getAll`,
 * `containsKey`, `addAndGet`, the functions that compute, and methods that depend on the present value. A
 * `get` that loads takes five round trips. `put`, `fastPut`, `putAll`, `remove(key)` and `fastRemove` load
 * nothing, and return what the map itself had; the writer also deletes keys that the map does not have.
 *
 * A map with a {@link MapOptions.writer | writer} makes each change under the lock of the entry, in four
 * round trips, as {@link RMap.compute} does. So the writer sees what is in the map. Methods that set, remove
 * or add call the writer, if they change something. `clear`, `delete`, `rename` and the like do not, and
 * neither do changes by others. Such a map cannot be part of a batch.
 *
 * All methods reject with a {@link WrongTypeError} if the name belongs to another kind of object. They reject
 * with a {@link CodecError} if a codec cannot write a value (then nothing was sent) or read one.
 * {@link CodecError.taken} and {@link CodecError.unreadable} return what such a call has removed.
 *
 * @example
 * ```ts
 * const users = client.getMap<string, { name: string }>('users')
 * await users.put('7', { name: 'Ada' })
 * console.log(await users.get('7')) // { name: 'Ada' }
 * for await (const [id, user] of users) console.log(id, user.name)
 * ```
 */
export interface RMap<K, V> extends RExpirable, RDumpable, AsyncIterable<[K, V]> {
  /** Returns the value of the key; undefined if it has none. */
  get(key: K): Promise<V | undefined>

  /**
   * Returns the values of these keys, in their order. Keys without a value are left out.
   *
   * One request for each 5 000 keys.
   *
   * @example
   * ```ts
   * const prices = client.getMap<string, number>('prices')
   * await prices.putAll({ apple: 3, pear: 4 })
   * console.log(await prices.getAll(['apple', 'plum'])) // Map(1) { 'apple' => 3 }
   * ```
   */
  getAll(keys: Iterable<K>): Promise<Map<K, V>>

  /**
   * Sets the value of the key, and returns the one before; undefined if there was none.
   *
   * @throws TypeError for `undefined` as key or value
   */
  put(key: K, value: V): Promise<V | undefined>

  /** Sets the value of the key. Returns whether it is new. Quicker than {@link RMap.put}, since no value comes back. */
  fastPut(key: K, value: V): Promise<boolean>

  /**
   * Sets the values of many keys. Of a key that comes twice, the last value counts.
   *
   * One request for each 5 000 entries, one after the other: each of them takes effect as one step, but not
   * all of them together. Everything is written by the codecs before the first is sent. If the call rejects,
   * the requests before the failed one have taken effect, and its error has `mayHaveRun` if they have changed
   * something.
   *
   * @param entries - a `Map`, any other iterable of pairs, or a plain object if keys are texts
   * @throws TypeError for anything else, such as an object of a class, and for `undefined` as key or value; nothing is sent then
   */
  putAll(entries: MapEntries<K, V>): Promise<void>

  /** Sets the value of the key if it has none. Returns the one that it has, which stays; undefined if the new one was set. */
  putIfAbsent(key: K, value: V): Promise<V | undefined>

  /** Sets the value of the key if it has none. Returns whether it did. */
  fastPutIfAbsent(key: K, value: V): Promise<boolean>

  /** Sets the value of the key if it has one. Returns the one before; undefined if there was none, and nothing was set. */
  putIfExists(key: K, value: V): Promise<V | undefined>

  /** Sets the value of the key if it has one. Returns whether it did. */
  fastPutIfExists(key: K, value: V): Promise<boolean>

  /** The same as {@link RMap.putIfExists}. */
  replace(key: K, value: V): Promise<V | undefined>

  /**
   * Sets the value of the key if the present one is as expected, by its bytes. Returns whether it did.
   *
   * @example
   * ```ts
   * const stock = client.getMap<string, number>('stock')
   * await stock.put('apple', 3)
   * if (!(await stock.replace('apple', 3, 2))) console.log('another client was first')
   * ```
   */
  replace(key: K, expected: V, value: V): Promise<boolean>

  /** The same as {@link RMap.fastPutIfExists}. */
  fastReplace(key: K, value: V): Promise<boolean>

  /** Removes the key, and returns the value that it had; undefined if it had none. */
  remove(key: K): Promise<V | undefined>

  /** Removes the key if its value is as expected, by its bytes. Returns whether it did. */
  remove(key: K, expected: V): Promise<boolean>

  /** Removes these keys. Returns how many of them had a value. One request for each 5 000 keys. It is not sent again: a copy would count less. */
  fastRemove(...keys: K[]): Promise<number>

  /**
   * Adds to a value that is a decimal number, as `jsonCodec()`, `longCodec()` and `doubleCodec()` write it. Returns the sum. A key without a value
   * begins at 0.
   *
   * Redis, on x86-64, adds with 64 binary digits, and keeps 17 decimal digits after the point. So integers
   * are exact up to 2⁶⁴, even as `bigint`. A larger sum is rounded, and a delta that is too small is not
   * added, both without an error. Use {@link RMap.compute} if that matters.
   *
   * @param delta - may be negative or have a fraction
   * @throws RangeError for a number that is not finite
   * @throws {@link CommandError} if the value is not a number
   * @example
   * ```ts
   * const visits = client.getMap<string, number>('visits')
   * console.log(await visits.addAndGet('/home', 1)) // 1
   * ```
   */
  addAndGet(key: K, delta: number | bigint): Promise<V>

  /**
   * Sets the value of the key to what a function makes of it, and returns that; undefined if the entry was removed, or is still not there.
   *
   * The function runs here, under the lock of the entry ({@link RMap.getLock}): for one key one function at a time, in Node and in
   * Java. The value is set only if it is still the one that the function was given, by its bytes. If it was changed meanwhile, by a call that does not take that
   * lock, the function is called again with the new one. So nothing that others put is overwritten unseen, and the function may be called more than once.
   *
   * If the function throws or rejects, so does the call, and the entry stays as it is. It must not write the value of its key itself. Four round trips: for the lock, the value, the new
   * value and the lock. A lost reply makes none of them count twice, with `exactlyOnce` and without.
   *
   * @throws {@link LockTimeoutError} if {@link ComputeOptions.waitMs} went by
   * @throws {@link NestedComputeError} inside a function that computes the value of the same key
   * @throws {@link EntryContendedError} if the value was changed a hundred times in a row while it was computed
   * @example
   * ```ts
   * const carts = client.getMap<string, string[]>('carts')
   * await carts.compute('7', (_, goods = []) => [...goods, 'apple'])
   * console.log(await carts.compute('7', () => undefined)) // undefined: it is removed
   * ```
   */
  compute(key: K, fn: ComputeFunction<K, V>, options?: ComputeOptions): Promise<V | undefined>

  /**
   * Returns the value of the key; if it has none, what a function returns, which is set. See
   * {@link RMap.compute}. One round trip if there is a value, and five if not: it looks first, and again
   * under the lock.
   *
   * @example
   * ```ts
   * const rates = client.getMap<string, number>('rates')
   * const rate = await rates.computeIfAbsent('EUR', async (currency, { signal }) => await work(signal).then(() => currency.length))
   * ```
   */
  computeIfAbsent(key: K, fn: ComputeIfAbsentFunction<K, V>, options?: ComputeOptions): Promise<V | undefined>

  /**
   * Sets the value of a key that has one as {@link RMap.compute} does, and returns it. One round trip if there is none, and five if there
   * is one.
   */
  computeIfPresent(
    key: K,
    fn: ComputeIfPresentFunction<K, V>,
    options?: ComputeOptions,
  ): Promise<V | undefined>

  /**
   * Sets the value of the key; if it has one, what a function makes of both. Returns what is there then. See {@link RMap.compute}.
   *
   * @example
   * ```ts
   * const words = client.getMap<string, number>('words')
   * console.log(await words.merge('apple', 1, (before, one) => before + one)) // 1
   * ```
   */
  merge(key: K, value: V, fn: MergeFunction<V>, options?: ComputeOptions): Promise<V | undefined>

  /**
   * Returns the lock of an entry, which is the same in Java, whether or not the key has a value. Only
   * {@link RMap.compute} and its like take it by themselves. It is an object of its own: it stays when the
   * map is renamed or deleted.
   *
   * @throws TypeError for `undefined` as key, and for an option that is unknown or wrong
   * @throws {@link CodecError} if the codec cannot write the key
   * @example
   * ```ts
   * const accounts = client.getMap<string, number>('accounts')
   * await accounts.getLock('7').withLock(async () => {
   *   const balance = (await accounts.get('7')) ?? 0
   *   await accounts.put('7', balance + 5)
   * })
   * ```
   */
  getLock(key: K, settings?: LockSettings): RLock

  /** Returns the fair lock of an entry. It is another lock than {@link RMap.getLock}, which see. */
  getFairLock(key: K, settings?: LockSettings): RLock

  /** Returns the read-write lock of an entry. It is another lock than {@link RMap.getLock}, which see. */
  getReadWriteLock(key: K, options?: ReadWriteLockOptions & LockSettings): RReadWriteLock

  /** Returns the semaphore of an entry. See {@link RMap.getLock}. */
  getSemaphore(key: K, settings?: SemaphoreSettings): RSemaphore

  /** Returns the semaphore with expirable permits of an entry. See {@link RMap.getLock}. */
  getPermitExpirableSemaphore(key: K, settings?: SemaphoreSettings): RPermitExpirableSemaphore

  /** Returns the latch of an entry. See {@link RMap.getLock}. */
  getCountDownLatch(key: K): RCountDownLatch

  /** Returns whether the key has a value. */
  containsKey(key: K): Promise<boolean>

  /**
   * Returns whether a key has this value, by its bytes.
   *
   * Takes O(n) for n entries, in requests that look at about 1 000 of them each. While other clients change the map, it may miss what was
   * not there for all of that time.
   */
  containsValue(value: V): Promise<boolean>

  /** Returns how many entries there are. */
  size(): Promise<number>

  /** Returns the length in bytes of the value of the key; 0 if it has none. */
  valueSize(key: K): Promise<number>

  /** Returns whether there are no entries. */
  isEmpty(): Promise<boolean>

  /** Removes all entries, as {@link RObject.delete} does. Takes O(n) for n entries, in which Redis does nothing else. */
  clear(): Promise<void>

  /**
   * Random distinct keys: that number, or all if there are fewer.
   *
   * @param count - 0 or more
   */
  randomKeys(count: number): Promise<K[]>

  /**
   * Random distinct entries: that number, or all if there are fewer.
   *
   * @param count - 0 or more
   */
  randomEntries(count: number): Promise<Map<K, V>>

  /**
   * All keys, each of them once, in no order.
   *
   * Up to 5 000 entries are read by one request and as of one moment. More are read by requests of about 1 000 each: what other clients put or
   * remove meanwhile may be among them or not. {@link RMap.keys} needs less memory.
   */
  readAllKeySet(): Promise<K[]>

  /** Returns the values of all keys. See {@link RMap.readAllKeySet}. */
  readAllValues(): Promise<V[]>

  /** All entries, each key once. See {@link RMap.readAllKeySet}. */
  readAllEntrySet(): Promise<[K, V][]>

  /** All entries. See {@link RMap.readAllKeySet}. */
  readAllMap(): Promise<Map<K, V>>

  /**
   * Walks through the keys, with a request for about `count` of them at a time. `break` ends it.
   *
   * What is there for all of that time comes, and what is not there at any time does not. While the map grows or shrinks, a key may come
   * twice. A failover or a moved slot in between may have keys left out.
   *
   * @throws RangeError for a `count` outside of 1 to 5 000
   * @example
   * ```ts
   * for await (const id of client.getMap('users').keys({ pattern: 'admin:*' })) console.log(id)
   * ```
   */
  keys(options?: MapScanOptions): AsyncIterable<K>

  /** Walks through the values. See {@link RMap.keys}: the pattern is one for keys. */
  values(options?: MapScanOptions): AsyncIterable<V>

  /** Walks through the entries, as `for await (const [key, value] of map)` does. See {@link RMap.keys}. */
  entries(options?: MapScanOptions): AsyncIterable<[K, V]>

  /**
   * Loads values by the {@link MapOptions.loader | loader}: of these keys, or of all that it knows.
   *
   * If one cannot be loaded, no other begins, and the call rejects when those that have begun have ended. What is loaded by then stays, and
   * an error of this library has `mayHaveRun`.
   *
   * @throws TypeError for a map without a loader, or without keys for a loader that does not know all of them
   * @example
   * ```ts
   * const names = client.getMap<string, string>('names', { loader: { load: (id) => `name of ${id}` } })
   * await names.loadAll({ keys: ['1', '2'] })
   * ```
   */
  loadAll(options?: LoadOptions<K>): Promise<void>

  /**
   * Writes at once what waits to be written behind, also by other processes, and resolves when all of it is written. `shutdown()` of the client
   * does the same, for as long as one reply may take.
   *
   * A process that has ended in the middle of its writing keeps others from writing the same entries for half a minute. Call this when
   * a service starts that is to write what was left before it goes on. Otherwise that is looked for a second after the first call of the map.
   *
   * Rejects with what the writer has thrown. Does nothing for a map that does not write behind.
   */
  flush(): Promise<void>

  /**
   * Listens for the events of {@link RObject.addListener}, for `put` (values were put or added to) and for `removed` (keys were removed), which
   * need `Kh` in `notify-keyspace-events`. Redis does not say which keys, and sends one event for all that one call changes. A map whose
   * last key is removed is also `deleted`.
   */
  addListener(
    event: ObjectEvent | 'put' | 'removed',
    listener: ObjectListener,
    options?: ListenOptions,
  ): Promise<Subscription>
}
