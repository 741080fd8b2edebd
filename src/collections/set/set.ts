import type { CountOptions, DistributedIteratorOptions, RSet, SetScanOptions } from './set.api.js'
import type { SortGetOptions, SortOptions } from '../shared/sortable.api.js'
import { FROM_ANY_NODE, type RunOptions } from '../../command/operation/command-executor.js'
import type { PlainCommand } from '../../command/operation/command.js'
import { demandValue, wholeNumber } from '../../core/arguments/arguments.js'
import { valuesOf } from '../../core/entries.js'
import { setCursor } from '../../core/context/names.js'
import type { ObjectContext } from '../../core/context/object-context.js'
import { OBJECT_EVENTS, type EventSources } from '../../core/object-events.js'
import type { ValueSettings } from '../../core/arguments/object-settings.js'
import { demandNoMore, refuseSurplus, ANY_NUMBER } from '../../core/arguments/options.js'
import { walk } from '../../core/pages.js'
import type { ObjectKind } from '../../core/redisson-object.js'
import { MOST_ENTRIES } from '../../core/arguments/scan-settings.js'
import { demandSupported } from '../../core/unsupported.js'
import { chunk } from '../../util/collections/chunk.js'
import { sumOf } from '../../util/collections/sum-of.js'
import { distributedItems, distributedScan } from '../shared/distributed-pages.js'
import { EntryObjects, type EntryRooms } from '../shared/entry-objects.js'
import { inParts, type OfValues } from '../shared/in-parts.js'
import { retainAll } from '../shared/retain-all.js'
import { Sorting } from '../shared/sorting.js'
import { ValueCodec } from '../shared/value-codec.js'
import * as commands from './set.commands.js'
import * as scripts from './set.scripts.js'
import { limitOf, scanSettings } from './set-options.js'
import { SetReader } from './set-reader.js'

/** What a program may have meant by a further argument. */
const ONE_VALUE = 'addAll(), removeAll() and containsEach() take several values'
const ONE_LIST = 'the values are one list'
const ONE_LIST_OF_NAMES = 'the names are one list'

const EVENTS = {
  ...OBJECT_EVENTS,
  added: { names: ['sadd'], flag: 's' },
  removed: { names: ['srem'], flag: 's' },
  removedRandom: { names: ['spop'], flag: 's' },
  stored: { names: ['sunionstore', 'sdiffstore', 'sinterstore'], flag: 's' },
} as const

/** A command that is given this set and others. */
type OfSets<R> = PlainCommand<'set' | '...others', never, R, 'set'>

/** A set. */
export class RedissonSet<V> extends EntryObjects<V> implements RSet<V> {
  static {
    refuseSurplus(this, {
      add: ONE_VALUE,
      addAll: ONE_LIST,
      addAllCounted: ONE_LIST,
      tryAdd: ANY_NUMBER,
      contains: ONE_VALUE,
      containsEach: ONE_LIST,
      containsAll: ONE_LIST,
      remove: ONE_VALUE,
      removeAll: ONE_LIST,
      removeAllCounted: ONE_LIST,
      retainAll: ONE_LIST,
      random: ANY_NUMBER,
      removeRandom: ANY_NUMBER,
      move: ANY_NUMBER,
      union: ONE_LIST_OF_NAMES,
      readUnion: ONE_LIST_OF_NAMES,
      diff: ONE_LIST_OF_NAMES,
      readDiff: ONE_LIST_OF_NAMES,
      intersection: ONE_LIST_OF_NAMES,
      readIntersection: ONE_LIST_OF_NAMES,
      countIntersection: ONE_LIST_OF_NAMES,
      readAll: 'values() takes a pattern',
      values: 'a pattern is an option',
      distributedIterator: 'a pattern is an option',
    })
  }

  readonly #codec: ValueCodec<V>
  readonly #reader: SetReader
  readonly #sorting: Sorting<V>
  /** Where a walk that several make goes on. */
  readonly #cursor: string

  constructor(context: ObjectContext, name: string, { codec, run }: ValueSettings<V>, rooms: EntryRooms) {
    super(context, name, { codec, run }, rooms)
    this.#codec = new ValueCodec(name, codec, 'a set has none')
    this.#reader = new SetReader(this.requests)
    this.#sorting = new Sorting(this.requests, this.#codec)
    this.#cursor = setCursor(this.key, (key) => context.topology.slotOf(key))
  }

  async add(value: V): Promise<boolean> {
    return await this.ask(commands.add, { values: [this.#codec.encode(value)] })
  }

  async addAll(values: Iterable<V>): Promise<boolean> {
    return (await this.#inParts(commands.add, 'addAll()', values)).includes(true)
  }

  async addAllCounted(values: Iterable<V>): Promise<number> {
    return sumOf(await this.#inParts(commands.addCounted, 'addAllCounted()', values))
  }

  async tryAdd(...values: V[]): Promise<boolean> {
    if (values.length > MOST_ENTRIES)
      throw new RangeError(
        `Expected at most ${String(MOST_ENTRIES)} values, which are added as one step, got ${String(values.length)}`,
      )
    return await this.ask(scripts.tryAdd, { values: this.#codec.encodeAll(values) })
  }

  async contains(value: V): Promise<boolean> {
    return await this.ask(commands.contains, { value: this.#codec.encode(value) })
  }

  async containsEach(values: Iterable<V>): Promise<boolean[]> {
    const parts = chunk(this.#codec.encodeAll(values), MOST_ENTRIES)
    const found = await Promise.all(parts.map((part) => this.ask(commands.containsEach, { values: part })))
    return found.flat()
  }

  async containsAll(values: Iterable<V>): Promise<boolean> {
    return (await this.containsEach(values)).every(Boolean)
  }

  async remove(value: V): Promise<boolean> {
    return await this.ask(commands.remove, { values: [this.#codec.encode(value)] })
  }

  async removeAll(values: Iterable<V>): Promise<boolean> {
    return (await this.#inParts(commands.remove, 'removeAll()', values)).includes(true)
  }

  async removeAllCounted(values: Iterable<V>): Promise<number> {
    return sumOf(await this.#inParts(commands.removeCounted, 'removeAllCounted()', values))
  }

  async retainAll(values: Iterable<V>): Promise<boolean> {
    const kept = this.#codec.encodeAll(values)
    if (kept.length === 0) return await this.delete()
    const pages = () => this.#reader.pages()
    const retaining = { atOnce: scripts.retainAll, remove: commands.remove, pages }
    return await retainAll(this.requests, retaining, kept)
  }

  random(): Promise<V | undefined>
  random(count: number): Promise<V[]>
  async random(...counts: [] | [number]): Promise<V | V[] | undefined> {
    demandNoMore((counts as readonly unknown[])[1], 'it takes one number')
    if (counts.length === 0) return this.#codec.decodeIfAny(await this.ask(commands.random))
    return await this.#codec.decodeAll(
      await this.ask(commands.randomMany, { count: wholeNumber('count', counts[0], 0) }),
    )
  }

  removeRandom(): Promise<V | undefined>
  removeRandom(count: number): Promise<V[]>
  async removeRandom(...counts: [] | [number]): Promise<V | V[] | undefined> {
    demandNoMore((counts as readonly unknown[])[1], 'it takes one number')
    if (counts.length === 0) return this.#codec.decodeTakenIfAny(await this.ask(commands.removeRandom))
    const count = wholeNumber('count', counts[0], 0)
    if (count > MOST_ENTRIES)
      throw new RangeError(`Expected \`count\` to be ${String(MOST_ENTRIES)} or less, got ${String(count)}`)
    return this.#codec.decodeTaken(await this.ask(commands.removeRandomMany, { count }))
  }

  override move(database: number): Promise<boolean>
  override move(destination: string, value: V): Promise<boolean>
  override async move(...args: [number] | [string, V]): Promise<boolean> {
    demandNoMore((args as readonly unknown[])[2], 'it moves one value')
    if (args.length < 2) return await super.move(args[0] as number)
    const [destination, value] = args as [string, V]
    const keys = { destination: this.keyInSlot(destination) }
    return await this.ask(commands.move, { value: this.#codec.encode(value) }, keys)
  }

  async union(names: Iterable<string>): Promise<number> {
    return await this.#store(commands.union, this.#othersOf(names))
  }

  async readUnion(names: Iterable<string>): Promise<V[]> {
    return await this.#combine(commands.readUnion, names)
  }

  async diff(names: Iterable<string>): Promise<number> {
    const others = this.#othersOf(names)
    return await this.#store(others.includes(this.key, 1) ? commands.diffWithItself : commands.diff, others)
  }

  async readDiff(names: Iterable<string>): Promise<V[]> {
    return await this.#combine(commands.readDiff, names)
  }

  async intersection(names: Iterable<string>): Promise<number> {
    return await this.#store(commands.intersection, this.#othersOf(names))
  }

  async readIntersection(names: Iterable<string>): Promise<V[]> {
    return await this.#combine(commands.readIntersection, names)
  }

  async countIntersection(names: Iterable<string>, options?: CountOptions): Promise<number> {
    const counted = this.ask(
      commands.countIntersection,
      { limit: limitOf(options) },
      { others: this.#othersOf(names) },
    )
    return await demandSupported(counted, 'countIntersection()', 'Redis 7')
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
    return await this.#codec.decodeAll(await this.#reader.all())
  }

  values(options?: SetScanOptions): AsyncIterable<V> {
    const settings = scanSettings(options)
    return walk(
      (cursor) => this.#reader.page(cursor, settings),
      (value) => this.#codec.decode(value),
      settings,
    )
  }

  distributedIterator(options?: DistributedIteratorOptions): AsyncIterable<V> {
    const { iteratorName, ...settings } = distributedScan(options)
    const cursor = iteratorName === undefined ? this.#cursor : this.keyInSlot(iteratorName)
    const together = { script: scripts.nextPage, source: ['sscan', settings.pattern], cursor }
    const taking = { decode: (value: Buffer) => this.#codec.decode(value), bytesOf: (value: Buffer) => value }
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
    return 'set'
  }

  protected override entryBytes(value: V): Buffer {
    demandValue(value, 'there are locks of values only')
    return this.#codec.bytesOf(value)
  }

  async #inParts<R>(command: OfValues<R>, what: string, values: Iterable<V>): Promise<R[]> {
    return await inParts(this.requests, command, what, this.#codec.encodeAll(values))
  }

  async #store(command: OfSets<number>, others: readonly string[]): Promise<number> {
    if (others.length === 0) throw new RangeError('Expected `names` to have one name or more, got none')
    return await this.ask(command, {}, { others })
  }

  async #combine(command: OfSets<Buffer[]>, names: Iterable<string>): Promise<V[]> {
    return await this.#codec.decodeAll(await this.ask(command, {}, { others: this.#othersOf(names) }))
  }

  #othersOf(names: Iterable<string>): readonly string[] {
    return valuesOf('names', names).map((name) => this.keyInSlot(name))
  }
}
