import type {
  LexHead,
  LexPage,
  LexRange,
  LexSetScanOptions,
  LexTail,
  RLexSortedSet,
} from './lex-sorted-set.api.js'
import type { PollOptions } from '../shared/polling.api.js'
import type { DistributedIteratorOptions } from '../set/set.api.js'
import { decodeAt } from '../../codec/encoding.js'
import { stringCodec } from '../../codec/string-codec.js'
import { FROM_ANY_NODE, type RunOptions } from '../../command/operation/command-executor.js'
import { valuesOf } from '../../core/entries.js'
import type { ObjectContext } from '../../core/context/object-context.js'
import { OBJECT_EVENTS, type EventSources } from '../../core/object-events.js'
import { demandNoMore, refuseSurplus, ANY_NUMBER } from '../../core/arguments/options.js'
import { itemsOf } from '../../core/pages.js'
import { RedissonExpirable } from '../../core/redisson-expirable.js'
import type { ObjectKind } from '../../core/redisson-object.js'
import { raceAbort } from '../../util/abort/race-abort.js'
import { mapInTurns } from '../../util/map-in-turns.js'
import type { KeyWaiters } from '../../waiting/key-waiters.js'
import { RedissonScoredSortedSet } from '../scored-sorted-set/scored-sorted-set.js'
import {
  after,
  boundsOf,
  limitOf,
  pageOf,
  scanOf,
  type Bounds,
  type Extent,
  type LexScan,
} from './lex-ranges.js'
import * as commands from './lex-sorted-set.commands.js'

/** What a program may have meant by a further argument. */
const ONE_VALUE = 'it is about one value'
const ONE_LIST = 'the values are one list'
const BY_RANGE = 'the bounds are options'

const EVENTS = {
  ...OBJECT_EVENTS,
  added: { names: ['zadd'], flag: 'z' },
  removed: { names: ['zrem', 'zpopmin', 'zpopmax', 'zremrangebylex'], flag: 'z' },
} as const

const CODEC = stringCodec()

/** The score of each value, so that their bytes alone decide about their order. */
const SCORE = 0

/** Texts in the order of their bytes: a scored sorted set of texts that have the same score. */
export class RedissonLexSortedSet extends RedissonExpirable implements RLexSortedSet {
  static {
    refuseSurplus(this, {
      add: 'addAll() adds several values',
      addAll: ONE_LIST,
      removeRange: BY_RANGE,
      removeRangeTail: BY_RANGE,
      removeRangeHead: BY_RANGE,
      pollFirst: ANY_NUMBER,
      pollLast: ANY_NUMBER,
      revRank: ONE_VALUE,
      range: 'an offset and a count are options of a range of values',
      rangeTail: BY_RANGE,
      rangeHead: BY_RANGE,
      rangeReversed: BY_RANGE,
      rangeTailReversed: BY_RANGE,
      rangeHeadReversed: BY_RANGE,
      count: BY_RANGE,
      countTail: BY_RANGE,
      countHead: BY_RANGE,
      readAll: 'values() takes bounds',
      values: BY_RANGE,
    })
  }

  readonly #scored: RedissonScoredSortedSet<string>

  constructor(context: ObjectContext, name: string, run: RunOptions, waiters: KeyWaiters) {
    super(context, name, { codec: CODEC, run })
    this.#scored = new RedissonScoredSortedSet(context, name, { codec: CODEC, run }, waiters)
  }

  async add(value: string): Promise<boolean> {
    return await this.#scored.add(SCORE, value)
  }

  async addAll(values: Iterable<string>): Promise<boolean> {
    const entries = valuesOf('values', values).map((value) => [value, SCORE] as const)
    return (await this.#scored.addAll(entries)) > 0
  }

  async contains(value: string): Promise<boolean> {
    return await this.#scored.contains(value)
  }

  async containsAll(values: Iterable<string>): Promise<boolean> {
    return await this.#scored.containsAll(values)
  }

  async remove(value: string): Promise<boolean> {
    return await this.#scored.remove(value)
  }

  async removeAll(values: Iterable<string>): Promise<boolean> {
    return await this.#scored.removeAll(values)
  }

  async retainAll(values: Iterable<string>): Promise<boolean> {
    return await this.#scored.retainAll(values)
  }

  async removeRange(range: LexRange): Promise<number> {
    return await this.#removeRange(boundsOf('range', range))
  }

  async removeRangeTail(range: LexTail): Promise<number> {
    return await this.#removeRange(boundsOf('tail', range))
  }

  async removeRangeHead(range: LexHead): Promise<number> {
    return await this.#removeRange(boundsOf('head', range))
  }

  pollFirst(options?: PollOptions): Promise<string | undefined>
  pollFirst(count: number, options?: PollOptions): Promise<string[]>
  async pollFirst(...given: readonly unknown[]): Promise<string | string[] | undefined> {
    return await this.#scored.pollFirst(...(given as [number, PollOptions?]))
  }

  pollLast(options?: PollOptions): Promise<string | undefined>
  pollLast(count: number, options?: PollOptions): Promise<string[]>
  async pollLast(...given: readonly unknown[]): Promise<string | string[] | undefined> {
    return await this.#scored.pollLast(...(given as [number, PollOptions?]))
  }

  async first(): Promise<string | undefined> {
    return await this.#scored.first()
  }

  async last(): Promise<string | undefined> {
    return await this.#scored.last()
  }

  async rank(value: string): Promise<number | undefined> {
    return await this.#scored.rank(value)
  }

  async revRank(value: string): Promise<number | undefined> {
    return await this.#scored.revRank(value)
  }

  random(): Promise<string | undefined>
  random(count: number): Promise<string[]>
  async random(count?: number): Promise<string | string[] | undefined> {
    return await this.#scored.random(count as number)
  }

  range(startIndex: number, endIndex: number): Promise<string[]>
  range(range: LexRange & LexPage): Promise<string[]>
  async range(first: number | (LexRange & LexPage), endIndex?: number): Promise<string[]> {
    if (typeof first !== 'object') return await this.#scored.valueRange(first, endIndex as number)
    demandNoMore(endIndex, BY_RANGE)
    return await this.#range('range', first)
  }

  async rangeTail(range: LexTail & LexPage): Promise<string[]> {
    return await this.#range('tail', range)
  }

  async rangeHead(range: LexHead & LexPage): Promise<string[]> {
    return await this.#range('head', range)
  }

  async rangeReversed(range: LexRange & LexPage): Promise<string[]> {
    return await this.#rangeReversed('range', range)
  }

  async rangeTailReversed(range: LexTail & LexPage): Promise<string[]> {
    return await this.#rangeReversed('tail', range)
  }

  async rangeHeadReversed(range: LexHead & LexPage): Promise<string[]> {
    return await this.#rangeReversed('head', range)
  }

  async count(range: LexRange): Promise<number> {
    return await this.#count(boundsOf('range', range))
  }

  async countTail(range: LexTail): Promise<number> {
    return await this.#count(boundsOf('tail', range))
  }

  async countHead(range: LexHead): Promise<number> {
    return await this.#count(boundsOf('head', range))
  }

  async size(): Promise<number> {
    return await this.#scored.size()
  }

  async isEmpty(): Promise<boolean> {
    return await this.#scored.isEmpty()
  }

  async clear(): Promise<void> {
    await this.delete()
  }

  async readAll(): Promise<string[]> {
    return await this.#scored.readAll()
  }

  values(options?: LexSetScanOptions): AsyncIterable<string> {
    const scan = scanOf(options)
    const decode = (value: Buffer) => this.#decode(value)
    return { [Symbol.asyncIterator]: () => itemsOf(this.#pages(scan), decode, scan.settings) }
  }

  distributedIterator(options?: DistributedIteratorOptions): AsyncIterable<string> {
    return this.#scored.distributedIterator(options)
  }

  [Symbol.asyncIterator](): AsyncIterator<string> {
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

  async #range(extent: Extent, range: Partial<LexRange> & LexPage): Promise<string[]> {
    return await this.#decodeAll(await this.ask(commands.range, pageOf(extent, range)))
  }

  async #rangeReversed(extent: Extent, range: Partial<LexRange> & LexPage): Promise<string[]> {
    return await this.#decodeAll(await this.ask(commands.rangeReversed, pageOf(extent, range)))
  }

  #count(bounds: Bounds): Promise<number> {
    return this.ask(commands.count, bounds)
  }

  #removeRange(bounds: Bounds): Promise<number> {
    return this.ask(commands.removeRange, bounds)
  }

  /** Reads page after page in their order. Each begins after the last value of the one before, so that it may come from any node. */
  async *#pages({ from, to, settings }: LexScan): AsyncGenerator<readonly Buffer[], void, undefined> {
    const { count, signal } = settings
    let next: Bounds['from'] = from
    let last: Buffer | undefined
    for (;;) {
      signal?.throwIfAborted()
      const page = await raceAbort(
        this.ask(commands.range, { from: next, to, limit: limitOf(0, count) }),
        signal,
      )
      const end = page.at(-1)
      // Where scores differ the values are in another order, and the pages would have no end.
      if (end === undefined || (last !== undefined && Buffer.compare(end, last) <= 0)) return
      yield page
      if (page.length < count) return
      last = end
      next = after(end)
    }
  }

  #decode(bytes: Buffer): string {
    return decodeAt(CODEC, bytes, { object: this.name })
  }

  #decodeAll(found: readonly Buffer[]): string[] | Promise<string[]> {
    return mapInTurns(found, (bytes) => this.#decode(bytes))
  }
}
