import type {
  AggregateOptions,
  CountIntersectionOptions,
  RankedEntry,
  RScoredSortedSet,
  ScoredEntries,
  ScoredSetScanOptions,
  ScoreRange,
  ScoreRangePage,
  SetNames,
} from './scored-sorted-set.api.js'
import type { PollOptions, TakeOptions } from '../shared/polling.api.js'
import type { DistributedIteratorOptions } from '../set/set.api.js'
import type { SortGetOptions, SortOptions } from '../shared/sortable.api.js'
import { FROM_ANY_NODE, type RunOptions } from '../../command/operation/command-executor.js'
import { wholeNumber } from '../../core/arguments/arguments.js'
import { valuesOf } from '../../core/entries.js'
import { scoredSetCursor } from '../../core/context/names.js'
import type { ObjectContext } from '../../core/context/object-context.js'
import { OBJECT_EVENTS, type EventSources } from '../../core/object-events.js'
import type { ValueSettings } from '../../core/arguments/object-settings.js'
import { refuseSurplus, ANY_NUMBER } from '../../core/arguments/options.js'
import { walk } from '../../core/pages.js'
import { RedissonExpirable } from '../../core/redisson-expirable.js'
import type { ObjectKind } from '../../core/redisson-object.js'
import type { KeyWaiters } from '../../waiting/key-waiters.js'
import { distributedItems, distributedScan } from '../shared/distributed-pages.js'
import { inParts } from '../shared/in-parts.js'
import { retainAll } from '../shared/retain-all.js'
import { Sorting } from '../shared/sorting.js'
import { Combinations } from './combinations.js'
import { Polls, type End, type Poll } from './polls.js'
import { Ranges } from './ranges.js'
import { Ranks } from './ranks.js'
import { ScoredCodec, type Entry } from './scored-codec.js'
import { ScoredReader, type ScoredBytes } from './scored-reader.js'
import { pollCount, pollPatience, pollRequest, takePatience } from '../shared/polling.js'
import { scanSettings } from './scored-set-options.js'
import * as commands from './scored-sorted-set.commands.js'
import * as scripts from './scored-sorted-set.scripts.js'
import { boundsOf, scoreText, type GivenRange } from './scores.js'
import { Scoring } from './scoring.js'

/** What a program may have meant by a further argument. */
const ONE_VALUE = 'it is about one value'
const ONE_LIST = 'the values are one list'
const NO_TIME = 'a value of this set has no time to live of its own'
const BY_RANGE = 'the bounds are options'

const EVENTS = {
  ...OBJECT_EVENTS,
  added: { names: ['zadd'], flag: 'z' },
  incremented: { names: ['zincr'], flag: 'z' },
  removed: { names: ['zrem', 'zpopmin', 'zpopmax', 'zremrangebyrank', 'zremrangebyscore'], flag: 'z' },
  stored: {
    names: ['zunionstore', 'zinterstore', 'zdiffstore', 'zrangestore', 'geosearchstore', 'georadiusstore'],
    flag: 'z',
  },
} as const

/** Values in the order of their scores. */
export class RedissonScoredSortedSet<V> extends RedissonExpirable implements RScoredSortedSet<V> {
  static {
    refuseSurplus(this, {
      add: NO_TIME,
      addIfAbsent: NO_TIME,
      addIfExists: NO_TIME,
      addIfGreater: NO_TIME,
      addIfLess: NO_TIME,
      addAll: NO_TIME,
      addAllIfAbsent: NO_TIME,
      addAllIfExist: NO_TIME,
      addAllIfGreater: NO_TIME,
      addAllIfLess: NO_TIME,
      addAndGetRank: NO_TIME,
      addAndGetRevRank: NO_TIME,
      addAllAndGetRevRank: NO_TIME,
      addScore: ONE_VALUE,
      addScoreAndGetRank: ONE_VALUE,
      addScoreAndGetRevRank: ONE_VALUE,
      replace: 'one value takes the place of another',
      getScore: 'getScores() returns several scores',
      getScores: ONE_LIST,
      rank: ONE_VALUE,
      revRank: 'revRanks() returns several ranks',
      revRanks: ONE_LIST,
      rankEntry: ONE_VALUE,
      revRankEntry: ONE_VALUE,
      contains: 'containsAll() looks for several values',
      containsAll: ONE_LIST,
      remove: 'removeAll() removes several values',
      removeAll: ONE_LIST,
      retainAll: ONE_LIST,
      removeRangeByRank: 'it takes two ranks',
      removeRangeByScore: BY_RANGE,
      pollFirst: ANY_NUMBER,
      pollLast: ANY_NUMBER,
      pollFirstFromAny: ANY_NUMBER,
      pollLastFromAny: ANY_NUMBER,
      random: 'it takes one number',
      randomEntries: 'it takes one number',
      valueRange: ANY_NUMBER,
      valueRangeReversed: ANY_NUMBER,
      entryRange: ANY_NUMBER,
      entryRangeReversed: ANY_NUMBER,
      rangeTo: ANY_NUMBER,
      revRangeTo: ANY_NUMBER,
      count: BY_RANGE,
      union: ONE_LIST,
      readUnion: ONE_LIST,
      readUnionEntries: ONE_LIST,
      intersection: ONE_LIST,
      readIntersection: ONE_LIST,
      readIntersectionEntries: ONE_LIST,
      countIntersection: ONE_LIST,
      diff: ONE_LIST,
      readDiff: ONE_LIST,
      readDiffEntries: ONE_LIST,
      readAll: 'values() takes a pattern',
      readAllEntries: 'entries() takes a pattern',
      values: 'a pattern is an option',
      entries: 'a pattern is an option',
      distributedIterator: 'a pattern is an option',
    })
  }

  readonly #codec: ScoredCodec<V>
  readonly #scoring: Scoring
  readonly #ranks: Ranks
  readonly #ranges: Ranges
  readonly #combinations: Combinations
  readonly #polls: Polls
  readonly #reader: ScoredReader
  readonly #sorting: Sorting<V>
  /** Where a walk that several make goes on. */
  readonly #cursor: string

  constructor(context: ObjectContext, name: string, { codec, run }: ValueSettings<V>, waiters: KeyWaiters) {
    super(context, name, { codec, run })
    const access = this.requests
    this.#codec = new ScoredCodec(name, codec, 'remove() removes a value')
    this.#scoring = new Scoring(access)
    this.#ranks = new Ranks(access, this.#scoring)
    this.#ranges = new Ranges(access)
    const keyOf = (other: string) => this.keyInSlot(other)
    this.#combinations = new Combinations(access, keyOf)
    this.#polls = new Polls(access, waiters, keyOf)
    this.#reader = new ScoredReader(this.requests)
    this.#sorting = new Sorting(access, this.#codec)
    this.#cursor = scoredSetCursor(this.key, (key) => context.topology.slotOf(key))
  }

  async add(score: number, value: V): Promise<boolean> {
    return await this.#scoring.add(commands.add, score, this.#codec.encode(value))
  }

  async addIfAbsent(score: number, value: V): Promise<boolean> {
    return await this.#scoring.add(commands.addIfAbsent, score, this.#codec.encode(value))
  }

  async addIfExists(score: number, value: V): Promise<boolean> {
    return await this.#scoring.add(commands.addIfExists, score, this.#codec.encode(value))
  }

  async addIfGreater(score: number, value: V): Promise<boolean> {
    return await this.#scoring.add(commands.addIfGreater, score, this.#codec.encode(value))
  }

  async addIfLess(score: number, value: V): Promise<boolean> {
    return await this.#scoring.add(commands.addIfLess, score, this.#codec.encode(value))
  }

  async addAll(entries: ScoredEntries<V>): Promise<number> {
    return await this.#scoring.addAll(commands.addAll, this.#codec.encodeEntries(entries))
  }

  async addAllIfAbsent(entries: ScoredEntries<V>): Promise<number> {
    return await this.#scoring.addAll(commands.addAllIfAbsent, this.#codec.encodeEntries(entries))
  }

  async addAllIfExist(entries: ScoredEntries<V>): Promise<number> {
    return await this.#scoring.addAll(commands.addAllIfExist, this.#codec.encodeEntries(entries))
  }

  async addAllIfGreater(entries: ScoredEntries<V>): Promise<number> {
    return await this.#scoring.addAll(commands.addAllIfGreater, this.#codec.encodeEntries(entries))
  }

  async addAllIfLess(entries: ScoredEntries<V>): Promise<number> {
    return await this.#scoring.addAll(commands.addAllIfLess, this.#codec.encodeEntries(entries))
  }

  async addAndGetRank(score: number, value: V): Promise<number> {
    return await this.#ranks.afterAdd('zrank', score, this.#codec.encode(value))
  }

  async addAndGetRevRank(score: number, value: V): Promise<number> {
    return await this.#ranks.afterAdd('zrevrank', score, this.#codec.encode(value))
  }

  async addAllAndGetRevRank(entries: ScoredEntries<V>): Promise<number[]> {
    return await this.#ranks.afterAddAll(this.#codec.encodeEntries(entries))
  }

  async addScore(value: V, delta: number): Promise<number> {
    const args = { delta: scoreText('delta', delta), value: this.#codec.encode(value) }
    return await this.ask(commands.addScore, args)
  }

  async addScoreAndGetRank(value: V, delta: number): Promise<number> {
    return await this.#ranks.afterAddScore('zrank', this.#codec.encode(value), delta)
  }

  async addScoreAndGetRevRank(value: V, delta: number): Promise<number> {
    return await this.#ranks.afterAddScore('zrevrank', this.#codec.encode(value), delta)
  }

  async replace(value: V, replacement: V): Promise<boolean> {
    const args = { value: this.#codec.encode(value), replacement: this.#codec.encode(replacement) }
    return await this.ask(scripts.replace, args)
  }

  async getScore(value: V): Promise<number | undefined> {
    return await this.ask(commands.score, { value: this.#codec.encode(value) })
  }

  async getScores(values: Iterable<V>): Promise<(number | undefined)[]> {
    return await this.#scoring.of(this.#codec.encodeAll(values))
  }

  async rank(value: V): Promise<number | undefined> {
    return await this.#ranks.of(commands.rank, this.#codec.encode(value))
  }

  async revRank(value: V): Promise<number | undefined> {
    return await this.#ranks.of(commands.revRank, this.#codec.encode(value))
  }

  async revRanks(values: Iterable<V>): Promise<(number | undefined)[]> {
    return await this.#ranks.revRanks(this.#codec.encodeAll(values))
  }

  async rankEntry(value: V): Promise<RankedEntry | undefined> {
    return await this.#ranks.entryOf('zrank', this.#codec.encode(value))
  }

  async revRankEntry(value: V): Promise<RankedEntry | undefined> {
    return await this.#ranks.entryOf('zrevrank', this.#codec.encode(value))
  }

  async contains(value: V): Promise<boolean> {
    return (await this.ask(commands.score, { value: this.#codec.encode(value) })) !== undefined
  }

  async containsAll(values: Iterable<V>): Promise<boolean> {
    return !(await this.#scoring.of(this.#codec.encodeAll(values))).includes(undefined)
  }

  async remove(value: V): Promise<boolean> {
    return await this.ask(commands.remove, { values: [this.#codec.encode(value)] })
  }

  async removeAll(values: Iterable<V>): Promise<boolean> {
    return (
      await inParts(this.requests, commands.remove, 'removeAll()', this.#codec.encodeAll(values))
    ).includes(true)
  }

  async retainAll(values: Iterable<V>): Promise<boolean> {
    const kept = this.#codec.encodeAll(values)
    if (kept.length === 0) return await this.delete()
    const pages = () => this.#reader.valuePages()
    const retaining = { atOnce: scripts.retainAll, remove: commands.remove, pages }
    return await retainAll(this.requests, retaining, kept)
  }

  async removeRangeByRank(startIndex: number, endIndex: number): Promise<number> {
    const args = {
      start: wholeNumber('startIndex', startIndex),
      stop: wholeNumber('endIndex', endIndex),
    }
    return await this.ask(commands.removeRangeByRank, args)
  }

  async removeRangeByScore(range: ScoreRange): Promise<number> {
    return await this.ask(commands.removeRangeByScore, boundsOf(range))
  }

  pollFirst(options?: PollOptions): Promise<V | undefined>
  pollFirst(count: number, options?: PollOptions): Promise<V[]>
  async pollFirst(...given: readonly unknown[]): Promise<V | V[] | undefined> {
    return await this.#poll({ end: 'first' }, given)
  }

  async pollFirstEntry(options?: PollOptions): Promise<Entry<V> | undefined> {
    return (await this.#pollEntries('first', 1, options))[0]
  }

  async pollFirstEntries(count: number, options?: PollOptions): Promise<Entry<V>[]> {
    return await this.#pollEntries('first', count, options)
  }

  pollLast(options?: PollOptions): Promise<V | undefined>
  pollLast(count: number, options?: PollOptions): Promise<V[]>
  async pollLast(...given: readonly unknown[]): Promise<V | V[] | undefined> {
    return await this.#poll({ end: 'last' }, given)
  }

  async pollLastEntry(options?: PollOptions): Promise<Entry<V> | undefined> {
    return (await this.#pollEntries('last', 1, options))[0]
  }

  async pollLastEntries(count: number, options?: PollOptions): Promise<Entry<V>[]> {
    return await this.#pollEntries('last', count, options)
  }

  pollFirstFromAny(names: Iterable<string>, options?: PollOptions): Promise<V | undefined>
  pollFirstFromAny(names: Iterable<string>, count: number, options?: PollOptions): Promise<V[]>
  async pollFirstFromAny(
    names: Iterable<string>,
    ...given: readonly unknown[]
  ): Promise<V | V[] | undefined> {
    return await this.#poll({ end: 'first', others: valuesOf('names', names) }, given)
  }

  async pollFirstEntriesFromAny(
    names: Iterable<string>,
    count: number,
    options?: PollOptions,
  ): Promise<Map<string, Entry<V>[]>> {
    return await this.#pollEntriesFromAny('first', valuesOf('names', names), pollCount(count), options)
  }

  pollLastFromAny(names: Iterable<string>, options?: PollOptions): Promise<V | undefined>
  pollLastFromAny(names: Iterable<string>, count: number, options?: PollOptions): Promise<V[]>
  async pollLastFromAny(names: Iterable<string>, ...given: readonly unknown[]): Promise<V | V[] | undefined> {
    return await this.#poll({ end: 'last', others: valuesOf('names', names) }, given)
  }

  async pollLastEntriesFromAny(
    names: Iterable<string>,
    count: number,
    options?: PollOptions,
  ): Promise<Map<string, Entry<V>[]>> {
    return await this.#pollEntriesFromAny('last', valuesOf('names', names), pollCount(count), options)
  }

  async takeFirst(options?: TakeOptions): Promise<V> {
    return await this.#take('first', options)
  }

  async takeLast(options?: TakeOptions): Promise<V> {
    return await this.#take('last', options)
  }

  async first(): Promise<V | undefined> {
    return (await this.firstEntry())?.[0]
  }

  async firstEntry(): Promise<Entry<V> | undefined> {
    const found = await this.#ranges.entryAt(0)
    return found && this.#codec.decodeEntry(found)
  }

  async firstScore(): Promise<number | undefined> {
    return (await this.#ranges.entryAt(0))?.[1]
  }

  async last(): Promise<V | undefined> {
    return (await this.lastEntry())?.[0]
  }

  async lastEntry(): Promise<Entry<V> | undefined> {
    const found = await this.#ranges.entryAt(-1)
    return found && this.#codec.decodeEntry(found)
  }

  async lastScore(): Promise<number | undefined> {
    return (await this.#ranges.entryAt(-1))?.[1]
  }

  random(): Promise<V | undefined>
  random(count: number): Promise<V[]>
  async random(count?: number): Promise<V | V[] | undefined> {
    const most = count === undefined ? 1 : wholeNumber('count', count, 0)
    const found = await this.ask(commands.random, { count: most })
    const values = await this.#codec.decodeAll(found)
    return count === undefined ? values[0] : values
  }

  async randomEntries(count: number): Promise<Entry<V>[]> {
    const args = { count: wholeNumber('count', count, 0) }
    return await this.#codec.decodeEntries(await this.ask(commands.randomEntries, args))
  }

  valueRange(startIndex: number, endIndex: number): Promise<V[]>
  valueRange(range: ScoreRangePage): Promise<V[]>
  async valueRange(...range: GivenRange): Promise<V[]> {
    return await this.#codec.decodeAll(await this.#ranges.values(range, 'forward'))
  }

  valueRangeReversed(startIndex: number, endIndex: number): Promise<V[]>
  valueRangeReversed(range: ScoreRangePage): Promise<V[]>
  async valueRangeReversed(...range: GivenRange): Promise<V[]> {
    return await this.#codec.decodeAll(await this.#ranges.values(range, 'reversed'))
  }

  entryRange(startIndex: number, endIndex: number): Promise<Entry<V>[]>
  entryRange(range: ScoreRangePage): Promise<Entry<V>[]>
  async entryRange(...range: GivenRange): Promise<Entry<V>[]> {
    return await this.#codec.decodeEntries(await this.#ranges.entries(range, 'forward'))
  }

  entryRangeReversed(startIndex: number, endIndex: number): Promise<Entry<V>[]>
  entryRangeReversed(range: ScoreRangePage): Promise<Entry<V>[]>
  async entryRangeReversed(...range: GivenRange): Promise<Entry<V>[]> {
    return await this.#codec.decodeEntries(await this.#ranges.entries(range, 'reversed'))
  }

  rangeTo(name: string, startIndex: number, endIndex: number): Promise<number>
  rangeTo(name: string, range: ScoreRangePage): Promise<number>
  async rangeTo(name: string, ...range: GivenRange): Promise<number> {
    return await this.#ranges.store(this.keyInSlot(name), range, 'forward')
  }

  revRangeTo(name: string, startIndex: number, endIndex: number): Promise<number>
  revRangeTo(name: string, range: ScoreRangePage): Promise<number>
  async revRangeTo(name: string, ...range: GivenRange): Promise<number> {
    return await this.#ranges.store(this.keyInSlot(name), range, 'reversed')
  }

  async count(range: ScoreRange): Promise<number> {
    return await this.ask(commands.count, boundsOf(range))
  }

  readSort(options?: SortOptions): Promise<V[]>
  readSort<T = V>(options: SortGetOptions): Promise<(T | undefined)[]>
  async readSort(options?: SortOptions | SortGetOptions): Promise<unknown[]> {
    return await this.#sorting.read('numeric', options)
  }

  readSortAlpha(options?: SortOptions): Promise<V[]>
  readSortAlpha<T = V>(options: SortGetOptions): Promise<(T | undefined)[]>
  async readSortAlpha(options?: SortOptions | SortGetOptions): Promise<unknown[]> {
    return await this.#sorting.read('ALPHA', options)
  }

  async sortTo(destination: string, options?: SortOptions | SortGetOptions): Promise<number> {
    return await this.#sorting.store(this.keyInSlot(destination), destination, options)
  }

  async size(): Promise<number> {
    return await this.ask(commands.size)
  }

  async isEmpty(): Promise<boolean> {
    return (await this.size()) === 0
  }

  async clear(): Promise<void> {
    await this.delete()
  }

  async union(names: SetNames, options?: AggregateOptions): Promise<number> {
    return await this.#combinations.store(commands.union, names, options)
  }

  async readUnion(names: SetNames, options?: AggregateOptions): Promise<V[]> {
    return await this.#codec.decodeValues(await this.#combinations.read(commands.readUnion, names, options))
  }

  async readUnionEntries(names: SetNames, options?: AggregateOptions): Promise<Entry<V>[]> {
    return await this.#codec.decodeEntries(await this.#combinations.read(commands.readUnion, names, options))
  }

  async intersection(names: SetNames, options?: AggregateOptions): Promise<number> {
    return await this.#combinations.store(commands.intersection, names, options)
  }

  async readIntersection(names: SetNames, options?: AggregateOptions): Promise<V[]> {
    return await this.#codec.decodeValues(
      await this.#combinations.read(commands.readIntersection, names, options),
    )
  }

  async readIntersectionEntries(names: SetNames, options?: AggregateOptions): Promise<Entry<V>[]> {
    return await this.#codec.decodeEntries(
      await this.#combinations.read(commands.readIntersection, names, options),
    )
  }

  async countIntersection(names: Iterable<string>, options?: CountIntersectionOptions): Promise<number> {
    return await this.#combinations.countIntersection(names, options)
  }

  async diff(names: Iterable<string>): Promise<number> {
    return await this.#combinations.storeDiff(names)
  }

  async readDiff(names: Iterable<string>): Promise<V[]> {
    return await this.#codec.decodeValues(await this.#combinations.readDiff(names))
  }

  async readDiffEntries(names: Iterable<string>): Promise<Entry<V>[]> {
    return await this.#codec.decodeEntries(await this.#combinations.readDiff(names))
  }

  async readAll(): Promise<V[]> {
    return await this.#codec.decodeValues(await this.#reader.all())
  }

  async readAllEntries(): Promise<Entry<V>[]> {
    return await this.#codec.decodeEntries(await this.#reader.all())
  }

  values(options?: ScoredSetScanOptions): AsyncIterable<V> {
    const settings = scanSettings(options)
    const next = (cursor: string) => this.#reader.page(cursor, settings)
    return walk(next, ([bytes]) => this.#codec.decode(bytes), settings)
  }

  entries(options?: ScoredSetScanOptions): AsyncIterable<Entry<V>> {
    const settings = scanSettings(options)
    const next = (cursor: string) => this.#reader.page(cursor, settings)
    return walk(next, (entry) => this.#codec.decodeEntry(entry), settings)
  }

  distributedIterator(options?: DistributedIteratorOptions): AsyncIterable<V> {
    const { iteratorName, ...settings } = distributedScan(options)
    const cursor = iteratorName === undefined ? this.#cursor : this.keyInSlot(iteratorName)
    const together = { script: scripts.nextPage, source: ['zscan', settings.pattern], cursor }
    const taking = {
      decode: ([bytes]: ScoredBytes) => this.#codec.decode(bytes),
      bytesOf: ([bytes]: ScoredBytes) => bytes,
    }
    return { [Symbol.asyncIterator]: () => distributedItems(this.requests, together, settings, taking) }
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

  protected override get kind(): ObjectKind {
    return 'zset'
  }

  async #poll(poll: Omit<Poll, 'count'>, given: readonly unknown[]): Promise<V | V[] | undefined> {
    const { count, options } = pollRequest(given)
    const { entries } = await this.#polls.poll({ ...poll, count: count ?? 1 }, pollPatience(options))
    const values = this.#codec.decodeTakenValues(entries)
    return count === undefined ? values[0] : values
  }

  async #pollEntries(end: End, count: number, options: PollOptions = {}): Promise<Entry<V>[]> {
    const { entries } = await this.#polls.poll({ end, count: pollCount(count) }, pollPatience(options))
    return this.#codec.decodeTakenEntries(entries)
  }

  async #pollEntriesFromAny(
    end: End,
    names: readonly string[],
    count: number,
    options: PollOptions = {},
  ): Promise<Map<string, Entry<V>[]>> {
    const poll = { end, count, others: names }
    const { place, entries } = await this.#polls.poll(poll, pollPatience(options))
    const name = [this.name, ...names][place] as string
    return new Map(entries.length === 0 ? [] : [[name, this.#codec.decodeTakenEntries(entries)]])
  }

  async #take(end: End, options: TakeOptions = {}): Promise<V> {
    const { entries } = await this.#polls.waiting({ end, count: 1 }, takePatience(options))
    return this.#codec.decodeTakenValues(entries)[0] as V // it waits without an end
  }
}
