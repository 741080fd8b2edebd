import { randomBytes } from 'node:crypto'
import type { ListIteratorOptions, RList } from './list.api.js'
import type { SortGetOptions, SortOptions } from '../shared/sortable.api.js'
import type { Argument } from '../../connection/connection.js'
import { wholeNumber } from '../../core/arguments/arguments.js'
import { valuesOf } from '../../core/entries.js'
import { listCursor } from '../../core/context/names.js'
import type { ObjectContext } from '../../core/context/object-context.js'
import type { ValueSettings } from '../../core/arguments/object-settings.js'
import { ANY_NUMBER, demandNoMore, known, optionsOf, refuseSurplus } from '../../core/arguments/options.js'
import { IN_TURN, sendParts } from '../../core/context/parts.js'
import { MOST_ENTRIES } from '../../core/arguments/scan-settings.js'
import { IndexOutOfBoundsError } from './list.errors.js'
import { repliedWords } from '../../errors/lasting-failure.js'
import { chunk } from '../../util/collections/chunk.js'
import { mapInTurns } from '../../util/map-in-turns.js'
import { distributedItems, distributedScan } from '../shared/distributed-pages.js'
import { Sorting } from '../shared/sorting.js'
import * as commands from './list.commands.js'
import { RedissonListValues } from './list-values.js'
import * as scripts from './list.scripts.js'

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
export class RedissonList<V> extends RedissonListValues<V> implements RList<V> {
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
      lastIndexOf: 'it looks at the whole list',
      range: ANY_NUMBER,
      trim: 'a range has two ends',
    })
  }

  readonly #sorting: Sorting<V>
  /** Where a walk that several make goes on. */
  readonly #cursor: string

  constructor(context: ObjectContext, name: string, settings: ValueSettings<V>) {
    super(context, name, settings, 'remove() removes a value, and fastRemove() an index')
    this.#sorting = new Sorting(this.requests, this.valueCodec)
    this.#cursor = listCursor(this.key, (key) => context.topology.slotOf(key))
  }

  add(value: V): Promise<boolean>
  add(index: number, value: V): Promise<void>
  async add(...args: [V] | [number, V]): Promise<unknown> {
    demandNoMore((args as readonly unknown[])[2], ONE_VALUE)
    if (args.length < 2) return await this.appendAll(args as [V])
    const [index, value] = args as [number, V]
    const given = { index: insertionIndex(index), mark: uniqueMark(), value: this.valueCodec.encode(value) }
    this.#demandIndex(await this.ask(scripts.insert, given), index)
    return undefined
  }

  addAll(values: Iterable<V>): Promise<boolean>
  addAll(index: number, values: Iterable<V>): Promise<boolean>
  async addAll(...args: [Iterable<V>] | [number, Iterable<V>]): Promise<boolean> {
    demandNoMore((args as readonly unknown[])[2], ONE_LIST)
    if (args.length < 2) return await this.appendAll(args[0] as Iterable<V>)
    const [given, values] = args as [number, Iterable<V>]
    const index = insertionIndex(given)
    const parts = this.inRequests('addAll()', values)
    // The last ones first, so that each finds the index where it was.
    await sendParts(parts.toReversed(), (part) => this.#insert(index, part), IN_TURN)
    return parts.length > 0
  }

  async addAfter(elementToFind: V, element: V): Promise<number> {
    return sizeAfter(
      await this.ask(commands.addAfter, {
        pivot: this.valueCodec.encode(elementToFind),
        value: this.valueCodec.encode(element),
      }),
    )
  }

  async addBefore(elementToFind: V, element: V): Promise<number> {
    return sizeAfter(
      await this.ask(commands.addBefore, {
        pivot: this.valueCodec.encode(elementToFind),
        value: this.valueCodec.encode(element),
      }),
    )
  }

  async get(index: number): Promise<V | undefined> {
    return this.valueCodec.decodeIfAny(await this.ask(commands.get, { index: anyIndex(index) }))
  }

  async getAll(indexes: Iterable<number>): Promise<(V | undefined)[]> {
    const wanted = valuesOf('indexes', indexes).map((index) => anyIndex(index))
    const found = await Promise.all(
      chunk(wanted, MOST_ENTRIES).map((part) => this.ask(scripts.getAll, { indexes: part })),
    )
    return await mapInTurns(found.flat(), (element) => this.valueCodec.decodeIfAny(element))
  }

  async set(index: number, element: V): Promise<V> {
    const before = await this.ask(scripts.set, {
      index: anyIndex(index),
      value: this.valueCodec.encode(element),
    })
    if (before === undefined) throw new IndexOutOfBoundsError(this.name, index)
    return this.valueCodec.decodeTaken([before])[0] as V
  }

  async fastSet(index: number, element: V): Promise<void> {
    try {
      await this.ask(commands.set, { index: anyIndex(index), value: this.valueCodec.encode(element) })
    } catch (cause) {
      if (hasNoSuchIndex(cause)) throw new IndexOutOfBoundsError(this.name, index, { cause })
      throw cause
    }
  }

  async removeAt(index: number): Promise<V | undefined> {
    return this.valueCodec.decodeTakenIfAny(
      await this.ask(scripts.removeAt, { index: anyIndex(index), mark: uniqueMark() }),
    )
  }

  async fastRemove(index: number): Promise<boolean> {
    return await this.ask(scripts.fastRemove, { index: anyIndex(index), mark: uniqueMark() })
  }

  async lastIndexOf(value: V): Promise<number> {
    return await this.indexBy(-1, value)
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

  async range(...args: [toIndex: number] | [fromIndex: number, toIndex: number]): Promise<V[]> {
    demandNoMore((args as readonly unknown[])[2], 'a range has two ends')
    const [from, to] = args.length === 1 ? [0, ...args] : args
    return await this.rangeOf(anyIndex(from, 'fromIndex'), anyIndex(to, 'toIndex'))
  }

  async trim(fromIndex: number, toIndex: number): Promise<void> {
    await this.ask(commands.trim, {
      from: anyIndex(fromIndex, 'fromIndex'),
      to: anyIndex(toIndex, 'toIndex'),
    })
  }

  distributedIterator(options?: ListIteratorOptions): AsyncIterable<V> {
    const { iteratorName, ...settings } = distributedScan(optionsOf(options, ITERATOR))
    const cursor = iteratorName === undefined ? this.#cursor : this.keyInSlot(iteratorName)
    const together = { script: scripts.nextPage, source: [], cursor }
    const taking = {
      decode: (element: Buffer) => this.valueCodec.decode(element),
      bytesOf: (element: Buffer) => element,
    }
    return { [Symbol.asyncIterator]: () => distributedItems(this.requests, together, settings, taking) }
  }

  async #insert(index: number, values: readonly Argument[]): Promise<void> {
    this.#demandIndex(await this.ask(scripts.insertAll, { index, values }), index)
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

/** The command may be run by a script. */
function hasNoSuchIndex(error: unknown): boolean {
  return NO_SUCH_INDEX.test(repliedWords(error))
}

/** The size that Redis says; -1 where nothing was inserted. */
function sizeAfter(said: number): number {
  return said > 0 ? said : -1
}
