import type {
  NewTimeSeriesEntries,
  RTimeSeries,
  TimeSeriesAddOptions,
  TimeSeriesEntry,
  TimeSeriesTtlOptions,
  TimeSeriesWalkOptions,
} from './time-series.api.js'
import { FROM_ANY_NODE, type RunOptions } from '../../command/operation/command-executor.js'
import { optionalLifeTime, wholeNumber } from '../../core/arguments/arguments.js'
import type { ValueSettings } from '../../core/arguments/object-settings.js'
import { ANY_NUMBER, demandNoMore, known, optionsOf, refuseSurplus } from '../../core/arguments/options.js'
import { checkedScan, MOST_ENTRIES } from '../../core/arguments/scan-settings.js'
import type { ObjectContext } from '../../core/context/object-context.js'
import { OBJECT_EVENTS, type EventSources } from '../../core/object-events.js'
import { itemsOf } from '../../core/pages.js'
import { RedissonExpirable } from '../../core/redisson-expirable.js'
import type { ObjectKeys, ObjectKind } from '../../core/redisson-object.js'
import { seriesKeys, type SeriesCleaning } from './series-cleaning.js'
import { SeriesCodec, type StoredEntry } from './series-codec.js'
import { SeriesRequests, type Direction } from './series-requests.js'
import { ALL_TIME, moment, timeRange } from './timestamps.js'

const ADD = known<TimeSeriesAddOptions>({ label: true, ttlMs: true })
const ADD_ALL = known<TimeSeriesTtlOptions>({ ttlMs: true })
const WALK = known<TimeSeriesWalkOptions>({ count: true, onInvalid: true, signal: true })

const EVENTS = {
  ...OBJECT_EVENTS,
  added: { names: ['zadd'], flag: 'z' },
  removed: { names: ['zrem'], flag: 'z' },
} as const

/** What a program may have meant by a further argument. */
const ONE_TIMESTAMP = 'it takes one timestamp'

type Counts = readonly [] | readonly [count: number]

type Time = number | Date

type Decode<R> = (entry: StoredEntry) => R

/** Values in the order of their timestamps. */
export class RedissonTimeSeries<V, L> extends RedissonExpirable implements RTimeSeries<V, L> {
  static {
    refuseSurplus(this, {
      add: 'a label and a time to live are options',
      addAll: 'a time to live is an option',
      get: ONE_TIMESTAMP,
      getEntry: ONE_TIMESTAMP,
      remove: ONE_TIMESTAMP,
      getAndRemove: ONE_TIMESTAMP,
      getAndRemoveEntry: ONE_TIMESTAMP,
      first: ANY_NUMBER,
      last: ANY_NUMBER,
      pollFirst: ANY_NUMBER,
      pollLast: ANY_NUMBER,
    })
  }

  readonly #codec: SeriesCodec<V, L>
  readonly #requests: SeriesRequests
  readonly #cleaning: SeriesCleaning
  #isCleaned = false

  constructor(
    context: ObjectContext,
    name: string,
    { codec, run }: ValueSettings<unknown>,
    cleaning: SeriesCleaning,
  ) {
    super(context, name, { codec, run })
    this.#codec = new SeriesCodec(name, codec)
    this.#requests = new SeriesRequests(this.requests, seriesKeys(this.key)[1])
    this.#cleaning = cleaning
  }

  async add(timestamp: Time, value: V, options?: TimeSeriesAddOptions<L>): Promise<void> {
    const { label, ttlMs } = optionsOf<TimeSeriesAddOptions<L>>(options, ADD)
    const entry = this.#codec.encode(timestamp, value, label)
    await this.#used().add([entry], optionalLifeTime(ttlMs))
  }

  async addAll(entries: NewTimeSeriesEntries<V, L>, options?: TimeSeriesTtlOptions): Promise<void> {
    const { ttlMs } = optionsOf(options, ADD_ALL)
    const lifeMs = optionalLifeTime(ttlMs)
    await this.#used().add(this.#codec.encodeAll(entries), lifeMs)
  }

  async size(): Promise<number> {
    return await this.#used().size()
  }

  async get(timestamp: Time): Promise<V | undefined> {
    return await this.#at(timestamp, this.#codec.decodeValue)
  }

  async getEntry(timestamp: Time): Promise<TimeSeriesEntry<V, L> | undefined> {
    return await this.#at(timestamp, this.#codec.decodeEntry)
  }

  async remove(timestamp: Time): Promise<boolean> {
    return (await this.#used().take(moment(timestamp), 'forward', 1)).length > 0
  }

  async getAndRemove(timestamp: Time): Promise<V | undefined> {
    return await this.#takeAt(timestamp, this.#codec.decodeValue)
  }

  async getAndRemoveEntry(timestamp: Time): Promise<TimeSeriesEntry<V, L> | undefined> {
    return await this.#takeAt(timestamp, this.#codec.decodeEntry)
  }

  async removeRange(startTimestamp: Time, endTimestamp: Time): Promise<number> {
    return await this.#used().remove(timeRange(startTimestamp, endTimestamp))
  }

  first(): Promise<V | undefined>
  first(count: number): Promise<V[]>
  async first(...counts: Counts): Promise<V | V[] | undefined> {
    return await oneOrMany(counts, (count) => this.#end('forward', count, this.#codec.decodeValue))
  }

  async firstEntry(): Promise<TimeSeriesEntry<V, L> | undefined> {
    return (await this.firstEntries(1))[0]
  }

  async firstEntries(count: number): Promise<TimeSeriesEntry<V, L>[]> {
    return await this.#end('forward', count, this.#codec.decodeEntry)
  }

  async firstTimestamp(): Promise<number | undefined> {
    return (await this.#end('forward', 1, timestampOf))[0]
  }

  last(): Promise<V | undefined>
  last(count: number): Promise<V[]>
  async last(...counts: Counts): Promise<V | V[] | undefined> {
    return await oneOrMany(counts, (count) => this.#end('reversed', count, this.#codec.decodeValue))
  }

  async lastEntry(): Promise<TimeSeriesEntry<V, L> | undefined> {
    return (await this.lastEntries(1))[0]
  }

  async lastEntries(count: number): Promise<TimeSeriesEntry<V, L>[]> {
    return await this.#end('reversed', count, this.#codec.decodeEntry)
  }

  async lastTimestamp(): Promise<number | undefined> {
    return (await this.#end('reversed', 1, timestampOf))[0]
  }

  pollFirst(): Promise<V | undefined>
  pollFirst(count: number): Promise<V[]>
  async pollFirst(...counts: Counts): Promise<V | V[] | undefined> {
    return await oneOrMany(counts, (count) => this.#poll('forward', count, this.#codec.decodeValue))
  }

  async pollFirstEntry(): Promise<TimeSeriesEntry<V, L> | undefined> {
    return (await this.pollFirstEntries(1))[0]
  }

  async pollFirstEntries(count: number): Promise<TimeSeriesEntry<V, L>[]> {
    return await this.#poll('forward', count, this.#codec.decodeEntry)
  }

  pollLast(): Promise<V | undefined>
  pollLast(count: number): Promise<V[]>
  async pollLast(...counts: Counts): Promise<V | V[] | undefined> {
    return await oneOrMany(counts, (count) => this.#poll('reversed', count, this.#codec.decodeValue))
  }

  async pollLastEntry(): Promise<TimeSeriesEntry<V, L> | undefined> {
    return (await this.pollLastEntries(1))[0]
  }

  async pollLastEntries(count: number): Promise<TimeSeriesEntry<V, L>[]> {
    return await this.#poll('reversed', count, this.#codec.decodeEntry)
  }

  async range(startTimestamp: Time, endTimestamp: Time, limit?: number): Promise<V[]> {
    return await this.#range('forward', [startTimestamp, endTimestamp, limit], this.#codec.decodeValue)
  }

  async rangeReversed(startTimestamp: Time, endTimestamp: Time, limit?: number): Promise<V[]> {
    return await this.#range('reversed', [startTimestamp, endTimestamp, limit], this.#codec.decodeValue)
  }

  async entryRange(
    startTimestamp: Time,
    endTimestamp: Time,
    limit?: number,
  ): Promise<TimeSeriesEntry<V, L>[]> {
    return await this.#range('forward', [startTimestamp, endTimestamp, limit], this.#codec.decodeEntry)
  }

  async entryRangeReversed(
    startTimestamp: Time,
    endTimestamp: Time,
    limit?: number,
  ): Promise<TimeSeriesEntry<V, L>[]> {
    return await this.#range('reversed', [startTimestamp, endTimestamp, limit], this.#codec.decodeEntry)
  }

  values(options?: TimeSeriesWalkOptions): AsyncIterable<V> {
    return this.#walk(options, this.#codec.decodeValue)
  }

  entries(options?: TimeSeriesWalkOptions): AsyncIterable<TimeSeriesEntry<V, L>> {
    return this.#walk(options, this.#codec.decodeEntry)
  }

  [Symbol.asyncIterator](): AsyncIterator<V> {
    return this.values()[Symbol.asyncIterator]()
  }

  protected override get reading(): RunOptions {
    return FROM_ANY_NODE
  }

  protected override get events(): EventSources {
    return EVENTS
  }

  protected override keysOf(key: string): ObjectKeys {
    return seriesKeys(key)
  }

  protected override get kind(): ObjectKind {
    return 'zset'
  }

  /** Begins to clean the series with its first use. Returns what sends its requests. */
  #used(): SeriesRequests {
    if (!this.#isCleaned) this.#cleaning.hold(this, this.key)
    this.#isCleaned = true
    return this.#requests
  }

  async #at<R>(timestamp: Time, decode: Decode<R>): Promise<R | undefined> {
    const [entry] = await this.#used().read(moment(timestamp), 'forward', 1)
    return entry && decode(entry)
  }

  async #takeAt<R>(timestamp: Time, decode: Decode<R>): Promise<R | undefined> {
    return this.#codec.decodeTaken(await this.#used().take(moment(timestamp), 'forward', 1), decode)[0]
  }

  async #end<R>(direction: Direction, count: number, decode: Decode<R>): Promise<R[]> {
    const found = await this.#used().read(ALL_TIME, direction, wholeNumber('count', count, 0))
    return await this.#codec.decodeAll(inOrder(found, direction), decode)
  }

  async #poll<R>(direction: Direction, count: number, decode: Decode<R>): Promise<R[]> {
    if (wholeNumber('count', count, 0) > MOST_ENTRIES)
      throw new RangeError(`Expected \`count\` to be ${String(MOST_ENTRIES)} or less, got ${String(count)}`)
    if (count === 0) return []
    const taken = await this.#used().take(ALL_TIME, direction, count)
    return this.#codec.decodeTaken(inOrder(taken, direction), decode)
  }

  async #range<R>(
    direction: Direction,
    [start, end, limit]: readonly [Time, Time, number | undefined],
    decode: Decode<R>,
  ): Promise<R[]> {
    const range = timeRange(start, end)
    const most = limit === undefined ? undefined : wholeNumber('limit', limit, 1)
    return await this.#codec.decodeAll(await this.#used().read(range, direction, most), decode)
  }

  #walk<R>(options: TimeSeriesWalkOptions | undefined, decode: Decode<R>): AsyncIterable<R> {
    const settings = checkedScan(optionsOf(options, WALK))
    const pages = () => this.#used().pages(ALL_TIME, 'forward', settings)
    return { [Symbol.asyncIterator]: () => itemsOf(pages(), decode, settings) }
  }
}

/** One entry where no number was given. */
async function oneOrMany<R>(
  counts: Counts,
  find: (count: number) => Promise<R[]>,
): Promise<R | R[] | undefined> {
  demandNoMore((counts as readonly unknown[])[1], 'it takes one number')
  return counts.length === 0 ? (await find(1))[0] : await find(counts[0])
}

function inOrder(entries: readonly StoredEntry[], direction: Direction): readonly StoredEntry[] {
  return direction === 'forward' ? entries : entries.toReversed()
}

function timestampOf([, timestamp]: StoredEntry): number {
  return timestamp
}
