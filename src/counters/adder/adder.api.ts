import type { RExpirable } from '../../api/object.js'

/** How a program has the integers of an adder. */
export interface LongAdderOptions {
  /**
   * Whether its integers are `bigint`, over the whole of 64 bits.
   *
   * @defaultValue false: they are `number`, and a sum beyond 2⁵³ − 1 is an {@link UnsafeIntegerError}
   */
  readonly bigint?: boolean | undefined
}

/** How long a caller waits for the other clients. */
export interface AdderWaitOptions {
  /**
   * After how many milliseconds the call rejects with an {@link AdderTimeoutError} if a client has not replied.
   *
   * @defaultValue 60 000, as in Redisson
   */
  readonly waitMs?: number | undefined
  /** Ends the waiting when it aborts: the call rejects with its reason. */
  readonly signal?: AbortSignal | undefined
}

/**
 * Common interface of the adders of integers and of fractions. See {@link RLongAdder}.
 *
 * No key holds what was added, so that the methods of {@link RExpirable} find nothing: `isExists` and `delete` return false, and `rename`
 * rejects with a {@link NoSuchObjectError}. They refuse a name that belongs to another object with a {@link WrongTypeError}.
 */
export interface RAdder<N extends number | bigint> extends RExpirable {
  /**
   * Adds a number in this process, without a round trip. Nothing is sent but the subscription, once for each name, by which the clients are asked for
   * their sums.
   *
   * @throws RangeError for a number that it cannot add; TypeError for what is no `bigint` where that is expected
   * @throws {@link CounterOverflowError} if this client's sum would become too large; nothing is added then
   * @throws {@link AdderDestroyedError} after {@link RAdder.destroy}; {@link ClientClosedError} after the shutdown
   * @throws {@link WrongTypeError} if this client uses the name for an adder of the other kind
   */
  add(value: N): void

  /** Adds 1, as {@link RAdder.add} does. */
  increment(): void

  /** Subtracts 1, as {@link RAdder.add} adds. */
  decrement(): void

  /**
   * Returns the sum of all clients that are connected.
   *
   * It is a snapshot. It includes everything that was added before the call by this client, and by all
   * connected clients whose subscription Redis has confirmed. Additions during the call may be included.
   * Nothing is counted twice.
   *
   * It takes some five round trips, and one request of each client. Concurrent calls of one object without
   * options share these; each still waits up to its own 60 seconds. If a client does not reply, because it
   * has ended or lost a message, the call takes longer. All are asked again after two seconds, then after
   * four, and so on. Cost in Redis: O(clients), and two keys that are removed at the end, or else expire
   * after two minutes. It cannot be part of a batch.
   *
   * @throws {@link AdderTimeoutError} if a client that is connected according to Redis has not replied in
   * time
   * @throws {@link UnsafeIntegerError} for a sum beyond 2⁵³ − 1 as a `number`
   * @throws {@link CounterOverflowError} if the sum is too large for Redis
   * @throws {@link WrongTypeError} if adders of both kinds have this name
   * @throws {@link SubscriptionTimeoutError} if Redis does not confirm a subscription in time; the reason of the signal, if that aborts first
   * @throws {@link AdderDestroyedError} after {@link RAdder.destroy}
   */
  sum(options?: AdderWaitOptions): Promise<N>

  /**
   * Resets the sums of all connected clients to 0.
   *
   * Everything that was added before the call is gone, under the same conditions as for {@link RAdder.sum}.
   * Additions during the call may stay or be gone. After an error with `mayHaveRun: true`, or when the signal
   * has aborted, some clients may have reset their sums, and others not. Cost and errors are those of
   * {@link RAdder.sum}.
   */
  reset(options?: AdderWaitOptions): Promise<void>

  /**
   * Ends this object: what it has added is in no sum any more. To keep that, add it elsewhere before. All other adders of the name stay,
   * also those of the same client, which stops listening a second after the last was destroyed. Sends nothing but the end of the subscription. It may be
   * called again.
   */
  destroy(): Promise<void>

  /** The same as {@link RAdder.destroy}, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>
}

/**
 * An integer to which all clients of the same servers add, in Node and in Java, without a round trip. Each
 * client keeps its own sum, and {@link RAdder.sum} collects them.
 *
 * Use it for numbers that change far more often than they are read, and that may be lost: the part of a
 * process is gone when it ends. Use an {@link RAtomicLong} for numbers that must last.
 *
 * All objects of one name in a client share one sum and one subscription, so you may make one for each
 * addition. They stay until they are destroyed, or the client ends. A name belongs to adders of one kind.
 *
 * @example
 * ```ts
 * const hits = client.getLongAdder('hits')
 * hits.add(3)
 * hits.decrement()
 * console.log(await hits.sum()) // 2
 * await hits.destroy()
 * ```
 */
export type RLongAdder<N extends number | bigint = number> = RAdder<N>

/**
 * A number with a fraction to which all clients of the same servers add, in Node and in Java: an {@link RLongAdder} of fractions.
 *
 * The sum of one client is exact, and rounded once when it is asked for. Redis adds those of the clients with 17 digits behind the point.
 *
 * @example
 * ```ts
 * await using litres = client.getDoubleAdder('litres')
 * litres.add(0.5)
 * litres.add(1.25)
 * console.log(await litres.sum()) // 1.75
 * ```
 */
export type RDoubleAdder = RAdder<number>

/** The adders that a client hands out. */
export interface AdderObjects {
  /**
   * An adder of integers by its name, as `bigint`. Nothing is sent until it is used.
   *
   * @example
   * ```ts
   * await using bytes = client.getLongAdder('bytes', { bigint: true })
   * bytes.add(2n ** 60n)
   * ```
   */
  getLongAdder(name: string, options: LongAdderOptions & { readonly bigint: true }): RLongAdder<bigint>
  /**
   * An adder of integers by its name. Nothing is sent until it is used.
   *
   * @param name - a non-empty string without lone surrogates
   * @throws TypeError for a name that is none, or an option that is unknown or wrong
   * @throws {@link CrossSlotError} for a name that a cluster cannot serve
   */
  getLongAdder(name: string, options?: LongAdderOptions & { readonly bigint?: false | undefined }): RLongAdder

  /**
   * An adder of numbers with a fraction by its name. Nothing is sent until it is used.
   *
   * @param name - a non-empty string without lone surrogates
   * @throws TypeError for a name that is none
   * @throws {@link CrossSlotError} for a name that a cluster cannot serve
   */
  getDoubleAdder(name: string): RDoubleAdder
}
