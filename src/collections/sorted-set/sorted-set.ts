import type { PollOptions } from '../shared/polling.api.js'
import type {
  RSortedSet,
  SortedSetIteratorOptions,
  SortedSetScanOptions,
  SortedValue,
} from './sorted-set.api.js'
import { decodeTakenBytes } from '../../codec/taken.js'
import {
  demandTurns,
  FROM_ANY_NODE,
  FROM_MASTER,
  type RunOptions,
} from '../../command/operation/command-executor.js'
import { valuesOf } from '../../core/entries.js'
import { sortedSetComparators, sortedSetCursor, sortedSetLock } from '../../core/context/names.js'
import type { ObjectContext } from '../../core/context/object-context.js'
import { OBJECT_EVENTS, type EventSources } from '../../core/object-events.js'
import type { ValueSettings } from '../../core/arguments/object-settings.js'
import { ANY_NUMBER, known, optionsOf, refuseSurplus } from '../../core/arguments/options.js'
import { itemsOf } from '../../core/pages.js'
import { RedissonExpirable } from '../../core/redisson-expirable.js'
import type { ObjectKeys, ObjectKind } from '../../core/redisson-object.js'
import { checkedScan, DEFAULT_COUNT, MOST_ENTRIES } from '../../core/arguments/scan-settings.js'
import { afterEffect } from '../../errors/after-effect.js'
import type { KeyWaiters } from '../../waiting/key-waiters.js'
import { pollPatience, pollRequest } from '../shared/polling.js'
import { distributedItems, distributedScan } from '../shared/distributed-pages.js'
import type { EntryRooms } from '../shared/entry-objects.js'
import { Changes, type Change } from './changes.js'
import { ElementCodec, isNoneOf, type Elements } from './elements.js'
import { SortedSetPolls, type End } from './sorted-set-polls.js'
import { SortedSetReader } from './sorted-set-reader.js'
import * as commands from './sorted-set.commands.js'
import * as scripts from './sorted-set.scripts.js'
import { Turns } from './turns.js'

const EVENTS = {
  ...OBJECT_EVENTS,
  added: { names: ['rpush', 'linsert', 'lpush'], flag: 'l' },
  removed: { names: ['lrem', 'lpop', 'rpop', 'ltrim'], flag: 'l' },
} as const

const SCAN = known<SortedSetScanOptions>({ count: true, signal: true })

const ITERATOR = known<SortedSetIteratorOptions>({ count: true, signal: true, iteratorName: true })

/** What a program may have meant by a further argument. */
const ONE_VALUE = 'addAll(), removeAll() and containsAll() take several values'
const ONE_LIST = 'the values are one list'

const adding: Change = (requests, args, keys) => requests.ask(scripts.add, args, keys)
const removing: Change = (requests, args, keys) => requests.ask(scripts.remove, args, keys)

/** What sorted sets have in common. */
export interface SortedSetServices {
  readonly rooms: EntryRooms
  readonly waiters: KeyWaiters
}

/** Texts or numbers in their natural order: a list that is kept sorted. */
export class RedissonSortedSet<V extends SortedValue> extends RedissonExpirable implements RSortedSet<V> {
  static {
    refuseSurplus(this, {
      add: ONE_VALUE,
      addAll: ONE_LIST,
      contains: ONE_VALUE,
      containsAll: ONE_LIST,
      remove: ONE_VALUE,
      removeAll: ONE_LIST,
      retainAll: ONE_LIST,
      pollFirst: ANY_NUMBER,
      pollLast: ANY_NUMBER,
      readAll: 'values() takes options',
    })
  }

  readonly #elements: ElementCodec<V>
  readonly #changes: Changes
  readonly #reader: SortedSetReader<V>
  readonly #polls: SortedSetPolls
  /** Where a walk that several make goes on. */
  readonly #cursor: string

  constructor(
    context: ObjectContext,
    name: string,
    { codec, run }: ValueSettings<V>,
    { rooms, waiters }: SortedSetServices,
  ) {
    super(context, name, { codec, run })
    this.#elements = new ElementCodec(codec, name)
    this.#cursor = sortedSetCursor(this.key, (key) => context.topology.slotOf(key))
    const { requests } = this
    const lockName = sortedSetLock(this.key)
    const lock = this.keyInSlot(lockName)
    const [comparator] = sortedSetComparators(this.key)
    const turns = new Turns({ requests, rooms, lock: lockName })
    this.#changes = new Changes({ requests, name, turns, comparator, lock })
    this.#reader = new SortedSetReader({ requests, name, comparator, elements: this.#elements })
    this.#polls = new SortedSetPolls({ requests, turns, waiters, lock })
  }

  async add(value: V): Promise<boolean> {
    return (await this.#changes.make(adding, this.#elements.encode([value]))) > 0
  }

  async addAll(values: Iterable<V>): Promise<boolean> {
    return (await this.#changes.makeInParts(adding, 'addAll()', this.#encodeAll(values))) > 0
  }

  async contains(value: V): Promise<boolean> {
    return (await this.#changes.countThere(this.#elements.encode([value]))) > 0
  }

  async containsAll(values: Iterable<V>): Promise<boolean> {
    const elements = this.#encodeAll(values)
    return (await this.#changes.countThere(elements)) === elements.bytes.length
  }

  async remove(value: V): Promise<boolean> {
    return (await this.#changes.make(removing, this.#elements.encode([value]))) > 0
  }

  async removeAll(values: Iterable<V>): Promise<boolean> {
    return (await this.#changes.makeInParts(removing, 'removeAll()', this.#encodeAll(values))) > 0
  }

  async retainAll(values: Iterable<V>): Promise<boolean> {
    const kept = valuesOf('values', values)
    this.#elements.encode(kept)
    if (kept.length === 0) return await this.delete()
    demandTurns(this.requests, 'retainAll()')
    const isNotKept = isNoneOf(kept, this.name)
    let removed = 0
    try {
      for await (const page of this.#reader.pages({ count: DEFAULT_COUNT, signal: undefined }, FROM_MASTER)) {
        const isOther = (bytes: Buffer) => isNotKept(this.#elements.decode(bytes))
        const others = this.#elements.asRead(page.filter(isOther))
        removed += await this.#changes.makeInParts(removing, 'retainAll()', others)
      }
      return removed > 0
    } catch (error) {
      throw removed > 0 ? afterEffect(error) : error
    }
  }

  pollFirst(options?: PollOptions): Promise<V | undefined>
  pollFirst(count: number, options?: PollOptions): Promise<V[]>
  async pollFirst(...given: readonly unknown[]): Promise<V | V[] | undefined> {
    return await this.#poll('first', given)
  }

  pollLast(options?: PollOptions): Promise<V | undefined>
  pollLast(count: number, options?: PollOptions): Promise<V[]>
  async pollLast(...given: readonly unknown[]): Promise<V | V[] | undefined> {
    return await this.#poll('last', given)
  }

  async first(): Promise<V | undefined> {
    return await this.#at(0)
  }

  async last(): Promise<V | undefined> {
    return await this.#at(-1)
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

  async readAll(): Promise<V[]> {
    const all: V[] = []
    const count = MOST_ENTRIES + 1 // a page of fewer is the last one
    for await (const page of this.#reader.pages({ count, signal: undefined })) {
      all.push(...page.map((bytes) => this.#elements.decode(bytes)))
      if (page.length === count)
        demandTurns(this.requests, `Reading more than ${String(MOST_ENTRIES)} values`)
    }
    return all
  }

  values(options?: SortedSetScanOptions): AsyncIterable<V> {
    const settings = checkedScan(optionsOf(options, SCAN))
    const decode = (bytes: Buffer) => this.#elements.decode(bytes)
    return { [Symbol.asyncIterator]: () => itemsOf(this.#reader.pages(settings), decode, settings) }
  }

  distributedIterator(options?: SortedSetIteratorOptions): AsyncIterable<V> {
    const { iteratorName, ...settings } = distributedScan(optionsOf(options, ITERATOR))
    const cursor = iteratorName === undefined ? this.#cursor : this.keyInSlot(iteratorName)
    const together = { script: scripts.nextPage, source: [], cursor }
    const taking = {
      decode: (bytes: Buffer) => this.#elements.decode(bytes),
      bytesOf: (bytes: Buffer) => bytes,
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
    return 'list'
  }

  protected override keysOf(key: string): ObjectKeys {
    return [key, ...sortedSetComparators(key)]
  }

  async #poll(end: End, given: readonly unknown[]): Promise<V | V[] | undefined> {
    const { count, options } = pollRequest(given)
    const patience = pollPatience(options)
    const found = await this.#polls.poll(end, count ?? 1, patience)
    const values = decodeTakenBytes(found, (bytes) => this.#elements.decode(bytes))
    return count === undefined ? values[0] : values
  }

  async #at(index: number): Promise<V | undefined> {
    const found = await this.ask(commands.at, { index })
    return found && this.#elements.decode(found)
  }

  #encodeAll(values: Iterable<V>): Elements {
    return this.#elements.encode(valuesOf('values', values))
  }
}
