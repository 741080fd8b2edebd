import type { ObjectEvent, ObjectListener, RDumpable, RExpirable } from '../../api/object.js'
import type { ObjectOptions } from '../../api/object-options.js'
import type { Comparison } from '../shared/comparison.api.js'
import type { IncrementOptions } from '../shared/increment-options.api.js'
import type { ListenOptions, Subscription } from '../../topics/shared/subscription.api.js'

/** How a counter of integers behaves. */
export interface AtomicLongOptions extends ObjectOptions {
  /**
   * Whether its integers are `bigint`, over the whole of 64 bits.
   *
   * @defaultValue false: they are `number`, and one beyond 2⁵³ − 1 is an {@link UnsafeIntegerError}
   */
  readonly bigint?: boolean | undefined
}

/**
 * An integer of 64 bits that all clients of the same servers share, in Node and in Java. It is 0 where there is none.
 *
 * All methods take one round trip and O(1). They are exact over the whole of 64 bits. With `number`, a result beyond 2⁵³ − 1 is an
 * {@link UnsafeIntegerError}, which has its digits; the operation has been done then. A client that shares the connection of the
 * program reads such results of additions only if that connection has `stringNumbers`.
 *
 * `get` is sent again if its reply is lost, and so is `set`, which may overwrite what another client has set in between. All others
 * would count twice: they reject, and the error has `mayHaveRun`, unless the counter was made with `exactlyOnce`.
 *
 * @example
 * ```ts
 * const orders = client.getAtomicLong('orders')
 * console.log(await orders.incrementAndGet()) // 1
 * ```
 */
export interface RAtomicLong<N extends number | bigint = number> extends RExpirable, RDumpable {
  /**
   * Returns the value; 0 if there is none.
   *
   * @throws {@link UnsafeIntegerError} for a value beyond 2⁵³ − 1 as a `number`
   * @throws {@link WrongTypeError} if the name belongs to another kind of object
   * @throws {@link UnexpectedReplyError} if the name belongs to a text that is no integer
   */
  get(): Promise<N>

  /**
   * Sets the value. Replaces an object of any type with that name, and its time to live.
   *
   * @throws RangeError for what is no whole number, or has more than 64 bits; TypeError for what is no `bigint` where that is expected
   */
  set(value: N): Promise<void>

  /** Sets the value, and returns the one before. The time to live ends with that. */
  getAndSet(value: N): Promise<N>

  /** Removes the counter, and returns its value. */
  getAndDelete(): Promise<N>

  /**
   * Adds a number, and returns the sum. The time to live stays.
   *
   * @throws {@link CounterOverflowError} if the sum has more than 64 bits; nothing is changed then
   * @throws {@link WrongTypeError} if the name belongs to anything but an integer
   * @example
   * ```ts
   * await client.getAtomicLong('stock:7').addAndGet(-3)
   * ```
   */
  addAndGet(delta: N): Promise<N>

  /** Adds a number as {@link RAtomicLong.addAndGet} does, and returns the value before. */
  getAndAdd(delta: N): Promise<N>

  /**
   * Adds 1, or another number within bounds, as {@link RAtomicLong.addAndGet} does, and returns the value afterwards. Where the sum would be
   * beyond a bound, that is the value before; with `saturate` it is the bound. So a value at the bound does not say whether this call has
   * counted.
   *
   * @throws TypeError for options that are unknown or wrong; RangeError for bounds between which there is nothing
   * @example
   * ```ts
   * const seats = client.getAtomicLong('seats')
   * console.log(await seats.incrementAndGet({ by: 5, upperBound: 3 })) // 0: as it was
   * console.log(await seats.incrementAndGet({ by: 5, upperBound: 3, saturate: true, expire: 60_000 })) // 3
   * ```
   */
  incrementAndGet(options?: IncrementOptions<N>): Promise<N>

  /** Subtracts 1 as {@link RAtomicLong.addAndGet} does, and returns the difference. */
  decrementAndGet(): Promise<N>

  /** Adds 1 as {@link RAtomicLong.addAndGet} does, and returns the value before. */
  getAndIncrement(): Promise<N>

  /** Subtracts 1 as {@link RAtomicLong.addAndGet} does, and returns the value before. */
  getAndDecrement(): Promise<N>

  /**
   * Sets the value if the present one is as expected. Returns whether it did. The time to live ends with that.
   *
   * @param expected - 0 for none as well
   * @throws {@link WrongTypeError} if the name belongs to anything but an integer
   * @example
   * ```ts
   * const version = client.getAtomicLong('version')
   * const before = await version.get()
   * if (!(await version.compareAndSet(before, before + 1))) console.log('another client was first')
   * ```
   */
  compareAndSet(expected: N, value: N): Promise<boolean>

  /** Sets the value if the present one, 0 if there is none, is less than a limit. Returns whether it did. The time to live ends with that. */
  setIfLess(limit: N, value: N): Promise<boolean>

  /** Sets the value if the present one, 0 if there is none, is greater than a limit. Returns whether it did. The time to live ends with that. */
  setIfGreater(limit: N, value: N): Promise<boolean>

  /**
   * Removes the counter if its value compares with a limit as is said. Returns whether it did; false if there is none.
   *
   * @throws RangeError for a comparison that does not exist
   * @example
   * ```ts
   * await client.getAtomicLong('stock:7').compareAndDelete('<=', 0)
   * ```
   */
  compareAndDelete(comparison: Comparison, limit: N): Promise<boolean>

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
