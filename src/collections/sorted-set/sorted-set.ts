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
import { partsTogether, sendParts } from '../../core/context/parts.js'
import { RedissonExpirable } from '../../core/redisson-expirable.js'
import type { ObjectKeys, ObjectKind } from '../../core/redisson-object.js'
import { checkedScan, DEFAULT_COUNT, MOST_ENTRIES } from '../../core/arguments/scan-settings.js'
import { afterEffect } from '../../errors/after-effect.js'
import { chunk } from '../../util/collections/chunk.js'
import { sumOf } from '../../util/collections/sum-of.js'
import type { KeyWaiters } from '../../waiting/key-waiters.js'
import { pollPatience, pollRequest } from '../shared/polling.js'
import { distributedItems, distributedScan } from '../shared/distributed-pages.js'
import type { EntryRooms } from '../shared/entry-objects.js'
import { demandComparable, ElementCodec, identityOfValue, type Elements } from './elements.js'
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

/** How many values one request compares and moves: each of them takes a walk through the list. */
const MOST_MOVED = 100

/**
 * How many elements a request about several values may come by on those walks: Redis takes some 40 ms for them. Of the elements with which it compares
 * values it may read four bytes for each of these steps.
 */
const MOST_STEPS = 1_000_000

/** Where it would be more, the next request has this part of the values. */
const FEWER = 10

/** What sorted sets have in common. */
export interface SortedSetServices {
  readonly rooms: EntryRooms
  readonly waiters: KeyWaiters
}

/** A change of the set. */
type Change = typeof scripts.add

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
  readonly #turns: Turns
  readonly #reader: SortedSetReader<V>
  readonly #polls: SortedSetPolls
  /** The key of the lock of Java. */
  readonly #lock: string
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
    const lock = sortedSetLock(this.key)
    this.#lock = this.keyInSlot(lock)
    this.#turns = new Turns({ requests: this.requests, rooms, lock })
    this.#reader = new SortedSetReader({
      requests: this.requests,
      name,
      comparator: this.#comparator,
      elements: this.#elements,
    })
    this.#polls = new SortedSetPolls({
      requests: this.requests,
      turns: this.#turns,
      waiters,
      lock: this.#lock,
    })
  }

  async add(value: V): Promise<boolean> {
    return (await this.#change(scripts.add, this.#elements.encode([value]))) > 0
  }

  async addAll(values: Iterable<V>): Promise<boolean> {
    return (await this.#changeInParts(scripts.add, 'addAll()', this.#encodeAll(values))) > 0
  }

  async contains(value: V): Promise<boolean> {
    return (await this.#countThere(this.#elements.encode([value]))) > 0
  }

  async containsAll(values: Iterable<V>): Promise<boolean> {
    const elements = this.#encodeAll(values)
    const parts = partsOf(elements)
    const together = partsTogether(this.requests, parts)
    const found = await sendParts(parts, (part) => this.#countThere(part), { together, changes: 'never' })
    return sumOf(found) === elements.bytes.length
  }

  async remove(value: V): Promise<boolean> {
    return (await this.#change(scripts.remove, this.#elements.encode([value]))) > 0
  }

  async removeAll(values: Iterable<V>): Promise<boolean> {
    return (await this.#changeInParts(scripts.remove, 'removeAll()', this.#encodeAll(values))) > 0
  }

  async retainAll(values: Iterable<V>): Promise<boolean> {
    const kept = valuesOf('values', values)
    this.#elements.encode(kept)
    if (kept.length === 0) return await this.delete()
    demandTurns(this.requests, 'retainAll()')
    const isKept = new Set(kept.map(identityOfValue))
    let removed = 0
    try {
      for await (const page of this.#reader.pages({ count: DEFAULT_COUNT, signal: undefined }, FROM_MASTER)) {
        const isOther = (bytes: Buffer) => !isKept.has(identityOfValue(this.#elements.decode(bytes)))
        const others = this.#elements.asRead(page.filter(isOther))
        removed += await this.#changeInParts(scripts.remove, 'retainAll()', others)
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

  async #change(change: Change, { form, bytes }: Elements): Promise<number> {
    const most = this.#mostSteps
    const changed = await this.#turns.take(async (held) => {
      const keys = { comparator: this.#comparator, lock: this.#lock }
      const reply = await this.ask(change, { held, form, most, elements: bytes }, keys)
      return reply === scripts.LOCKED ? undefined : reply
    })
    return demandComparable(this.name, changed)
  }

  /** One part after the other: what comes between two of them is not held up for long. */
  async #changeInParts(change: Change, what: string, { form, bytes }: Elements): Promise<number> {
    if (bytes.length > MOST_MOVED)
      demandTurns(this.requests, `${what} of more than ${String(MOST_MOVED)} values`)
    let changed = 0
    let most = MOST_MOVED
    for (let start = 0; start < bytes.length;) {
      const part = bytes.slice(start, start + most)
      const count = await this.#change(change, { form, bytes: part }).catch((error: unknown) => {
        throw changed > 0 ? afterEffect(error) : error
      })
      if (count === scripts.TOO_FAR) {
        most = Math.ceil(part.length / FEWER)
      } else {
        changed += count
        start += part.length
      }
    }
    return changed
  }

  async #countThere({ form, bytes }: Elements): Promise<number> {
    const args = { form, most: this.#mostSteps, elements: bytes }
    const counted = await this.ask(scripts.contains, args, { comparator: this.#comparator })
    const found = demandComparable(this.name, counted)
    if (found !== scripts.TOO_FAR) return found
    const fewer = chunk(bytes, Math.ceil(bytes.length / FEWER)).map((part) => ({ form, bytes: part }))
    return sumOf(await sendParts(fewer, (part) => this.#countThere(part), { together: 1, changes: 'never' }))
  }

  /** In a batch each call is one step, however far it goes. */
  get #mostSteps(): number | '' {
    return this.requests.isBatch ? '' : MOST_STEPS
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

  get #comparator(): string {
    const [comparator] = sortedSetComparators(this.key)
    return comparator
  }
}

function partsOf({ form, bytes }: Elements): Elements[] {
  return chunk(bytes, MOST_MOVED).map((part) => ({ form, bytes: part }))
}
