import { randomBytes } from 'node:crypto'
import type { ListIteratorOptions, ListWalkOptions, RList } from './list.api.js'
import type { SortGetOptions, SortOptions } from '../shared/sortable.api.js'
import { demandTurns, FROM_ANY_NODE, type RunOptions } from '../../command/operation/command-executor.js'
import type { Argument } from '../../connection/connection.js'
import { wholeNumber } from '../../core/arguments/arguments.js'
import { valuesOf } from '../../core/entries.js'
import { listCursor } from '../../core/context/names.js'
import type { ObjectContext } from '../../core/context/object-context.js'
import { OBJECT_EVENTS, type EventSources } from '../../core/object-events.js'
import type { ValueSettings } from '../../core/arguments/object-settings.js'
import { ANY_NUMBER, demandNoMore, known, optionsOf, refuseSurplus } from '../../core/arguments/options.js'
import { FIRST_CURSOR, walk, type Page } from '../../core/pages.js'
import { IN_TURN, sendParts } from '../../core/context/parts.js'
import { RedissonExpirable } from '../../core/redisson-expirable.js'
import type { ObjectKind } from '../../core/redisson-object.js'
import { checkedScan, MOST_ENTRIES } from '../../core/arguments/scan-settings.js'
import { demandSupported } from '../../core/unsupported.js'
import { IndexOutOfBoundsError } from './list.errors.js'
import { CommandError, ScriptError } from '../../errors/reply-errors.js'
import { chunk } from '../../util/collections/chunk.js'
import { mapInTurns } from '../../util/map-in-turns.js'
import { distributedItems, distributedScan } from '../shared/distributed-pages.js'
import { identityOf } from '../shared/identity-of.js'
import { Sorting } from '../shared/sorting.js'
import { ValueCodec } from '../shared/value-codec.js'
import * as commands from './list.commands.js'
import { listPage } from './list-page.js'
import * as scripts from './list.scripts.js'

const EVENTS = {
  ...OBJECT_EVENTS,
  added: { names: ['rpush', 'lpush'], flag: 'l' },
  inserted: { names: ['linsert'], flag: 'l' },
  set: { names: ['lset'], flag: 'l' },
  removed: { names: ['lrem', 'lpop', 'rpop'], flag: 'l' },
  trimmed: { names: ['ltrim'], flag: 'l' },
} as const

const WALK = known<ListWalkOptions>({ count: true, onInvalid: true, signal: true })
const ITERATOR = known<ListIteratorOptions>({
  count: true,
  onInvalid: true,
  signal: true,
  iteratorName: true,
})

const ONE_VALUE = 'addAll() adds several values'
const ONE_LIST = 'the values are one list'
const ONE_INDEX = 'it is about one index'

/** What Redis says of an index that it does not find: of a list, and where there is none. */
const NO_SUCH_INDEX = /index out of range|no such key/

/** A list of Redis. */
export class RedissonList<V> extends RedissonExpirable implements RList<V> {
  static {
    refuseSurplus(this, {
      add: ANY_NUMBER,
      addAll: ANY_NUMBER,
      addAfter: 'it adds one value',
      addBefore: 'it adds one value',
      get: 'getAll() returns several elements',
      getAll: 'the indexes are one list',
      set: ONE_INDEX,
      fastSet: ONE_INDEX,
      remove: 'removeAll() removes several values',
      removeAt: ONE_INDEX,
      fastRemove: ONE_INDEX,
      removeAll: ONE_LIST,
      retainAll: ONE_LIST,
      contains: 'containsAll() looks for several values',
      containsAll: ONE_LIST,
      indexOf: 'it looks at the whole list',
      lastIndexOf: 'it looks at the whole list',
      readAll: 'range() reads a part',
      range: ANY_NUMBER,
      trim: 'a range has two ends',
      values: 'a signal is an option',
    })
  }

  readonly #codec: ValueCodec<V>
  readonly #sorting: Sorting<V>
  /** Where a walk that several make goes on. */
  readonly #cursor: string

  constructor(context: ObjectContext, name: string, { codec, run }: ValueSettings<V>) {
    super(context, name, { codec, run })
    this.#codec = new ValueCodec(name, codec, 'remove() removes a value, and fastRemove() an index')
    this.#sorting = new Sorting(this.requests, this.#codec)
    this.#cursor = listCursor(this.key, (key) => context.topology.slotOf(key))
  }

  add(value: V): Promise<boolean>
  add(index: number, value: V): Promise<void>
  async add(...args: [V] | [number, V]): Promise<unknown> {
    demandNoMore((args as readonly unknown[])[2], ONE_VALUE)
    if (args.length < 2) return await this.#append([this.#codec.encode(args[0] as V)])
    const [index, value] = args as [number, V]
    const given = { index: insertionIndex(index), mark: uniqueMark(), value: this.#codec.encode(value) }
    this.#demandIndex(await this.ask(scripts.insert, given), index)
    return undefined
  }

  addAll(values: Iterable<V>): Promise<boolean>
  addAll(index: number, values: Iterable<V>): Promise<boolean>
  async addAll(...args: [Iterable<V>] | [number, Iterable<V>]): Promise<boolean> {
    demandNoMore((args as readonly unknown[])[2], ONE_LIST)
    const isAppended = args.length < 2
    const index = isAppended ? undefined : insertionIndex(args[0] as number)
    const parts = this.#parts('addAll()', args[isAppended ? 0 : 1] as Iterable<V>)
    if (index === undefined) await sendParts(parts, (part) => this.#append(part), IN_TURN)
    // The last ones first, so that each finds the index where it was.
    else await sendParts(parts.toReversed(), (part) => this.#insert(index, part), IN_TURN)
    return parts.length > 0
  }

  async addAfter(elementToFind: V, element: V): Promise<number> {
    return sizeAfter(
      await this.ask(commands.addAfter, {
        pivot: this.#codec.encode(elementToFind),
        value: this.#codec.encode(element),
      }),
    )
  }

  async addBefore(elementToFind: V, element: V): Promise<number> {
    return sizeAfter(
      await this.ask(commands.addBefore, {
        pivot: this.#codec.encode(elementToFind),
        value: this.#codec.encode(element),
      }),
    )
  }

  async get(index: number): Promise<V | undefined> {
    return this.#codec.decodeIfAny(await this.ask(commands.get, { index: anyIndex(index) }))
  }

  async getAll(indexes: Iterable<number>): Promise<(V | undefined)[]> {
    const wanted = valuesOf('indexes', indexes).map((index) => anyIndex(index))
    const found = await Promise.all(
      chunk(wanted, MOST_ENTRIES).map((part) => this.ask(scripts.getAll, { indexes: part })),
    )
    return await mapInTurns(found.flat(), (element) => this.#codec.decodeIfAny(element))
  }

  async set(index: number, element: V): Promise<V> {
    const before = await this.ask(scripts.set, { index: anyIndex(index), value: this.#codec.encode(element) })
    if (before === undefined) throw new IndexOutOfBoundsError(this.name, index)
    return this.#codec.decodeTaken([before])[0] as V
  }

  async fastSet(index: number, element: V): Promise<void> {
    try {
      await this.ask(commands.set, { index: anyIndex(index), value: this.#codec.encode(element) })
    } catch (cause) {
      if (hasNoSuchIndex(cause)) throw new IndexOutOfBoundsError(this.name, index, { cause })
      throw cause
    }
  }

  async remove(value: V, count?: number): Promise<boolean> {
    return (
      (await this.ask(commands.remove, { count: occurrences(count), value: this.#codec.encode(value) })) > 0
    )
  }

  async removeAt(index: number): Promise<V | undefined> {
    return this.#codec.decodeTakenIfAny(
      await this.ask(scripts.removeAt, { index: anyIndex(index), mark: uniqueMark() }),
    )
  }

  async fastRemove(index: number): Promise<boolean> {
    return await this.ask(scripts.fastRemove, { index: anyIndex(index), mark: uniqueMark() })
  }

  async removeAll(values: Iterable<V>): Promise<boolean> {
    return await this.#removeAll(this.#parts('removeAll()', values))
  }

  async retainAll(values: Iterable<V>): Promise<boolean> {
    const wanted = this.#codec.encodeAll(values)
    if (wanted.length === 0) return await this.delete()
    if (wanted.length > MOST_ENTRIES) return await this.#retainMany(wanted)
    return await this.ask(scripts.retainAll, { values: wanted })
  }

  async contains(value: V): Promise<boolean> {
    return (await this.#indexOf(value, 1)) >= 0
  }

  async containsAll(values: Iterable<V>): Promise<boolean> {
    const found = await Promise.all(
      chunk(this.#codec.encodeAll(values), MOST_ENTRIES).map((part) =>
        this.ask(scripts.containsAll, { values: part }),
      ),
    )
    return !found.includes(false)
  }

  async indexOf(value: V): Promise<number> {
    return await this.#indexOf(value, 1)
  }

  async lastIndexOf(value: V): Promise<number> {
    return await this.#indexOf(value, -1)
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

  async readAll(): Promise<V[]> {
    return await this.#range(0, -1)
  }

  async range(...args: [toIndex: number] | [fromIndex: number, toIndex: number]): Promise<V[]> {
    demandNoMore((args as readonly unknown[])[2], 'a range has two ends')
    const [from, to] = args.length === 1 ? [0, ...args] : args
    return await this.#range(anyIndex(from, 'fromIndex'), anyIndex(to, 'toIndex'))
  }

  async trim(fromIndex: number, toIndex: number): Promise<void> {
    await this.ask(commands.trim, {
      from: anyIndex(fromIndex, 'fromIndex'),
      to: anyIndex(toIndex, 'toIndex'),
    })
  }

  values(options?: ListWalkOptions): AsyncIterable<V> {
    const settings = checkedScan(optionsOf(options, WALK))
    return walk(
      (cursor) => this.#pageAt(Number(cursor), settings.count),
      (element) => this.#codec.decode(element),
      settings,
    )
  }

  distributedIterator(options?: ListIteratorOptions): AsyncIterable<V> {
    const { iteratorName, ...settings } = distributedScan(optionsOf(options, ITERATOR))
    const cursor = iteratorName === undefined ? this.#cursor : this.keyInSlot(iteratorName)
    const together = { script: scripts.nextPage, source: [], cursor }
    const taking = {
      decode: (element: Buffer) => this.#codec.decode(element),
      bytesOf: (element: Buffer) => element,
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

  async #append(values: readonly Argument[]): Promise<true> {
    await this.ask(commands.add, { values })
    return true
  }

  async #insert(index: number, values: readonly Argument[]): Promise<void> {
    this.#demandIndex(await this.ask(scripts.insertAll, { index, values }), index)
  }

  async #removeAll(parts: readonly (readonly Argument[])[]): Promise<boolean> {
    const send = (values: readonly Argument[]) => this.ask(scripts.removeAll, { values })
    return (await sendParts(parts, send, IN_TURN)).includes(true)
  }

  /** One request cannot be given all that is wanted, but several can be given all that is not. */
  async #retainMany(wanted: readonly Argument[]): Promise<boolean> {
    demandTurns(this.requests, `retainAll() of more than ${MOST_ENTRIES} values`)
    const unwanted = new Map<string, Buffer>()
    let from = 0
    let next: string
    do {
      const [cursor, elements] = await this.#pageAt(from, MOST_ENTRIES)
      for (const element of elements) unwanted.set(identityOf(element), element)
      next = cursor
      from = Number(cursor)
    } while (next !== FIRST_CURSOR)
    for (const value of wanted) unwanted.delete(identityOf(value))
    return await this.#removeAll(chunk([...unwanted.values()], MOST_ENTRIES))
  }

  async #indexOf(value: V, rank: 1 | -1): Promise<number> {
    const found = this.ask(commands.indexOf, { value: this.#codec.encode(value), rank })
    return (await demandSupported(found, 'Looking for an element', 'Redis 6.0.6')) ?? -1
  }

  async #range(from: number, to: number): Promise<V[]> {
    const found = await this.ask(commands.range, { from, to })
    return await this.#codec.decodeAll(found)
  }

  #pageAt(from: number, count: number): Promise<Page<Buffer>> {
    return listPage(this.requests, { from, count })
  }

  /** The values as they are sent, in as many requests as they need. */
  #parts(what: string, values: Iterable<V>): Argument[][] {
    const parts = chunk(this.#codec.encodeAll(values), MOST_ENTRIES)
    if (parts.length > 1) demandTurns(this.requests, `${what} of more than ${MOST_ENTRIES} values`)
    return parts
  }

  #demandIndex(isThere: boolean, index: number): void {
    if (!isThere) throw new IndexOutOfBoundsError(this.name, index)
  }
}

/** A value that no list has, which stands in one for an element while a script runs. */
function uniqueMark(): Buffer {
  return randomBytes(16)
}

/** @throws RangeError for what is no whole number */
function anyIndex(index: number, name = 'index'): number {
  return wholeNumber(name, index)
}

/** @throws RangeError also for an index from the back, which could mean either side of the last element */
function insertionIndex(index: number): number {
  return wholeNumber('index', index, 0)
}

/** @throws RangeError also for 0: Redis removes all then, and a program that has computed it means none */
function occurrences(count = 1): number {
  if (wholeNumber('count', count) !== 0) return count
  throw new RangeError('Expected `count` not to be 0: removeAll() removes all that have a value')
}

/** The command may be run by a script. */
function hasNoSuchIndex(error: unknown): boolean {
  const isReply = error instanceof CommandError || error instanceof ScriptError
  return isReply && NO_SUCH_INDEX.test(error.message)
}

/** The size that Redis says; -1 where nothing was inserted. */
function sizeAfter(said: number): number {
  return said > 0 ? said : -1
}
