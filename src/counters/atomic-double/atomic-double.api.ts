import type { ObjectEvent, ObjectListener, RDumpable, RExpirable } from '../../api/object.js'
import type { Comparison } from '../shared/comparison.api.js'
import type { IncrementOptions } from '../shared/increment-options.api.js'
import type { ListenOptions, Subscription } from '../../topics/shared/subscription.api.js'

/**
 * A number with a fraction that all clients of the same servers share, in Node and in Java. It is 0 where there is none.
 *
 * All methods take one round trip and O(1). Values are written as Redisson for Java does, and compared as numbers: `1.50` is 1.5. Redis
 * adds with more digits than a `number` has, and keeps 17 behind the point of a sum: what is smaller than 10⁻¹⁷ is lost by an addition.
 * Redis also adds beyond the largest `number`, on most machines. Such a sum is no error: it is kept, and read as `Infinity` or `-Infinity` until it
 * is smaller again.
 *
 * `get` is sent again if its reply is lost, and so is `set`, which may overwrite what another client has set in between. All others
 * would count twice: they reject, and the error has `mayHaveRun`, unless the counter was made with `exactlyOnce`.
 *
 * @example
 * ```ts
 * const litres = client.getAtomicDouble('litres')
 * console.log(await litres.addAndGet(2.5)) // 2.5
 * ```
 */
export interface RAtomicDouble extends RExpirable, RDumpable {
  /**
   * Returns the value; 0 if there is none.
   *
   * @throws {@link WrongTypeError} if the name belongs to another kind of object
   * @throws {@link UnexpectedReplyError} if the name belongs to a text that is no number
   */
  get(): Promise<number>

  /**
   * Sets the value. Replaces an object of any type with that name, and its time to live.
   *
   * @throws RangeError for what is no number, for `NaN` and for infinities
   */
  set(value: number): Promise<void>

  /** Sets the value, and returns the one before. The time to live ends with that. */
  getAndSet(value: number): Promise<number>

  /** Removes the counter, and returns its value. */
  getAndDelete(): Promise<number>

  /**
   * Adds a number, and returns the sum. The time to live stays.
   *
   * @throws {@link CounterOverflowError} if the sum is more than Redis can write, which is far beyond the largest `number` on most machines; nothing is changed then
   * @throws {@link WrongTypeError} if the name belongs to anything but a number
   * @example
   * ```ts
   * await client.getAtomicDouble('litres').addAndGet(-0.5)
   * ```
   */
  addAndGet(delta: number): Promise<number>

  /** Adds a number as {@link RAtomicDouble.addAndGet} does, and returns the value before. */
  getAndAdd(delta: number): Promise<number>

  /**
   * Adds 1, or another number within bounds, as {@link RAtomicDouble.addAndGet} does, and returns the value afterwards. Where the sum would be
   * beyond a bound, that is the value before; with `saturate` it is the bound.
   *
   * @throws TypeError for options that are unknown or wrong; RangeError for bounds between which there is nothing
   * @example
   * ```ts
   * const seats = client.getAtomicDouble('seats')
   * console.log(await seats.incrementAndGet({ by: 5, upperBound: 3 })) // 0: as it was
   * console.log(await seats.incrementAndGet({ by: 5, upperBound: 3, saturate: true, expire: 60_000 })) // 3
   * ```
   */
  incrementAndGet(options?: IncrementOptions<number>): Promise<number>

  /** Subtracts 1 as {@link RAtomicDouble.addAndGet} does, and returns the difference. */
  decrementAndGet(): Promise<number>

  /** Adds 1 as {@link RAtomicDouble.addAndGet} does, and returns the value before. */
  getAndIncrement(): Promise<number>

  /** Subtracts 1 as {@link RAtomicDouble.addAndGet} does, and returns the value before. */
  getAndDecrement(): Promise<number>

  /**
   * Sets the value if the present one is as expected. Returns whether it did. The time to live ends with that.
   *
   * @param expected - 0 for none as well
   * @throws {@link WrongTypeError} if the name belongs to anything but a number
   * @example
   * ```ts
   * const price = client.getAtomicDouble('price:7')
   * const before = await price.get()
   * if (!(await price.compareAndSet(before, before * 1.1))) console.log('another client was first')
   * ```
   */
  compareAndSet(expected: number, value: number): Promise<boolean>

  /** Sets the value if the present one, 0 if there is none, is less than a limit. Returns whether it did. The time to live ends with that. */
  setIfLess(limit: number, value: number): Promise<boolean>

  /** Sets the value if the present one, 0 if there is none, is greater than a limit. Returns whether it did. The time to live ends with that. */
  setIfGreater(limit: number, value: number): Promise<boolean>

  /**
   * Removes the counter if its value compares with a limit as is said. Returns whether it did; false if there is none.
   *
   * @throws RangeError for a comparison that does not exist
   * @example
   * ```ts
   * await client.getAtomicDouble('litres').compareAndDelete('<=', 0)
   * ```
   */
  compareAndDelete(comparison: Comparison, limit: number): Promise<boolean>

  /**
   * Listens for the events of {@link RObject.addListener}, and for `set` and `incremented` (by any number), which need `K$` in
   * `notify-keyspace-events`.
   */
  addListener(
    event: ObjectEvent | 'set' | 'incremented',
    listener: ObjectListener,
    options?: ListenOptions,
  ): Promise<Subscription>
}
