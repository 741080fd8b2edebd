import type {
  ComputeFunction,
  ComputeIfAbsentFunction,
  ComputeIfPresentFunction,
  ComputeOptions,
  LoadOptions,
  MapScanOptions,
  MergeFunction,
  RMap,
} from './map.api.js'
import {
  demandTurns,
  FROM_ANY_NODE,
  FROM_MASTER,
  type RunOptions,
} from '../../command/operation/command-executor.js'
import type { Argument } from '../../connection/connection.js'
import { wholeNumber } from '../../core/arguments/arguments.js'
import { entriesOf, keysOf, type Entries } from '../../core/entries.js'
import type { ObjectContext } from '../../core/context/object-context.js'
import { demandNoMore, refuseSurplus, ANY_NUMBER } from '../../core/arguments/options.js'
import { pagesOf, walk } from '../../core/pages.js'
import { OBJECT_EVENTS, type EventSources } from '../../core/object-events.js'
import { sendInTurn } from '../../core/context/parts.js'
import type { ObjectKind } from '../../core/redisson-object.js'
import { DEFAULT_COUNT, MOST_ENTRIES } from '../../core/arguments/scan-settings.js'
import { chunk } from '../../util/collections/chunk.js'
import { sumOf } from '../../util/collections/sum-of.js'
import { inspectShort } from '../../util/inspect-short.js'
import { mapInTurns } from '../../util/map-in-turns.js'
import { EntryObjects, type EntryRooms } from '../shared/entry-objects.js'
import type { Compute, Computations, Computed, ComputedEntry } from './computations.js'
import type { WriteBehinds } from './behind/write-behinds.js'
import { EntryCodec, type EntryBytes } from './entry-codec.js'
import * as commands from './map.commands.js'
import * as scripts from './map.scripts.js'
import { demandCompute, scanSettings, waitingOf, type MapSettings } from './map-options.js'
import { MapReader } from './map-reader.js'

/** What a program may have meant by a further argument. */
export const NO_TIME = 'an entry of this map has no time to live of its own'

const EVENTS = {
  ...OBJECT_EVENTS,
  put: { names: ['hset', 'hincrby', 'hincrbyfloat'], flag: 'h' },
  removed: { names: ['hdel'], flag: 'h' },
} as const

const EXACTLY_ONCE = { exactlyOnce: true }

/** What the maps of a client share. */
export interface MapServices {
  readonly rooms: EntryRooms
  readonly computations: Computations
  readonly behind: WriteBehinds
}

/** A map in one hash. */
export class RedissonMap<K, V> extends EntryObjects<K> implements RMap<K, V> {
  static {
    refuseSurplus(this, {
      get: 'getAll() returns several values',
      getAll: 'the keys are one list',
      put: NO_TIME,
      fastPut: NO_TIME,
      putAll: NO_TIME,
      putIfAbsent: NO_TIME,
      fastPutIfAbsent: NO_TIME,
      putIfExists: NO_TIME,
      fastPutIfExists: NO_TIME,
      replace: ANY_NUMBER,
      remove: ANY_NUMBER,
      fastRemove: ANY_NUMBER,
      addAndGet: 'it adds to one value',
      containsKey: 'it looks for one key',
      containsValue: 'it looks for one value',
      valueSize: 'it is about one key',
      randomKeys: 'it takes one number',
      randomEntries: 'it takes one number',
      readAllKeySet: 'keys() takes a pattern',
      readAllValues: 'values() takes a pattern',
      readAllEntrySet: 'entries() takes a pattern',
      readAllMap: 'entries() takes a pattern',
      keys: 'a pattern is an option',
      values: 'a pattern is an option',
      entries: 'a pattern is an option',
    })
  }

  readonly #codec: EntryCodec<K, V>
  readonly #computations: Computations

  constructor(
    context: ObjectContext,
    name: string,
    { codec, run }: Pick<MapSettings<K, V>, 'codec' | 'run'>,
    services: Pick<MapServices, 'rooms' | 'computations'>,
  ) {
    super(context, name, { codec, run }, services.rooms)
    this.#codec = new EntryCodec(name, codec)
    this.#computations = services.computations
  }

  async get(key: K): Promise<V | undefined> {
    return await this.find(key)
  }

  async getAll(keys: Iterable<K>): Promise<Map<K, V>> {
    const wanted = keysOf(keys)
    const fields = wanted.map((key) => this.#codec.encodeKey(key))
    const found = await Promise.all(
      chunk(fields, MOST_ENTRIES).map((part) => this.ask(commands.getAll, { fields: part })),
    )
    const read = found.flat()
    const values = new Map<K, V>()
    await mapInTurns([...wanted.entries()], ([index, key]) => {
      const bytes = read[index]
      if (bytes !== undefined) values.set(key, this.#codec.decodeValue(bytes, key))
    })
    return values
  }

  async put(key: K, value: V): Promise<V | undefined> {
    return this.#codec.decodeTakenValue(await this.ask(scripts.put, this.#entryOf(key, value)), key)
  }

  async fastPut(key: K, value: V): Promise<boolean> {
    return await this.ask(commands.put, this.#entryOf(key, value))
  }

  async putAll(entries: Entries<K, V>): Promise<void> {
    const all = Array.from(entriesOf('entries', entries), (entry) => this.#entryOf(...entry))
    const send = (part: typeof all) => {
      return this.ask(scripts.putAll, { entries: part.flatMap(({ field, value }) => [field, value]) })
    }
    const what = `putAll() of more than ${MOST_ENTRIES} entries`
    await sendInTurn(this.requests, what, chunk(all, MOST_ENTRIES), send)
  }

  async putIfAbsent(key: K, value: V): Promise<V | undefined> {
    return this.#valueOf(key, await this.ask(scripts.putIfAbsent, this.#entryOf(key, value)))
  }

  async fastPutIfAbsent(key: K, value: V): Promise<boolean> {
    return await this.ask(commands.putIfAbsent, this.#entryOf(key, value))
  }

  async putIfExists(key: K, value: V): Promise<V | undefined> {
    return this.#codec.decodeTakenValue(await this.ask(scripts.putIfExists, this.#entryOf(key, value)), key)
  }

  async fastPutIfExists(key: K, value: V): Promise<boolean> {
    return await this.ask(scripts.fastPutIfExists, this.#entryOf(key, value))
  }

  replace(key: K, value: V): Promise<V | undefined>
  replace(key: K, expected: V, value: V): Promise<boolean>
  async replace(key: K, ...values: [V] | [V, V]): Promise<V | boolean | undefined> {
    demandNoMore((values as readonly unknown[])[2])
    if (values.length < 2) return await this.putIfExists(key, values[0])
    const [expected, value] = values as [V, V]
    const args = {
      field: this.#codec.encodeKey(key),
      expected: this.#codec.encodeValue(expected, key),
      value: this.#codec.encodeValue(value, key),
    }
    return await this.ask(scripts.replaceIf, args)
  }

  async fastReplace(key: K, value: V): Promise<boolean> {
    return await this.fastPutIfExists(key, value)
  }

  remove(key: K): Promise<V | undefined>
  remove(key: K, expected: V): Promise<boolean>
  async remove(key: K, ...values: [] | [V]): Promise<V | boolean | undefined> {
    demandNoMore((values as readonly unknown[])[1], 'fastRemove() removes several keys')
    const field = this.#codec.encodeKey(key)
    if (values.length === 0) {
      const before = await this.ask(scripts.remove, { field })
      return this.#codec.decodeTakenValue(before, key)
    }
    const expected = this.#codec.encodeValue(values[0], key)
    return await this.ask(scripts.removeIf, { field, expected })
  }

  async fastRemove(...keys: K[]): Promise<number> {
    const fields = keys.map((key) => this.#codec.encodeKey(key))
    const send = (part: typeof fields) => this.ask(commands.remove, { fields: part })
    const what = `fastRemove() of more than ${MOST_ENTRIES} keys`
    return sumOf(await sendInTurn(this.requests, what, chunk(fields, MOST_ENTRIES), send))
  }

  async addAndGet(key: K, delta: number | bigint): Promise<V> {
    const args = { field: this.#codec.encodeKey(key), delta: decimal(delta) }
    const sum = await this.ask(commands.add, args)
    return this.#codec.decodeValue(sum, key)
  }

  async compute(key: K, fn: ComputeFunction<K, V>, options?: ComputeOptions): Promise<V | undefined> {
    this.demandComputing(fn, options)
    return await this.#compute(key, options, async (before, context) =>
      this.#computed(key, await fn(key, this.#valueOf(key, before), context)),
    )
  }

  async computeIfAbsent(
    key: K,
    fn: ComputeIfAbsentFunction<K, V>,
    options?: ComputeOptions,
  ): Promise<V | undefined> {
    this.demandComputing(fn, options)
    demandTurns(this.requests, 'computeIfAbsent()')
    const value = await this.find(key, FROM_MASTER)
    if (value !== undefined) return value
    return await this.#compute(key, options, async (before, context) =>
      before === undefined
        ? this.#computed(key, await fn(key, context))
        : { value: this.#valueOf(key, before), bytes: before, isKept: true },
    )
  }

  async computeIfPresent(
    key: K,
    fn: ComputeIfPresentFunction<K, V>,
    options?: ComputeOptions,
  ): Promise<V | undefined> {
    this.demandComputing(fn, options)
    demandTurns(this.requests, 'computeIfPresent()')
    if (!(await this.mayHave(key))) return undefined
    return await this.#compute(key, options, async (before, context) =>
      before === undefined
        ? { value: undefined, bytes: before, isKept: true }
        : this.#computed(key, await fn(key, this.#codec.decodeValue(before, key), context)),
    )
  }

  async merge(key: K, value: V, fn: MergeFunction<V>, options?: ComputeOptions): Promise<V | undefined> {
    this.demandComputing(fn, options)
    const first = { value, bytes: this.#codec.encodeValue(value, key) }
    return await this.#compute(key, options, async (before, context) =>
      before === undefined
        ? first
        : this.#computed(key, await fn(this.#codec.decodeValue(before, key), value, context)),
    )
  }

  async containsKey(key: K): Promise<boolean> {
    return await this.#contains(key)
  }

  async containsValue(value: V): Promise<boolean> {
    demandTurns(this.requests, 'containsValue()')
    const wanted = this.#codec.encodeValue(value)
    const next = (cursor: string) =>
      this.ask(scripts.containsValue, { cursor, count: DEFAULT_COUNT, value: wanted }, {}, FROM_MASTER)
    for await (const found of pagesOf(next)) if (found.includes(true)) return true
    return false
  }

  async size(): Promise<number> {
    return await this.ask(commands.size)
  }

  async valueSize(key: K): Promise<number> {
    return await this.ask(commands.valueSize, this.#fieldOf(key))
  }

  async isEmpty(): Promise<boolean> {
    return (await this.size()) === 0
  }

  async clear(): Promise<void> {
    await this.delete()
  }

  async randomKeys(count: number): Promise<K[]> {
    const args = { count: wholeNumber('count', count, 0) }
    const found = await this.ask(commands.randomKeys, args, {}, this.readingAtRandom)
    return await mapInTurns(found, (key) => this.#codec.decodeKey(key))
  }

  async randomEntries(count: number): Promise<Map<K, V>> {
    const args = { count: wholeNumber('count', count, 0) }
    return await this.#mapOf(await this.ask(commands.randomEntries, args, {}, this.readingAtRandom))
  }

  async readAllKeySet(): Promise<K[]> {
    return await mapInTurns(await this.#reader.keys(), (key) => this.#codec.decodeKey(key))
  }

  async readAllValues(): Promise<V[]> {
    return await mapInTurns(await this.#reader.values(), (value) => this.#codec.decodeValue(value))
  }

  async readAllEntrySet(): Promise<[K, V][]> {
    return await mapInTurns(await this.#reader.entries(), (entry) => this.#codec.decodeEntry(entry))
  }

  async readAllMap(): Promise<Map<K, V>> {
    return await this.#mapOf(await this.#reader.entries())
  }

  keys(options?: MapScanOptions): AsyncIterable<K> {
    const settings = scanSettings(options)
    const next = (cursor: string) => this.#reader.keyPage(cursor, settings)
    return walk(next, (key) => this.#codec.decodeKey(key), settings)
  }

  values(options?: MapScanOptions): AsyncIterable<V> {
    const settings = scanSettings(options)
    const next = (cursor: string) => this.#reader.entryPage(cursor, settings)
    return walk(next, (entry) => this.#codec.decodeEntry(entry)[1], settings)
  }

  entries(options?: MapScanOptions): AsyncIterable<[K, V]> {
    const settings = scanSettings(options)
    const next = (cursor: string) => this.#reader.entryPage(cursor, settings)
    return walk(next, (entry) => this.#codec.decodeEntry(entry), settings)
  }

  [Symbol.asyncIterator](): AsyncIterator<[K, V]> {
    return this.entries()[Symbol.asyncIterator]()
  }

  async loadAll(_options?: LoadOptions<K>): Promise<void> {
    await Promise.reject(new TypeError('Expected the map to have a `loader`, got none'))
  }

  async flush(): Promise<void> {
    await Promise.resolve()
  }

  protected override get reading(): RunOptions {
    return FROM_ANY_NODE
  }

  /** How entries are read at random. */
  protected get readingAtRandom(): RunOptions {
    return this.reading
  }

  protected override get events(): EventSources {
    return EVENTS
  }

  protected override get kind(): ObjectKind {
    return 'hash'
  }

  protected override entryBytes(key: K): Buffer {
    return this.#codec.keyBytes(key)
  }

  /** Refuses what is no function, and options of a computation that are unknown or wrong. */
  protected demandComputing(fn: unknown, options?: ComputeOptions): void {
    demandCompute(fn, options)
  }

  /** What a computation reads and writes, by its options. */
  protected entryOf(key: K, _options?: ComputeOptions): ComputedEntry<V> {
    const field = this.#codec.encodeKey(key)
    return {
      object: this.name,
      lock: this.getLock(key),
      ending: this.requests.signal,
      read: () => this.ask(commands.get, { field }, {}, FROM_MASTER),
      write: (before, { bytes }) => this.#replaceBytes(field, before, bytes),
    }
  }

  /** The value of the key, if it has one. */
  protected async find(key: K, options?: RunOptions): Promise<V | undefined> {
    const found = await this.ask(commands.get, this.#fieldOf(key), {}, options)
    return this.#valueOf(key, found)
  }

  /** Whether there may be a value of the key. */
  protected mayHave(key: K): Promise<boolean> {
    return this.#contains(key, FROM_MASTER)
  }

  #contains(key: K, options?: RunOptions): Promise<boolean> {
    return this.ask(commands.contains, this.#fieldOf(key), {}, options)
  }

  #compute(key: K, options: ComputeOptions = {}, compute: Compute<V>): Promise<V | undefined> {
    return this.#computations.run(this.entryOf(key, options), compute, waitingOf(options))
  }

  #computed(key: K, value: V | undefined): Computed<V> {
    return { value, bytes: value === undefined ? undefined : this.#codec.encodeValue(value, key) }
  }

  /** Sets or removes a value if it is the one that is expected, each of which may be none. Returns whether it was. */
  async #replaceBytes(field: Argument, expected?: Buffer, value?: Argument): Promise<boolean> {
    if (expected !== undefined && value !== undefined)
      return await this.ask(scripts.replaceIf, { field, expected, value }, {}, EXACTLY_ONCE)
    if (expected !== undefined) return await this.ask(scripts.removeIf, { field, expected }, {}, EXACTLY_ONCE)
    if (value === undefined) return true
    return await this.ask(commands.putIfAbsent, { field, value }, {}, EXACTLY_ONCE)
  }

  get #reader(): MapReader {
    return new MapReader(this.requests)
  }

  #fieldOf(key: K): { readonly field: Argument } {
    return { field: this.#codec.encodeKey(key) }
  }

  #entryOf(key: K, value: V): { readonly field: Argument; readonly value: Argument } {
    return { field: this.#codec.encodeKey(key), value: this.#codec.encodeValue(value, key) }
  }

  #valueOf(key: K, bytes: Buffer | undefined): V | undefined {
    return bytes === undefined ? undefined : this.#codec.decodeValue(bytes, key)
  }

  async #mapOf(entries: readonly EntryBytes[]): Promise<Map<K, V>> {
    return new Map(await mapInTurns(entries, (entry) => this.#codec.decodeEntry(entry)))
  }
}

/** @throws TypeError, or RangeError for a number that is not finite */
export function decimal(delta: number | bigint): string {
  if (typeof delta !== 'bigint' && typeof delta !== 'number')
    throw new TypeError(`Expected \`delta\` to be a number, got ${inspectShort(delta)}`)
  if (typeof delta === 'number' && !Number.isFinite(delta))
    throw new RangeError(`Expected \`delta\` to be a finite number, got ${String(delta)}`)
  return String(delta)
}
