import type { ObjectEvent, ObjectListener, RDumpable, RExpirable } from '../../api/object.js'
import type { ListenOptions, Subscription } from '../../topics/shared/subscription.api.js'

/**
 * A value of any kind that all clients of the same servers share, in Node and in Java.
 *
 * Values are compared by their encoded bytes. `undefined` is no value: it means that there is none. All
 * methods take one round trip, and O(1) besides the length of the value.
 *
 * A method that changes something "in one step" may be called by any number of clients at once. If its reply
 * is lost, it is not sent again: the call rejects, and its error has `mayHaveRun`, unless the bucket was made
 * with `exactlyOnce`. All others are sent again. They may then overwrite what another client has written in
 * between. A call rejects if its result no longer shows which client has made the change. With `exactlyOnce`
 * these take effect once, too.
 *
 * @example
 * ```ts
 * const bucket = client.getBucket<{ theme: string }>('settings:7')
 * await bucket.set({ theme: 'dark' })
 * console.log(await bucket.get()) // { theme: 'dark' }
 * ```
 */
export interface RBucket<V> extends RExpirable, RDumpable {
  /**
   * Returns the value; undefined if there is none.
   *
   * @throws {@link CodecError} if the codec cannot read it
   * @throws {@link WrongTypeError} if the name belongs to another kind of object
   */
  get(): Promise<V | undefined>

  /**
   * Sets the value. Replaces an object of any type with that name, and its time to live.
   *
   * @param value - anything that the codec can write, but `undefined`
   * @param ttlMs - milliseconds after which Redis removes it; never by default, or if 0
   * @throws TypeError for `undefined`: `delete()` removes a value
   * @throws {@link CodecError} if the codec cannot write the value; nothing is sent then
   * @throws RangeError for a negative time
   * @example
   * ```ts
   * await client.getBucket('session:7').set({ user: 7 }, 60_000)
   * ```
   */
  set(value: V, ttlMs?: number): Promise<void>

  /** Sets the value as {@link RBucket.set} does, and leaves the time to live as it is. */
  setAndKeepTTL(value: V): Promise<void>

  /**
   * Sets the value in one step if nothing has the name. Returns whether it did.
   *
   * @param ttlMs - milliseconds after which Redis removes it; never by default, or if 0
   */
  setIfAbsent(value: V, ttlMs?: number): Promise<boolean>

  /**
   * Sets the value if something has the name. Returns whether it did.
   *
   * @param ttlMs - milliseconds after which Redis removes it; never by default, or if 0
   */
  setIfExists(value: V, ttlMs?: number): Promise<boolean>

  /**
   * Sets the value in one step, and returns the one before; undefined if there was none.
   *
   * @param ttlMs - milliseconds after which Redis removes it; never by default, or if 0
   */
  getAndSet(value: V, ttlMs?: number): Promise<V | undefined>

  /** Removes the value in one step, and returns it; undefined if there was none. If the codec cannot read it, {@link CodecError.unreadable} has it. */
  getAndDelete(): Promise<V | undefined>

  /**
   * Returns the value, and has it expire.
   *
   * @param time - milliseconds from now on, more than 0; or when
   */
  getAndExpire(time: number | Date): Promise<V | undefined>

  /** Returns the value, and has it never expire. */
  getAndClearExpire(): Promise<V | undefined>

  /**
   * Sets the value in one step if the present one is as expected, by its bytes. Returns whether it did. The time to live ends with
   * that.
   *
   * @param expected - undefined for none
   * @example
   * ```ts
   * const version = client.getBucket<number>('version')
   * const before = await version.get()
   * if (!(await version.compareAndSet(before, (before ?? 0) + 1))) console.log('another client was first')
   * ```
   */
  compareAndSet(expected: V | undefined, value: V): Promise<boolean>

  /** Removes the value in one step if it is as expected, by its bytes. Returns whether it did. */
  compareAndDelete(expected: V): Promise<boolean>

  /** Returns the length of the value in bytes; 0 if there is none. */
  size(): Promise<number>

  /**
   * Returns the longest common subsequence of the bytes of this value and of another bucket's value, as the
   * codec reads it; undefined if there is none. The bytes have the same order in both, but need not be
   * adjacent. O(n × m) for their lengths. It needs Redis 7 or later.
   *
   * @param name - the name of the other bucket
   * @throws {@link CrossSlotError} if it belongs to another slot of the cluster; names with the same hash tag do not
   * @throws {@link CodecError} if the codec cannot read the sequence, which may happen with any codec but those of texts and bytes
   * @throws {@link UnsupportedCommandError} where Redis is older
   * @example
   * ```ts
   * import { stringCodec } from 'ioredisson'
   *
   * const [one, two] = ['{dna}:1', '{dna}:2'].map((name) => client.getBucket(name, { codec: stringCodec() }))
   * await Promise.all([one?.set('ohmytext'), two?.set('mynewtext')])
   * console.log(await one?.findCommon('{dna}:2')) // mytext
   * ```
   */
  findCommon(name: string): Promise<V | undefined>

  /** Returns how many bytes {@link RBucket.findCommon} has; 0 if there are none. */
  findCommonLength(name: string): Promise<number>

  /**
   * Listens for the events of {@link RObject.addListener}, and for `set`, which needs `K$` in `notify-keyspace-events`.
   */
  addListener(
    event: ObjectEvent | 'set',
    listener: ObjectListener,
    options?: ListenOptions,
  ): Promise<Subscription>
}
