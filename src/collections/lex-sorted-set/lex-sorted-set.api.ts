import type { ObjectEvent, ObjectListener, RDumpable, RExpirable } from '../../api/object.js'
import type { ListenOptions, Subscription } from '../../topics/shared/subscription.api.js'
import type { PollOptions } from '../shared/polling.api.js'
import type { DistributedIteratorOptions } from '../set/set.api.js'

/** The values from one on. */
export interface LexTail {
  /** Where the values begin. It need not be one of them. */
  readonly from: string
  /**
   * Whether `from` itself belongs to them.
   *
   * @defaultValue true
   */
  readonly fromInclusive?: boolean | undefined
}

/** The values up to one. */
export interface LexHead {
  /** Where the values end. It need not be one of them. */
  readonly to: string
  /**
   * Whether `to` itself belongs to them.
   *
   * @defaultValue true
   */
  readonly toInclusive?: boolean | undefined
}

/**
 * The values between two. Bounds are named, so that a call says which of them belongs to the range.
 *
 * @example
 * ```ts
 * const monday: LexRange = { from: '2026-11-23', to: '2026-11-24', toInclusive: false }
 * ```
 */
export interface LexRange extends LexTail, LexHead {}

/** Which values of a range are meant. */
export interface LexPage {
  /**
   * How many values at the beginning of the range are left out. Redis scans them: O(offset).
   *
   * @defaultValue 0
   */
  readonly offset?: number | undefined
  /**
   * How many values there are at most.
   *
   * @defaultValue as many as there are
   */
  readonly count?: number | undefined
}

/** Which values an iteration over a set returns, and how. */
export interface LexSetScanOptions extends Partial<LexRange> {
  /**
   * How many values one request reads, from 1 to 5 000.
   *
   * @defaultValue 1 000
   */
  readonly count?: number | undefined
  /**
   * The handling of a value that is not text in UTF-8: the iteration ends with a {@link CodecError}, or skips it.
   *
   * @defaultValue `throw`
   */
  readonly onInvalid?: 'throw' | 'skip' | undefined
  /** Ends the iteration, which throws the reason of the signal. */
  readonly signal?: AbortSignal | undefined
}

/**
 * Texts in the order of their bytes, each of them once, shared by all clients of the same servers, in Node
 * and in Java. Use it as an index by name or by time, or for the words of an autocompletion.
 *
 * The order is that of the bytes in UTF-8, which is that of the code points: `Z` comes before `a`, `10`
 * before `9`, and `é` after `z`. `Array.prototype.sort` has the same order except for characters beyond
 * U+FFFF. The values are written as they are, without quotes, whatever codec the client has. A value that is
 * not a text, or has half of a surrogate pair, causes a {@link CodecError}. A set without values does not
 * exist. In Redis it is a sorted set whose scores are all 0. With other scores, ranges are undefined.
 *
 * Each method takes one round trip and O(log n), unless it says something else. Methods that only read are
 * sent again if their reply is lost. So are `add`, `remove`, `removeAll` and `retainAll`, which have the same
 * effect if they run twice. They may then overwrite what another client has written in between. A call
 * rejects if its result no longer shows which client has made the change. `addAll`, polls that do not wait,
 * and calls that return how many values they removed are not sent again: the call rejects, and its error has
 * `mayHaveRun`. With `exactlyOnce` all of them are sent again, and each takes effect once. For polls that
 * wait for a value, that is always so.
 *
 * All methods reject with a {@link WrongTypeError} if the name belongs to another kind of object. They reject
 * with a {@link CodecError} for a value that is not a text; then nothing was sent.
 *
 * @example
 * ```ts
 * const words = client.getLexSortedSet('words')
 * await words.addAll(['redis', 'red', 'reduce', 'blue'])
 * console.log(await words.range({ from: 'red', to: 'ree', toInclusive: false })) // [ 'red', 'redis', 'reduce' ]
 * console.log(await words.countHead({ to: 'c' })) // 1
 * console.log(await words.first()) // blue
 * ```
 */
export interface RLexSortedSet extends RExpirable, RDumpable, AsyncIterable<string> {
  /**
   * Adds the value. Returns whether it is new.
   *
   * If its reply is lost, a copy adds the value again that another client has taken meanwhile. To add values that others poll, make the set with
   * `exactlyOnce`.
   *
   * @throws TypeError for `undefined`
   */
  add(value: string): Promise<boolean>

  /**
   * Adds these values. Returns whether any of them is new.
   *
   * One request for each 5 000 values, one after the other: each of them takes effect as one step, but not
   * all of them together. If the call rejects, the requests before the failed one have taken effect, and its
   * error has `mayHaveRun` if they have changed something.
   *
   * @throws TypeError for what is no iterable, such as a text, and for `undefined` as value; nothing is sent then
   */
  addAll(values: Iterable<string>): Promise<boolean>

  /** Returns whether the value is there. O(1). */
  contains(value: string): Promise<boolean>

  /**
   * Returns whether all of these values are there; true for none. O(1) for each, one request for each 5 000.
   */
  containsAll(values: Iterable<string>): Promise<boolean>

  /** Removes the value. Returns whether it was there. */
  remove(value: string): Promise<boolean>

  /** Removes these values. Returns whether any of them was there. One request for each 5 000, as for {@link RLexSortedSet.addAll}. */
  removeAll(values: Iterable<string>): Promise<boolean>

  /**
   * Removes all values but these. Returns whether there were any others.
   *
   * One step for up to 5 000 values in the set and as many that stay. Otherwise it reads the set and removes page by page: what others add meanwhile may be
   * removed or not. Without any values to keep it is `delete()`.
   */
  retainAll(values: Iterable<string>): Promise<boolean>

  /** Removes the values between two. Returns how many there were. O(log n + what is removed). */
  removeRange(range: LexRange): Promise<number>

  /** Removes the values from one on. Returns how many there were. O(log n + what is removed). */
  removeRangeTail(range: LexTail): Promise<number>

  /** Removes the values up to one. Returns how many there were. O(log n + what is removed). */
  removeRangeHead(range: LexHead): Promise<number>

  /**
   * Removes the first value, and returns it; undefined if there is none.
   *
   * With `waitMs` it waits for one. It uses no blocking command: a change of the key wakes the waiter. So it
   * blocks no connection, and no value is lost or removed twice when a connection breaks. The order of
   * several waiters is undefined.
   *
   * @example
   * ```ts
   * const due = client.getLexSortedSet('due')
   * await due.addAll(['2026-12-01 rent', '2026-11-30 taxes'])
   * console.log(await due.pollFirst({ waitMs: 1_000 })) // 2026-11-30 taxes
   * ```
   */
  pollFirst(options?: PollOptions): Promise<string | undefined>

  /**
   * Removes the first values, and returns them, in their order; none if there are none. With `waitMs` it waits for the first one, and not for more.
   *
   * @param count - from 0 to 5 000: what is removed has to come back by one reply
   */
  pollFirst(count: number, options?: PollOptions): Promise<string[]>

  /** Removes the last value, and returns it; undefined if there is none. See `pollFirst`. */
  pollLast(options?: PollOptions): Promise<string | undefined>

  /** Removes the last values, and returns them, in the order of the set. See `pollFirst`. */
  pollLast(count: number, options?: PollOptions): Promise<string[]>

  /** Returns the first value; undefined if there is none. */
  first(): Promise<string | undefined>

  /** Returns the last value; undefined if there is none. */
  last(): Promise<string | undefined>

  /** Returns the number of values in front of this one; undefined if it is not there. */
  rank(value: string): Promise<number | undefined>

  /** Returns the number of values after this one; undefined if it is not there. */
  revRank(value: string): Promise<number | undefined>

  /** Any value; undefined if there is none. O(1). */
  random(): Promise<string | undefined>

  /**
   * Any values, each of them once. O(count).
   *
   * @param count - 0 or more
   */
  random(count: number): Promise<string[]>

  /**
   * Returns the values from one rank to another, both included. O(log n + what is returned), one request
   * however many there are. A negative rank counts from behind: −1 is the last.
   *
   * @throws RangeError for what is no whole number
   */
  range(startIndex: number, endIndex: number): Promise<string[]>

  /**
   * Returns the values between two, in their order. O(log n + offset + what is returned), one request however
   * many there are.
   *
   * @throws TypeError if a bound is missing or no text without lone surrogates; nothing is sent then
   * @example
   * ```ts
   * const visits = client.getLexSortedSet('visits')
   * await visits.addAll(['2026-11-23 /', '2026-11-23 /help', '2026-11-24 /'])
   * console.log(await visits.range({ from: '2026-11-23', to: '2026-11-24', count: 1 })) // [ '2026-11-23 /' ]
   * ```
   */
  range(range: LexRange & LexPage): Promise<string[]>

  /** Returns the values from one on, in their order. See `range`. */
  rangeTail(range: LexTail & LexPage): Promise<string[]>

  /** Returns the values up to one, in their order. See `range`. */
  rangeHead(range: LexHead & LexPage): Promise<string[]>

  /** Returns the values between two, the last one first; an offset counts from there. See `range`. */
  rangeReversed(range: LexRange & LexPage): Promise<string[]>

  /** Returns the values from one on, the last one first. See `rangeReversed`. */
  rangeTailReversed(range: LexTail & LexPage): Promise<string[]>

  /** Returns the values up to one, the last one first. See `rangeReversed`. */
  rangeHeadReversed(range: LexHead & LexPage): Promise<string[]>

  /** Returns how many values there are between two. */
  count(range: LexRange): Promise<number>

  /** Returns how many values there are from one on. */
  countTail(range: LexTail): Promise<number>

  /** Returns how many values there are up to one. */
  countHead(range: LexHead): Promise<number>

  /** Returns how many values there are. O(1). */
  size(): Promise<number>

  /** Returns whether there are no values. O(1). */
  isEmpty(): Promise<boolean>

  /** Removes all values. O(n) */
  clear(): Promise<void>

  /**
   * All values, in their order.
   *
   * Up to 5 000 are read by one request and as of one moment. More are read by requests of about 1 000 each: what other clients add
   * or remove meanwhile may be among them or not. {@link RLexSortedSet.values} needs less memory.
   */
  readAll(): Promise<string[]>

  /**
   * Iterates over the values in their order, all of them or those between two, as `for await (const value of set)` does. Each request reads `count` of them,
   * O(log n + count), and only one page is in memory. `break` ends it.
   *
   * What is there for all of that time comes once, and what is not there at any time does not. What others add or remove meanwhile comes if its
   * place was not passed yet.
   *
   * @throws RangeError for a `count` outside of 1 to 5 000
   * @example
   * ```ts
   * const words = client.getLexSortedSet('words')
   * for await (const word of words.values({ from: 'red', to: 'ree' })) console.log(word)
   * ```
   */
  values(options?: LexSetScanOptions): AsyncIterable<string>

  /**
   * Walks through the values together with all others that do so, in Node and in Java: each page of values, in no order, goes to one of them. See
   * {@link RSet.distributedIterator}.
   *
   * @throws {@link CrossSlotError} for an `iteratorName` in another slot
   * @example
   * ```ts
   * const words = client.getLexSortedSet('words')
   * for await (const word of words.distributedIterator({ count: 50 })) console.log(word)
   * ```
   */
  distributedIterator(options?: DistributedIteratorOptions): AsyncIterable<string>

  /**
   * Listens for the events of {@link RObject.addListener}; for `added` and `removed` (values were removed or polled), which need `Kz` in `notify-keyspace-events`. Redis does not say which values, and
   * sends one event for all that one request changes. A set whose last value is removed is also `deleted`.
   */
  addListener(
    event: ObjectEvent | 'added' | 'removed',
    listener: ObjectListener,
    options?: ListenOptions,
  ): Promise<Subscription>
}
