import type { MapScanOptions } from '../map/map.api.js'
import type { RMultimap } from './multimap.api.js'
import { decodeTakenBytes } from '../../codec/taken.js'
import { demandTurns, type RunOptions } from '../../command/operation/command-executor.js'
import type { Call } from '../../command/operation/operation.js'
import type { Script } from '../../command/operation/script.js'
import type { Argument } from '../../connection/connection.js'
import { keysOf, valuesOf } from '../../core/entries.js'
import { multimapValues } from '../../core/context/names.js'
import type { ObjectContext } from '../../core/context/object-context.js'
import { OBJECT_EVENTS, type EventSources } from '../../core/object-events.js'
import type { ValueSettings } from '../../core/arguments/object-settings.js'
import { refuseSurplus, ANY_NUMBER } from '../../core/arguments/options.js'
import { FIRST_CURSOR, itemsOf, pagesOf, walk, type Page } from '../../core/pages.js'
import type { ObjectKeys, ObjectKind } from '../../core/redisson-object.js'
import { sendInTurn } from '../../core/context/parts.js'
import { MOST_ENTRIES } from '../../core/arguments/scan-settings.js'
import { afterEffect } from '../../errors/after-effect.js'
import { WrongTypeError } from '../../errors/reply-errors.js'
import { chunk } from '../../util/collections/chunk.js'
import { highwayHashName } from '../../util/hash/highway-hash.js'
import { sumOf } from '../../util/collections/sum-of.js'
import { mapInTurns } from '../../util/map-in-turns.js'
import { EntryCodec, type EntryBytes } from '../map/entry-codec.js'
import { scanSettings } from '../map/map-options.js'
import { MapReader } from '../map/map-reader.js'
import * as mapCommands from '../map/map.commands.js'
import { EntryObjects, type EntryRooms } from '../shared/entry-objects.js'
import { LINKED, type Linking } from './linked.js'
import type { MultimapSettings } from './multimap-options.js'
import { MultimapReader, type ValuesPage } from './multimap-reader.js'
import * as scripts from './multimap.scripts.js'
import { HASH, valuesContext, valuesName, type ValuesContext, type ValuesPlace } from './values-context.js'

/** What a program may have meant by a further argument. */
const ONE_VALUE = 'putAll() takes several values'
const ONE_LIST = 'the values are one list'
const ONE_KEY = 'it is about one key'

const EVENTS = {
  ...OBJECT_EVENTS,
  put: { names: ['hset'], flag: 'h' },
  removed: { names: ['hdel'], flag: 'h' },
} as const

/** How many values one request sets: Redis takes no more than 2 ** 20 words. */
const MOST_SET = 1_000_000

/** How many values one request looks for in each key that it is about. */
const MOST_REMOVED = 500

/** A script that is about some keys at a time. */
type PageScript<A extends string, R> = Script<'multimap' | 'prefix', A, Page<R>>

/** The values of one key, whether they are a set or a list. */
export interface Values<V> {
  add(value: V): Promise<boolean>
  addAll(values: Iterable<V>): Promise<boolean>
  remove(value: V): Promise<boolean>
  contains(value: V): Promise<boolean>
  isEmpty(): Promise<boolean>
  readAll(): Promise<V[]>
}

/** A multimap: a hash that names a key for each of its keys, which has the values of that. */
export abstract class RedissonMultimap<K, V, C extends Values<V>>
  extends EntryObjects<K>
  implements RMultimap<K, V, C>
{
  static {
    refuseSurplus(this, {
      get: ONE_KEY,
      getAll: ONE_KEY,
      put: ONE_VALUE,
      putAll: ONE_LIST,
      remove: 'removeAll() removes a key',
      removeAll: 'fastRemove() removes several keys',
      replaceValues: ONE_LIST,
      fastReplaceValues: ONE_LIST,
      fastRemove: ANY_NUMBER,
      fastRemoveValue: ANY_NUMBER,
      containsKey: ONE_KEY,
      containsValue: 'containsEntry() looks at one key',
      containsEntry: ONE_VALUE,
      size: 'keySize() counts the keys',
      readAllKeySet: 'keys() takes a pattern',
      keys: 'a pattern is an option',
      values: 'a pattern is an option',
      entries: 'a pattern is an option',
    })
  }

  readonly #context: ObjectContext
  readonly #entries: EntryCodec<K, V>
  readonly #values: ValueSettings<V>

  constructor(
    context: ObjectContext,
    name: string,
    { codec, run }: MultimapSettings<K, V>,
    rooms: EntryRooms,
  ) {
    super(context, name, { codec, run }, rooms)
    this.#context = context
    this.#entries = new EntryCodec(name, codec)
    this.#values = { codec: codec.value, run }
  }

  get(key: K): C {
    return this.#valuesOf(key)
  }

  async getAll(key: K): Promise<V[]> {
    return await this.#valuesOf(key).readAll()
  }

  async put(key: K, value: V): Promise<boolean> {
    return await this.#valuesOf(key).add(value)
  }

  async putAll(key: K, values: Iterable<V> & object): Promise<boolean> {
    return await this.#valuesOf(key).addAll(values)
  }

  async remove(key: K, value: V): Promise<boolean> {
    return await this.#valuesOf(key).remove(value)
  }

  async removeAll(key: K): Promise<V[]> {
    return this.#decodeTaken(await this.#runAt(key, this.valueScripts.take, {}), key)
  }

  async replaceValues(key: K, values: Iterable<V> & object): Promise<V[]> {
    const wanted = this.#encodeAll(key, values)
    return this.#decodeTaken(await this.#runAt(key, this.valueScripts.replace, { wanted }), key)
  }

  async fastReplaceValues(key: K, values: Iterable<V> & object): Promise<void> {
    await this.#runAt(key, this.valueScripts.fastReplace, { wanted: this.#encodeAll(key, values) })
  }

  async fastRemove(...keys: K[]): Promise<number> {
    const places = keysOf(keys).map((key) => this.#placeOf(key))
    const remove = (part: readonly ValuesPlace[]) => {
      const values = part.map(({ key }) => key)
      const fields = part.map(({ namedBy }) => namedBy.field)
      return this.ask(this.fastRemoveScript, { fields }, { values }, this.#values.run)
    }
    const what = `fastRemove() of more than ${MOST_ENTRIES} keys`
    return sumOf(await sendInTurn(this.requests, what, chunk(places, MOST_ENTRIES), remove))
  }

  async fastRemoveValue(...values: V[]): Promise<number> {
    const parts = chunk(
      values.map((value) => this.#entries.encodeValue(value)),
      MOST_REMOVED,
    )
    if (parts.length > 1) demandTurns(this.requests, `fastRemoveValue() of more than ${MOST_REMOVED} values`)
    let removed = 0
    try {
      for (const unwanted of parts) {
        const count = Math.floor(MOST_ENTRIES / unwanted.length)
        const args = { count, whole: this.requests.isBatch ? 1 : 0, unwanted }
        for await (const some of this.#pages(this.valueScripts.removeValues, args, this.#values.run))
          removed += sumOf(some)
      }
      return removed
    } catch (error) {
      throw removed > 0 ? afterEffect(error) : error
    }
  }

  async containsKey(key: K): Promise<boolean> {
    return !(await this.#valuesOf(key).isEmpty())
  }

  async containsValue(value: V): Promise<boolean> {
    const args = { count: MOST_ENTRIES, value: this.#entries.encodeValue(value) }
    for await (const found of this.#pages(this.valueScripts.containsValue, args))
      if (found.includes(true)) return true
    return false
  }

  async containsEntry(key: K, value: V): Promise<boolean> {
    return await this.#valuesOf(key).contains(value)
  }

  async size(): Promise<number> {
    let size = 0
    for await (const some of this.#pages(this.valueScripts.sizeOfPage, { count: MOST_ENTRIES }))
      for (const number of some) size += number
    return size
  }

  async keySize(): Promise<number> {
    return await this.ask(mapCommands.size)
  }

  async isEmpty(): Promise<boolean> {
    return (await this.keySize()) === 0
  }

  async clear(): Promise<void> {
    await this.delete()
  }

  async readAllKeySet(): Promise<K[]> {
    return await mapInTurns(await this.#map.keys(), (key) => this.#entries.decodeKey(key))
  }

  keys(options?: MapScanOptions): AsyncIterable<K> {
    const settings = scanSettings(options)
    const next = (cursor: string) => this.#map.keyPage(cursor, settings)
    return walk(next, (key) => this.#entries.decodeKey(key), settings)
  }

  values(options?: MapScanOptions): AsyncIterable<V> {
    return this.#walk((entry) => this.#entries.decodeEntry(entry)[1], options)
  }

  entries(options?: MapScanOptions): AsyncIterable<[K, V]> {
    return this.#walk((entry) => this.#entries.decodeEntry(entry), options)
  }

  [Symbol.asyncIterator](): AsyncIterator<[K, V]> {
    return this.entries()[Symbol.asyncIterator]()
  }

  /** The values of a key, as what they are. */
  protected abstract valuesIn(context: ValuesContext, settings: ValueSettings<V>): C

  /** What is asked of values of this kind. */
  protected abstract get valueScripts(): scripts.ScriptsOfValues

  /** Reads some values of a key. */
  protected abstract readonly valuesPage: ValuesPage

  /** How the values of a key are kept in step with the multimap. */
  protected get linking(): Linking {
    return LINKED
  }

  /** Removes keys with their values, and counts those that were there. */
  protected get fastRemoveScript(): typeof scripts.fastRemove {
    return scripts.fastRemove
  }

  protected override get scripts(): typeof scripts.ofAllKeys {
    return scripts.ofAllKeys
  }

  protected override get expiryScripts(): typeof scripts.ofExpiry {
    return scripts.ofExpiry
  }

  /** The second key has nothing: it is what the keys of the values begin with, which the scripts find by themselves. */
  protected override keysOf(key: string): ObjectKeys {
    return [key, multimapValues(key)]
  }

  protected override get events(): EventSources {
    return EVENTS
  }

  protected override get kind(): ObjectKind {
    return 'hash'
  }

  protected override entryBytes(key: K): Buffer {
    return this.#entries.keyBytes(key)
  }

  #valuesOf(key: K): C {
    return this.valuesIn(this.#contextOf(key), this.#values)
  }

  #contextOf(key: K): ValuesContext {
    return valuesContext(this.#context, this.#placeOf(key), this.linking)
  }

  #placeOf(key: K): ValuesPlace {
    const field = this.#entries.keyBytes(key)
    const hash = highwayHashName(field)
    const valuesKey = multimapValues(this.key, hash)
    return {
      name: valuesName(this.#context, valuesKey, this.name, hash),
      key: valuesKey,
      multimapName: this.name,
      namedBy: { multimap: this.key, field, hash },
    }
  }

  /** Runs a script that changes the values of a key. */
  #runAt<A extends string, R>(
    key: K,
    script: Script<'values', A, R>,
    args: Call<'values', A>['args'],
  ): Promise<R> {
    const { executor, place } = this.#contextOf(key)
    return executor.run(script, { keys: { values: place.key }, args }, this.#values.run)
  }

  /** What a script says of some keys after the other; of a small multimap, of all of them as of one moment. */
  #pages<A extends string, R>(
    script: PageScript<A, R>,
    args: object,
    options?: RunOptions,
  ): AsyncGenerator<readonly R[], void, undefined> {
    const keys = { multimap: this.key, prefix: multimapValues(this.key) }
    return pagesOf((cursor) => {
      if (cursor !== FIRST_CURSOR) demandTurns(this.requests, 'Reading many keys')
      return this.requests.run(script, { keys, args: { ...args, cursor } as never }, options)
    })
  }

  #walk<R>(decode: (entry: EntryBytes) => R, options: MapScanOptions = {}): AsyncIterable<R> {
    const settings = scanSettings(options)
    const keyOf = (hash: Buffer) => this.#keyWith(hash.toString('latin1'))
    const reader = new MultimapReader(this.requests, keyOf, this.valuesPage)
    return { [Symbol.asyncIterator]: () => itemsOf(reader.entries(settings), decode, settings) }
  }

  /** The key of the values that a field of the multimap names. Those of another hash may be any bytes. */
  #keyWith(hash: string): string {
    if (HASH.test(hash)) return multimapValues(this.key, hash)
    throw new WrongTypeError(this.name, { cause: new TypeError('a field names no values') })
  }

  get #map(): MapReader {
    return new MapReader(this.requests)
  }

  #decodeTaken(taken: readonly Buffer[], key: K): V[] {
    return decodeTakenBytes(taken, (value) => this.#entries.decodeValue(value, key))
  }

  /** Encodes the values that one request sets. */
  #encodeAll(key: K, values: Iterable<V>): Argument[] {
    const all = valuesOf('values', values)
    if (all.length > MOST_SET)
      throw new RangeError(
        `Expected at most ${String(MOST_SET)} values, which are set as one step, got ${String(all.length)}`,
      )
    return all.map((value) => this.#entries.encodeValue(value, key))
  }
}
