import type {
  AggregateOptions,
  CountIntersectionOptions,
  PollOptions,
  RankedEntry,
  RScoredSortedSet,
  ScoredEntries,
  ScoredSetScanOptions,
  ScoreRange,
  ScoreRangePage,
  SetNames,
  TakeOptions,
} from '../../api/collections/scored-sorted-set.js'
import type { Codec } from '../../api/codec.js'
import { decodeAt, encodeAt } from '../../codec/encoding.js'
import { demandTurns, FROM_ANY_NODE, type RunOptions } from '../../command/command-executor.js'
import type { Argument } from '../../connection/connection.js'
import { demandValue, wholeNumber, type Patience } from '../../core/arguments.js'
import { entriesOf, valuesOf } from '../../core/entries.js'
import type { ObjectContext } from '../../core/object-context.js'
import { OBJECT_EVENTS, type EventSources } from '../../core/object-events.js'
import type { ValueSettings } from '../../core/object-settings.js'
import { ALONE, demandNoMore } from '../../core/options.js'
import { walk } from '../../core/pages.js'
import { RedissonExpirable } from '../../core/redisson-expirable.js'
import type { ObjectKind } from '../../core/redisson-object.js'
import { MOST_ENTRIES } from '../../core/scan-settings.js'
import { demandSupported } from '../../core/unsupported.js'
import { chunk } from '../../util/chunk.js'
import { Polls, type End } from './polls.js'
import { ScoredReader, type ScoredBytes } from './scored-reader.js'
import {
  countLimit,
  pollCount,
  pollPatience,
  pollRequest,
  scanSettings,
  takePatience,
} from './scored-set-options.js'
import * as commands from './scored-sorted-set.commands.js'
import * as scripts from './scored-sorted-set.scripts.js'
import { boundsOf, rangeArguments, scoreText, type Direction, type GivenRange } from './scores.js'
import { combiningClauses, demandSources, sourcesOf, type SetSource } from './set-sources.js'

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
  stored: { names: ['zunionstore', 'zinterstore', 'zdiffstore', 'zrangestore'], flag: 'z' },
} as const

type Entry<V> = [value: V, score: number]

/** The commands that give one value a score, and those that give many values theirs. */
type AddCommand = (typeof commands)['add' | 'addIfAbsent' | 'addIfExists' | 'addIfGreater' | 'addIfLess']
type AddAllCommand = (typeof commands)[
  'addAll' | 'addAllIfAbsent' | 'addAllIfExist' | 'addAllIfGreater' | 'addAllIfLess']

/** Values in the order of their scores. */
export class RedissonScoredSortedSet<V> extends RedissonExpirable implements RScoredSortedSet<V> {
  readonly #codec: Codec<V>
  readonly #options: RunOptions
  readonly #polls: Polls

  constructor(context: ObjectContext, name: string, { codec, run }: ValueSettings<V>) {
    super(context, name, codec)
    this.#codec = codec
    this.#options = run
    this.#polls = new Polls(context, this.key)
  }

  async add(score: number, value: V, surplus?: unknown): Promise<boolean> {
    demandNoMore(surplus, NO_TIME)
    return await this.#add(commands.add, score, value)
  }

  async addIfAbsent(score: number, value: V, surplus?: unknown): Promise<boolean> {
    demandNoMore(surplus, NO_TIME)
    return await this.#add(commands.addIfAbsent, score, value)
  }

  async addIfExists(score: number, value: V, surplus?: unknown): Promise<boolean> {
    demandNoMore(surplus, NO_TIME)
    return await this.#add(commands.addIfExists, score, value)
  }

  async addIfGreater(score: number, value: V, surplus?: unknown): Promise<boolean> {
    demandNoMore(surplus, NO_TIME)
    return await this.#add(commands.addIfGreater, score, value)
  }

  async addIfLess(score: number, value: V, surplus?: unknown): Promise<boolean> {
    demandNoMore(surplus, NO_TIME)
    return await this.#add(commands.addIfLess, score, value)
  }

  async addAll(entries: ScoredEntries<V>, surplus?: unknown): Promise<number> {
    demandNoMore(surplus, NO_TIME)
    return await this.#addAll(commands.addAll, this.#entryArguments(entries))
  }

  async addAllIfAbsent(entries: ScoredEntries<V>, surplus?: unknown): Promise<number> {
    demandNoMore(surplus, NO_TIME)
    return await this.#addAll(commands.addAllIfAbsent, this.#entryArguments(entries))
  }

  async addAllIfExist(entries: ScoredEntries<V>, surplus?: unknown): Promise<number> {
    demandNoMore(surplus, NO_TIME)
    return await this.#addAll(commands.addAllIfExist, this.#entryArguments(entries))
  }

  async addAllIfGreater(entries: ScoredEntries<V>, surplus?: unknown): Promise<number> {
    demandNoMore(surplus, NO_TIME)
    return await this.#addAll(commands.addAllIfGreater, this.#entryArguments(entries))
  }

  async addAllIfLess(entries: ScoredEntries<V>, surplus?: unknown): Promise<number> {
    demandNoMore(surplus, NO_TIME)
    return await this.#addAll(commands.addAllIfLess, this.#entryArguments(entries))
  }

  async addAndGetRank(score: number, value: V, surplus?: unknown): Promise<number> {
    demandNoMore(surplus, NO_TIME)
    return await this.#addAndGetRank('zrank', score, value)
  }

  async addAndGetRevRank(score: number, value: V, surplus?: unknown): Promise<number> {
    demandNoMore(surplus, NO_TIME)
    return await this.#addAndGetRank('zrevrank', score, value)
  }

  async addAllAndGetRevRank(entries: ScoredEntries<V>, surplus?: unknown): Promise<number[]> {
    demandNoMore(surplus, NO_TIME)
    const all = this.#entryArguments(entries)
    if (all.length === 0) return []
    if (all.length <= MOST_ENTRIES) {
      const call = this.#call({ entries: all.flat() })
      return await this.executor.run(scripts.addAllAndGetRevRank, call, this.#options)
    }
    await this.#addAll(commands.addAll, all)
    return (await this.#revRanks(all.map(([, value]) => value))) as number[]
  }

  async addScore(value: V, delta: number, surplus?: unknown): Promise<number> {
    demandNoMore(surplus, ONE_VALUE)
    const args = { delta: scoreText('delta', delta), value: this.#encode(value) }
    return await this.executor.send(commands.addScore, this.#call(args), this.#options)
  }

  async addScoreAndGetRank(value: V, delta: number, surplus?: unknown): Promise<number> {
    demandNoMore(surplus, ONE_VALUE)
    return await this.#addScoreAndGetRank('zrank', value, delta)
  }

  async addScoreAndGetRevRank(value: V, delta: number, surplus?: unknown): Promise<number> {
    demandNoMore(surplus, ONE_VALUE)
    return await this.#addScoreAndGetRank('zrevrank', value, delta)
  }

  async replace(value: V, replacement: V, surplus?: unknown): Promise<boolean> {
    demandNoMore(surplus, 'one value takes the place of another')
    const args = { value: this.#encode(value), replacement: this.#encode(replacement) }
    return await this.executor.run(scripts.replace, this.#call(args), this.#options)
  }

  async getScore(value: V, surplus?: unknown): Promise<number | undefined> {
    demandNoMore(surplus, 'getScores() returns several scores')
    return await this.executor.send(commands.score, this.#call(this.#valueOf(value)), this.reading)
  }

  async getScores(values: Iterable<V>, surplus?: unknown): Promise<(number | undefined)[]> {
    demandNoMore(surplus, ONE_LIST)
    return await this.#scores(values)
  }

  async rank(value: V, surplus?: unknown): Promise<number | undefined> {
    demandNoMore(surplus, ONE_VALUE)
    return await this.executor.send(commands.rank, this.#call(this.#valueOf(value)), this.reading)
  }

  async revRank(value: V, surplus?: unknown): Promise<number | undefined> {
    demandNoMore(surplus, 'revRanks() returns several ranks')
    return await this.executor.send(commands.revRank, this.#call(this.#valueOf(value)), this.reading)
  }

  async revRanks(values: Iterable<V>, surplus?: unknown): Promise<(number | undefined)[]> {
    demandNoMore(surplus, ONE_LIST)
    return await this.#revRanks(this.#encodeAll(values), this.reading)
  }

  async rankEntry(value: V, surplus?: unknown): Promise<RankedEntry | undefined> {
    demandNoMore(surplus, ONE_VALUE)
    return await this.#rankEntry('zrank', value)
  }

  async revRankEntry(value: V, surplus?: unknown): Promise<RankedEntry | undefined> {
    demandNoMore(surplus, ONE_VALUE)
    return await this.#rankEntry('zrevrank', value)
  }

  async contains(value: V, surplus?: unknown): Promise<boolean> {
    demandNoMore(surplus, 'containsAll() looks for several values')
    const call = this.#call(this.#valueOf(value))
    return (await this.executor.send(commands.score, call, this.reading)) !== undefined
  }

  async containsAll(values: Iterable<V>, surplus?: unknown): Promise<boolean> {
    demandNoMore(surplus, ONE_LIST)
    return !(await this.#scores(values)).includes(undefined)
  }

  async remove(value: V, surplus?: unknown): Promise<boolean> {
    demandNoMore(surplus, 'removeAll() removes several values')
    return (await this.#remove([this.#encode(value)])) > 0
  }

  async removeAll(values: Iterable<V>, surplus?: unknown): Promise<boolean> {
    demandNoMore(surplus, ONE_LIST)
    return (await this.#removeInParts(this.#encodeAll(values))) > 0
  }

  async retainAll(values: Iterable<V>, surplus?: unknown): Promise<boolean> {
    demandNoMore(surplus, ONE_LIST)
    const kept = this.#encodeAll(values)
    if (kept.length === 0) return await this.delete()
    if (kept.length <= MOST_ENTRIES) {
      const call = this.#call({ most: MOST_ENTRIES, kept })
      const changed = await this.executor.run(scripts.retainAll, call, this.#options)
      if (changed !== undefined) return changed
    }
    return await this.#retainInPages(kept)
  }

  async removeRangeByRank(startIndex: number, endIndex: number, surplus?: unknown): Promise<number> {
    demandNoMore(surplus, 'it takes two ranks')
    const args = {
      start: wholeNumber('startIndex', startIndex),
      stop: wholeNumber('endIndex', endIndex),
    }
    return await this.executor.send(commands.removeRangeByRank, this.#call(args), this.#options)
  }

  async removeRangeByScore(range: ScoreRange, surplus?: unknown): Promise<number> {
    demandNoMore(surplus, BY_RANGE)
    const call = this.#call(boundsOf(range))
    return await this.executor.send(commands.removeRangeByScore, call, this.#options)
  }

  pollFirst(options?: PollOptions): Promise<V | undefined>
  pollFirst(count: number, options?: PollOptions): Promise<V[]>
  async pollFirst(...given: readonly unknown[]): Promise<V | V[] | undefined> {
    return await this.#poll('first', given)
  }

  async pollFirstEntry(options: PollOptions = {}, surplus?: unknown): Promise<Entry<V> | undefined> {
    demandNoMore(surplus)
    return this.#firstEntryOf(await this.#pollBytes('first', 1, pollPatience(options)))
  }

  async pollFirstEntries(count: number, options: PollOptions = {}, surplus?: unknown): Promise<Entry<V>[]> {
    demandNoMore(surplus)
    const most = pollCount(count)
    return this.#entriesOf(await this.#pollBytes('first', most, pollPatience(options)))
  }

  pollLast(options?: PollOptions): Promise<V | undefined>
  pollLast(count: number, options?: PollOptions): Promise<V[]>
  async pollLast(...given: readonly unknown[]): Promise<V | V[] | undefined> {
    return await this.#poll('last', given)
  }

  async pollLastEntry(options: PollOptions = {}, surplus?: unknown): Promise<Entry<V> | undefined> {
    demandNoMore(surplus)
    return this.#firstEntryOf(await this.#pollBytes('last', 1, pollPatience(options)))
  }

  async pollLastEntries(count: number, options: PollOptions = {}, surplus?: unknown): Promise<Entry<V>[]> {
    demandNoMore(surplus)
    const most = pollCount(count)
    return this.#entriesOf(await this.#pollBytes('last', most, pollPatience(options)))
  }

  async takeFirst(options: TakeOptions = {}, surplus?: unknown): Promise<V> {
    demandNoMore(surplus)
    return await this.#take('first', options)
  }

  async takeLast(options: TakeOptions = {}, surplus?: unknown): Promise<V> {
    demandNoMore(surplus)
    return await this.#take('last', options)
  }

  async first(surplus?: unknown): Promise<V | undefined> {
    demandNoMore(surplus, ALONE)
    return (await this.#entryAt(0))?.[0]
  }

  async firstEntry(surplus?: unknown): Promise<Entry<V> | undefined> {
    demandNoMore(surplus, ALONE)
    return await this.#entryAt(0)
  }

  async firstScore(surplus?: unknown): Promise<number | undefined> {
    demandNoMore(surplus, ALONE)
    return (await this.#bytesAt(0))?.[1]
  }

  async last(surplus?: unknown): Promise<V | undefined> {
    demandNoMore(surplus, ALONE)
    return (await this.#entryAt(-1))?.[0]
  }

  async lastEntry(surplus?: unknown): Promise<Entry<V> | undefined> {
    demandNoMore(surplus, ALONE)
    return await this.#entryAt(-1)
  }

  async lastScore(surplus?: unknown): Promise<number | undefined> {
    demandNoMore(surplus, ALONE)
    return (await this.#bytesAt(-1))?.[1]
  }

  random(): Promise<V | undefined>
  random(count: number): Promise<V[]>
  async random(...given: readonly unknown[]): Promise<V | V[] | undefined> {
    const [count, surplus] = given
    demandNoMore(surplus, 'it takes one number')
    const most = count === undefined ? 1 : wholeNumber('count', count as number, 0)
    const found = await this.executor.send(commands.random, this.#call({ count: most }), this.reading)
    const values = this.#valuesOf(found)
    return count === undefined ? values[0] : values
  }

  async randomEntries(count: number, surplus?: unknown): Promise<Entry<V>[]> {
    demandNoMore(surplus, 'it takes one number')
    const args = { count: wholeNumber('count', count, 0) }
    return this.#entriesOf(await this.executor.send(commands.randomEntries, this.#call(args), this.reading))
  }

  valueRange(startIndex: number, endIndex: number): Promise<V[]>
  valueRange(range: ScoreRangePage): Promise<V[]>
  async valueRange(...range: GivenRange): Promise<V[]> {
    return await this.#valueRange(range, 'forward')
  }

  valueRangeReversed(startIndex: number, endIndex: number): Promise<V[]>
  valueRangeReversed(range: ScoreRangePage): Promise<V[]>
  async valueRangeReversed(...range: GivenRange): Promise<V[]> {
    return await this.#valueRange(range, 'reversed')
  }

  entryRange(startIndex: number, endIndex: number): Promise<Entry<V>[]>
  entryRange(range: ScoreRangePage): Promise<Entry<V>[]>
  async entryRange(...range: GivenRange): Promise<Entry<V>[]> {
    return await this.#entryRange(range, 'forward')
  }

  entryRangeReversed(startIndex: number, endIndex: number): Promise<Entry<V>[]>
  entryRangeReversed(range: ScoreRangePage): Promise<Entry<V>[]>
  async entryRangeReversed(...range: GivenRange): Promise<Entry<V>[]> {
    return await this.#entryRange(range, 'reversed')
  }

  rangeTo(name: string, startIndex: number, endIndex: number): Promise<number>
  rangeTo(name: string, range: ScoreRangePage): Promise<number>
  async rangeTo(name: string, ...range: GivenRange): Promise<number> {
    return await this.#rangeTo(name, range, 'forward')
  }

  revRangeTo(name: string, startIndex: number, endIndex: number): Promise<number>
  revRangeTo(name: string, range: ScoreRangePage): Promise<number>
  async revRangeTo(name: string, ...range: GivenRange): Promise<number> {
    return await this.#rangeTo(name, range, 'reversed')
  }

  async count(range: ScoreRange, surplus?: unknown): Promise<number> {
    demandNoMore(surplus, BY_RANGE)
    return await this.executor.send(commands.count, this.#call(boundsOf(range)), this.reading)
  }

  async size(surplus?: unknown): Promise<number> {
    demandNoMore(surplus, ALONE)
    return await this.executor.send(commands.size, this.#call({}), this.reading)
  }

  async isEmpty(surplus?: unknown): Promise<boolean> {
    demandNoMore(surplus, ALONE)
    return (await this.size()) === 0
  }

  async clear(surplus?: unknown): Promise<void> {
    demandNoMore(surplus, this.removalAdvice)
    await this.delete()
  }

  async union(names: SetNames, options: AggregateOptions = {}, surplus?: unknown): Promise<number> {
    demandNoMore(surplus, ONE_LIST)
    return await this.#combine(commands.union, sourcesOf(names), options)
  }

  async readUnion(names: SetNames, options: AggregateOptions = {}, surplus?: unknown): Promise<V[]> {
    demandNoMore(surplus, ONE_LIST)
    return this.#valuesIn(await this.#readCombined(commands.readUnion, sourcesOf(names), options))
  }

  async readUnionEntries(
    names: SetNames,
    options: AggregateOptions = {},
    surplus?: unknown,
  ): Promise<Entry<V>[]> {
    demandNoMore(surplus, ONE_LIST)
    return this.#entriesOf(await this.#readCombined(commands.readUnion, sourcesOf(names), options))
  }

  async intersection(names: SetNames, options: AggregateOptions = {}, surplus?: unknown): Promise<number> {
    demandNoMore(surplus, ONE_LIST)
    return await this.#combine(commands.intersection, sourcesOf(names), options)
  }

  async readIntersection(names: SetNames, options: AggregateOptions = {}, surplus?: unknown): Promise<V[]> {
    demandNoMore(surplus, ONE_LIST)
    return this.#valuesIn(await this.#readCombined(commands.readIntersection, sourcesOf(names), options))
  }

  async readIntersectionEntries(
    names: SetNames,
    options: AggregateOptions = {},
    surplus?: unknown,
  ): Promise<Entry<V>[]> {
    demandNoMore(surplus, ONE_LIST)
    return this.#entriesOf(await this.#readCombined(commands.readIntersection, sourcesOf(names), options))
  }

  async countIntersection(
    names: Iterable<string>,
    options: CountIntersectionOptions = {},
    surplus?: unknown,
  ): Promise<number> {
    demandNoMore(surplus, ONE_LIST)
    const sets = [this.key, ...this.#keysOf(names)]
    const call = { keys: { sets }, args: { limit: countLimit(options) } }
    const counted = this.executor.send(commands.countIntersection, call, this.reading)
    return await demandSupported(counted, 'countIntersection()', 'Redis 7')
  }

  async diff(names: Iterable<string>, surplus?: unknown): Promise<number> {
    demandNoMore(surplus, ONE_LIST)
    const sets = this.#keysOf(names)
    demandSources(sets)
    return await this.executor.send(commands.diff, { keys: { set: this.key, sets }, args: {} }, this.#options)
  }

  async readDiff(names: Iterable<string>, surplus?: unknown): Promise<V[]> {
    demandNoMore(surplus, ONE_LIST)
    return this.#valuesIn(await this.#readDiff(names))
  }

  async readDiffEntries(names: Iterable<string>, surplus?: unknown): Promise<Entry<V>[]> {
    demandNoMore(surplus, ONE_LIST)
    return this.#entriesOf(await this.#readDiff(names))
  }

  async readAll(surplus?: unknown): Promise<V[]> {
    demandNoMore(surplus, 'values() takes a pattern')
    return this.#valuesIn(await this.#reader.all())
  }

  async readAllEntries(surplus?: unknown): Promise<Entry<V>[]> {
    demandNoMore(surplus, 'entries() takes a pattern')
    return this.#entriesOf(await this.#reader.all())
  }

  values(options: ScoredSetScanOptions = {}, surplus?: unknown): AsyncIterable<V> {
    demandNoMore(surplus, 'a pattern is an option')
    const settings = scanSettings(options)
    const next = (cursor: string) => this.#reader.page(cursor, settings)
    return walk(next, ([bytes]) => this.#decode(bytes), settings)
  }

  entries(options: ScoredSetScanOptions = {}, surplus?: unknown): AsyncIterable<Entry<V>> {
    demandNoMore(surplus, 'a pattern is an option')
    const settings = scanSettings(options)
    const next = (cursor: string) => this.#reader.page(cursor, settings)
    return walk(next, (entry) => this.#entryOf(entry), settings)
  }

  [Symbol.asyncIterator](): AsyncIterator<V> {
    return this.values()[Symbol.asyncIterator]()
  }

  protected override get reading(): RunOptions {
    return FROM_ANY_NODE
  }

  protected override get removalAdvice(): string {
    return 'removeAll() removes values'
  }

  protected override get events(): EventSources {
    return EVENTS
  }

  protected override get kind(): ObjectKind {
    return 'zset'
  }

  async #add(command: AddCommand, score: number, value: V): Promise<boolean> {
    const args = { score: scoreText('score', score), value: this.#encode(value) }
    return await this.executor.send(command, this.#call(args), this.#options)
  }

  async #addAll(command: AddAllCommand, entries: readonly EntryArguments[]): Promise<number> {
    const parts = chunk(entries, MOST_ENTRIES)
    if (parts.length > 1) demandTurns(this.executor, `Adding more than ${String(MOST_ENTRIES)} values`)
    let changed = 0
    for (const part of parts) {
      const call = this.#call({ entries: part.flat() })
      changed += await this.executor.send(command, call, this.#options)
    }
    return changed
  }

  async #addAndGetRank(rank: RankCommand, score: number, value: V): Promise<number> {
    const args = { rank, score: scoreText('score', score), value: this.#encode(value) }
    return await this.executor.run(scripts.addAndGetRank, this.#call(args), this.#options)
  }

  async #addScoreAndGetRank(rank: RankCommand, value: V, delta: number): Promise<number> {
    const args = { rank, delta: scoreText('delta', delta), value: this.#encode(value) }
    return await this.executor.run(scripts.addScoreAndGetRank, this.#call(args), this.#options)
  }

  async #rankEntry(rank: RankCommand, value: V): Promise<RankedEntry | undefined> {
    const call = this.#call({ rank, value: this.#encode(value) })
    const found = await this.executor.run(scripts.rankEntry, call, this.reading)
    return found && { rank: found[0], score: found[1] }
  }

  async #revRanks(values: readonly Argument[], options?: RunOptions): Promise<(number | undefined)[]> {
    const found = await Promise.all(
      chunk(values, MOST_ENTRIES).map((part) =>
        this.executor.run(scripts.revRanks, this.#call({ values: part }), options),
      ),
    )
    return found.flat()
  }

  async #scores(values: Iterable<V>): Promise<(number | undefined)[]> {
    const found = await Promise.all(
      chunk(this.#encodeAll(values), MOST_ENTRIES).map((part) =>
        this.executor.send(commands.scores, this.#call({ values: part }), this.reading),
      ),
    )
    return found.flat()
  }

  #remove(values: readonly Argument[]): Promise<number> {
    return this.executor.send(commands.remove, this.#call({ values }), this.#options)
  }

  async #removeInParts(values: readonly Argument[]): Promise<number> {
    const parts = chunk(values, MOST_ENTRIES)
    if (parts.length > 1) demandTurns(this.executor, `Removing more than ${String(MOST_ENTRIES)} values`)
    let removed = 0
    for (const part of parts) removed += await this.#remove(part)
    return removed
  }

  async #retainInPages(kept: readonly Argument[]): Promise<boolean> {
    demandTurns(this.executor, `Keeping some of more than ${String(MOST_ENTRIES)} values`)
    const isKept = new Set(kept.map((value) => Buffer.from(value as string).toString('latin1')))
    let removed = 0
    for await (const page of this.#reader.pages()) {
      const others = page.map(([value]) => value).filter((value) => !isKept.has(value.toString('latin1')))
      removed += await this.#removeInParts(others)
    }
    return removed > 0
  }

  async #poll(end: End, given: readonly unknown[]): Promise<V | V[] | undefined> {
    const { count, options } = pollRequest(given)
    const found = await this.#pollBytes(end, count ?? 1, pollPatience(options))
    return count === undefined ? this.#firstEntryOf(found)?.[0] : this.#valuesIn(found)
  }

  async #pollBytes(end: End, count: number, patience: Patience | undefined): Promise<readonly ScoredBytes[]> {
    if (count === 0) return []
    return patience === undefined
      ? await this.#polls.now({ end, count }, this.#options)
      : await this.#polls.waiting({ end, count }, patience)
  }

  async #take(end: End, options: TakeOptions): Promise<V> {
    const [found] = await this.#polls.waiting({ end, count: 1 }, takePatience(options))
    return this.#entryOf(found as ScoredBytes)[0] // it waits without an end
  }

  async #entryAt(index: number): Promise<Entry<V> | undefined> {
    const found = await this.#bytesAt(index)
    return found && this.#entryOf(found)
  }

  async #bytesAt(index: number): Promise<ScoredBytes | undefined> {
    const call = this.#call({ start: index, stop: index, clauses: [] })
    const [found] = await this.executor.send(commands.rangeEntries, call, this.reading)
    return found
  }

  async #valueRange(given: GivenRange, direction: Direction): Promise<V[]> {
    const call = this.#call(rangeArguments(given, direction))
    return this.#valuesOf(await this.executor.send(commands.range, call, this.reading))
  }

  async #entryRange(given: GivenRange, direction: Direction): Promise<Entry<V>[]> {
    const call = this.#call(rangeArguments(given, direction))
    return this.#entriesOf(await this.executor.send(commands.rangeEntries, call, this.reading))
  }

  async #rangeTo(name: string, given: GivenRange, direction: Direction): Promise<number> {
    const keys = { target: this.keyInSlot(name), set: this.key }
    const call = { keys, args: rangeArguments(given, direction) }
    return await this.executor.send(commands.rangeTo, call, this.#options)
  }

  async #combine(
    command: typeof commands.union,
    sources: readonly SetSource[],
    options: AggregateOptions,
  ): Promise<number> {
    const clauses = combiningClauses(sources, options)
    demandSources(sources)
    const keys = { set: this.key, sets: sources.map(({ name }) => this.keyInSlot(name)) }
    return await this.executor.send(command, { keys, args: { clauses } }, this.#options)
  }

  async #readCombined(
    command: typeof commands.readUnion,
    sources: readonly SetSource[],
    options: AggregateOptions,
  ): Promise<readonly ScoredBytes[]> {
    const clauses = combiningClauses([{ name: this.name, weight: 1 }, ...sources], options)
    const sets = [this.key, ...sources.map(({ name }) => this.keyInSlot(name))]
    return await this.executor.send(command, { keys: { sets }, args: { clauses } }, this.reading)
  }

  async #readDiff(names: Iterable<string>): Promise<readonly ScoredBytes[]> {
    const sets = [this.key, ...this.#keysOf(names)]
    return await this.executor.send(commands.readDiff, { keys: { sets }, args: {} }, this.reading)
  }

  #keysOf(names: Iterable<string>): string[] {
    return valuesOf('names', names).map((name) => this.keyInSlot(name))
  }

  get #reader(): ScoredReader {
    return new ScoredReader(this.executor, this.key)
  }

  #call<A>(args: A) {
    return { keys: { set: this.key }, args }
  }

  #valueOf(value: V): { readonly value: Argument } {
    return { value: this.#encode(value) }
  }

  #entryArguments(entries: ScoredEntries<V>): EntryArguments[] {
    const given = entriesOf<V, number>('entries', entries)
    return Array.from(given, ([value, score]) => [scoreText('score', score), this.#encode(value)])
  }

  #encode(value: V): Argument {
    demandValue(value, 'remove() removes a value')
    return encodeAt(this.#codec, value, { object: this.name })
  }

  #encodeAll(values: Iterable<V>): Argument[] {
    return valuesOf('values', values).map((value) => this.#encode(value))
  }

  #decode(bytes: Buffer): V {
    return decodeAt(this.#codec, bytes, { object: this.name })
  }

  #entryOf([bytes, score]: ScoredBytes): Entry<V> {
    return [this.#decode(bytes), score]
  }

  #firstEntryOf([entry]: readonly ScoredBytes[]): Entry<V> | undefined {
    return entry && this.#entryOf(entry)
  }

  #valuesOf(found: readonly Buffer[]): V[] {
    return found.map((bytes) => this.#decode(bytes))
  }

  #valuesIn(entries: readonly ScoredBytes[]): V[] {
    return entries.map(([bytes]) => this.#decode(bytes))
  }

  #entriesOf(entries: readonly ScoredBytes[]): Entry<V>[] {
    return entries.map((entry) => this.#entryOf(entry))
  }
}

/** The command that finds a rank. */
type RankCommand = 'zrank' | 'zrevrank'

/** A score and a value, as they are sent. */
type EntryArguments = readonly [score: string, value: Argument]
