import type { ValueOptions } from '../../api/object-options.js'
import type { ObjectEvent, ObjectListener, RExpirable } from '../../api/object.js'
import type { ListenOptions, Subscription } from '../../topics/shared/subscription.api.js'

/** Options of a time series. One codec writes values and labels. */
export type TimeSeriesOptions<V, L = unknown> = ValueOptions<unknown extends L ? V : V | L>

/** An entry of a time series. */
export interface TimeSeriesEntry<V, L = unknown> {
  /** Milliseconds since 1970. */
  readonly timestamp: number
  /** Anything that the codec can write. */
  readonly value: V
  /** Anything else that the codec can write. Left out: the entry has no label. */
  readonly label?: L
}

/** Entries to be added: a `Map` of values by timestamp, other pairs, or objects that may have a label. */
export type NewTimeSeriesEntries<V, L = unknown> =
  | Iterable<readonly [timestamp: number | Date, value: V]>
  | Iterable<
      Omit<TimeSeriesEntry<V, L>, 'timestamp'> & {
        /** Milliseconds since 1970, or a `Date`. */
        readonly timestamp: number | Date
      }
    >

/** How long entries last. */
export interface TimeSeriesTtlOptions {
  /**
   * The time to live in milliseconds, by the clock of the server.
   *
   * @defaultValue none, which 0 means too: an entry stays until it is removed
   */
  readonly ttlMs?: number | undefined
}

/** Options of an entry that is added. */
export interface TimeSeriesAddOptions<L = unknown> extends TimeSeriesTtlOptions {
  /**
   * What the entry is labelled with. The codec of the values writes it too.
   *
   * @defaultValue none
   */
  readonly label?: L | undefined
}

/** Options of an iteration over a time series. */
export interface TimeSeriesWalkOptions {
  /**
   * How many entries one request returns, from 1 to 5 000.
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

/**
 * Values by timestamp that all clients of the same servers share, in Node and in Java. A value may have a label and a time to live of its own.
 *
 * Several entries may have one timestamp; they come in no particular order. An entry whose time to live has ended, by the clock of the server, is
 * not returned, counted or polled. A client frees its memory for as long as the program refers to a series that it has used.
 *
 * A timestamp is a whole number of milliseconds, or a `Date`. Methods reject with a `TypeError` for anything else, and with a `RangeError`
 * for a fraction or an invalid date. `undefined` is no value: it means that there is none.
 *
 * Each method takes one round trip, and O(m + log n) for m of n entries. One request is about 5 000 entries at most; a read counts those
 * that have ended. A call that needs more sends several, which are not one step. In a batch it rejects with a {@link NotInBatchError}.
 *
 * Reads may be sent to replicas, if `readMode` says so. Reads, `add` and `addAll` are sent again if their reply is lost; an entry that another
 * client has removed in between is added again then. All others reject, and the error has `mayHaveRun`. With `exactlyOnce` all are sent
 * again, and each takes effect once.
 *
 * All methods reject with a {@link WrongTypeError} if the name belongs to another kind of object. They reject
 * with a {@link CodecError} if the codec cannot write a value (then nothing was sent) or read one.
 * {@link CodecError.taken} and {@link CodecError.unreadable} return what such a call has removed.
 *
 * @example
 * ```ts
 * const degrees = client.getTimeSeries<number, string>('degrees')
 * await degrees.add(Date.now(), 21.5, { label: 'kitchen', ttlMs: 86_400_000 })
 * console.log(await degrees.range(Date.now() - 60_000, Date.now())) // [ 21.5 ]
 * ```
 */
export interface RTimeSeries<V, L = unknown> extends RExpirable, AsyncIterable<V> {
  /**
   * Adds an entry. Others with this timestamp stay.
   *
   * @throws TypeError for `undefined` as the value
   * @throws RangeError for a time to live below 0
   */
  add(timestamp: number | Date, value: V, options?: TimeSeriesAddOptions<L>): Promise<void>

  /**
   * Adds entries, one request for each 5 000.
   *
   * @throws TypeError for what is neither pairs nor entries
   * @example
   * ```ts
   * const prices = client.getTimeSeries<number, string>('prices')
   * await prices.addAll(new Map([[1_000, 9.5], [2_000, 9.7]]))
   * await prices.addAll([{ timestamp: 3_000, value: 9.6, label: 'sale' }], { ttlMs: 60_000 })
   * ```
   */
  addAll(entries: NewTimeSeriesEntries<V, L>, options?: TimeSeriesTtlOptions): Promise<void>

  /** Returns the number of entries. Takes O(log n). */
  size(): Promise<number>

  /** Returns the value at a timestamp, of several one; undefined if there is none. */
  get(timestamp: number | Date): Promise<V | undefined>

  /** The same with timestamp and label. */
  getEntry(timestamp: number | Date): Promise<TimeSeriesEntry<V, L> | undefined>

  /** Removes the entry at a timestamp, of several one. Returns whether there was any. */
  remove(timestamp: number | Date): Promise<boolean>

  /** The same, but returns the value; undefined if there is none. */
  getAndRemove(timestamp: number | Date): Promise<V | undefined>

  /** The same with timestamp and label. */
  getAndRemoveEntry(timestamp: number | Date): Promise<TimeSeriesEntry<V, L> | undefined>

  /** Removes the entries from one timestamp to another, both included. Returns how many there were. Either bound may be infinite. */
  removeRange(startTimestamp: number | Date, endTimestamp: number | Date): Promise<number>

  /** Returns the value with the lowest timestamp; undefined if there is none. */
  first(): Promise<V | undefined>

  /** Returns the values with the lowest timestamps, up to a number of them. */
  first(count: number): Promise<V[]>

  /** The same with timestamp and label. */
  firstEntry(): Promise<TimeSeriesEntry<V, L> | undefined>

  /** The same with timestamps and labels. */
  firstEntries(count: number): Promise<TimeSeriesEntry<V, L>[]>

  /** Returns the lowest timestamp; undefined if there is none. */
  firstTimestamp(): Promise<number | undefined>

  /** Returns the value with the highest timestamp; undefined if there is none. */
  last(): Promise<V | undefined>

  /** Returns the values with the highest timestamps, up to a number of them; the highest comes last. */
  last(count: number): Promise<V[]>

  /** The same with timestamp and label. */
  lastEntry(): Promise<TimeSeriesEntry<V, L> | undefined>

  /** The same with timestamps and labels. */
  lastEntries(count: number): Promise<TimeSeriesEntry<V, L>[]>

  /** Returns the highest timestamp; undefined if there is none. */
  lastTimestamp(): Promise<number | undefined>

  /** Removes what `first()` returns. */
  pollFirst(): Promise<V | undefined>

  /**
   * Removes what `first(count)` returns.
   *
   * @param count - 5 000 at most
   */
  pollFirst(count: number): Promise<V[]>

  /** The same with timestamp and label. */
  pollFirstEntry(): Promise<TimeSeriesEntry<V, L> | undefined>

  /** The same with timestamps and labels. */
  pollFirstEntries(count: number): Promise<TimeSeriesEntry<V, L>[]>

  /** Removes what `last()` returns. */
  pollLast(): Promise<V | undefined>

  /**
   * Removes what `last(count)` returns.
   *
   * @param count - 5 000 at most
   */
  pollLast(count: number): Promise<V[]>

  /** The same with timestamp and label. */
  pollLastEntry(): Promise<TimeSeriesEntry<V, L> | undefined>

  /** The same with timestamps and labels. */
  pollLastEntries(count: number): Promise<TimeSeriesEntry<V, L>[]>

  /**
   * Returns the values from one timestamp to another, both included. Either bound may be infinite.
   *
   * @param limit - how many values are wanted at most, 1 or more; all if it is left out
   * @example
   * ```ts
   * const prices = client.getTimeSeries<number>('prices')
   * console.log(await prices.range(1_000, Infinity, 10))
   * ```
   */
  range(startTimestamp: number | Date, endTimestamp: number | Date, limit?: number): Promise<V[]>

  /** The same with the highest timestamp first. A limit keeps the highest. */
  rangeReversed(startTimestamp: number | Date, endTimestamp: number | Date, limit?: number): Promise<V[]>

  /** The same as `range`, with timestamps and labels. */
  entryRange(
    startTimestamp: number | Date,
    endTimestamp: number | Date,
    limit?: number,
  ): Promise<TimeSeriesEntry<V, L>[]>

  /** The same as `rangeReversed`, with timestamps and labels. */
  entryRangeReversed(
    startTimestamp: number | Date,
    endTimestamp: number | Date,
    limit?: number,
  ): Promise<TimeSeriesEntry<V, L>[]>

  /**
   * Walks through the values in their order, some at a time, as `for await` over the series does. An entry that is there all the time comes
   * once; others may come.
   */
  values(options?: TimeSeriesWalkOptions): AsyncIterable<V>

  /** The same with timestamps and labels. */
  entries(options?: TimeSeriesWalkOptions): AsyncIterable<TimeSeriesEntry<V, L>>

  /**
   * Listens for the events of {@link RObject.addListener}; for `added` and `removed` (also of entries that have ended, when their memory is
   * freed), which need `Kz` in `notify-keyspace-events`. Redis does not say which entries.
   */
  addListener(
    event: ObjectEvent | 'added' | 'removed',
    listener: ObjectListener,
    options?: ListenOptions,
  ): Promise<Subscription>
}
