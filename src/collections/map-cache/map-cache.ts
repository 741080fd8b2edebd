import type {
  EntryLifeOptions,
  LeaseGetResult,
  MapCacheComputeOptions,
  MapCacheEventName,
  MapCacheListener,
  MaxSizeOptions,
  RMapCache,
} from './map-cache.api.js'
import type { ObjectListener } from '../../api/object.js'
import type { ListenOptions, Subscription } from '../../topics/shared/subscription.api.js'
import { demandTurns, FROM_MASTER, type RunOptions } from '../../command/operation/command-executor.js'
import type { Argument } from '../../connection/connection.js'
import { demandFunction, demandName, lifeTime, wholeNumber } from '../../core/arguments/arguments.js'
import { checkedListening } from '../../core/arguments/listening.js'
import { ANY_NUMBER, demandNoMore, refuseSurplus } from '../../core/arguments/options.js'
import { MOST_ENTRIES } from '../../core/arguments/scan-settings.js'
import { mapCacheKeys } from '../../core/context/names.js'
import type { ObjectContext } from '../../core/context/object-context.js'
import { entriesOf, keysOf, type Entries } from '../../core/entries.js'
import { OBJECT_EVENTS, type EventSources } from '../../core/object-events.js'
import { pagesOf, walk } from '../../core/pages.js'
import { EXACTLY_ONCE, type ObjectKeys } from '../../core/redisson-object.js'
import { mapInTurns } from '../../util/map-in-turns.js'
import type { ComputedEntry } from '../map/computations.js'
import { EntryCodec, type EntryBytes } from '../map/entry-codec.js'
import { demandCompute, scanSettings } from '../map/map-options.js'
import { decimal, RedissonMap, type MapServices } from '../map/map.js'
import type { MapScanOptions } from '../map/map.api.js'
import { CacheReader } from './cache-reader.js'
import { CacheRequests, type NewEntry } from './cache-requests.js'
import { isEntryEvent, listenToEntries } from './entry-events.js'
import { LeaseRequests } from './lease-requests.js'
import type { MapCacheCleaning } from './map-cache-cleaning.js'
import { OptionRequests } from './option-requests.js'
import { COMPUTE, KEPT, lifeOf, limitFields, timesOf, type MapCacheSettings } from './map-cache-options.js'

/** What a program may have meant by a further argument. */
const TIMES = 'times are options: { ttlMs, maxIdleMs }'
const KEEPS = 'the end of the entry stays as it is'

/** What the map caches of a client share. */
export interface MapCacheServices extends Pick<MapServices, 'rooms' | 'computations'> {
  readonly cleaning: MapCacheCleaning
}

/** A map whose entries expire, with a limit of its size. */
export class RedissonMapCache<K, V> extends RedissonMap<K, V> implements RMapCache<K, V> {
  static {
    refuseSurplus(this, {
      getAll: 'the keys are one list',
      put: TIMES,
      fastPut: TIMES,
      putAll: TIMES,
      putIfAbsent: TIMES,
      fastPutIfAbsent: TIMES,
      putIfExists: KEEPS,
      fastPutIfExists: KEEPS,
      replace: ANY_NUMBER,
      remove: ANY_NUMBER,
      fastRemove: ANY_NUMBER,
      remainTimeToLive: ANY_NUMBER,
      addAndGet: 'it adds to one value',
      containsKey: 'it looks for one key',
      containsValue: 'it looks for one value',
      valueSize: 'it is about one key',
      getWithTTLOnly: 'getAllWithTTLOnly() returns several values',
      getAllWithTTLOnly: 'the keys are one list',
      getWithLease: 'it looks for one key, and takes the time of its lease in milliseconds',
      putWithLease: TIMES,
      removeWithLease: 'it removes one key',
      expireEntry: TIMES,
      expireEntries: TIMES,
      expireEntryIfNotSet: TIMES,
      expireEntriesIfNotSet: TIMES,
      setMaxSize: 'the mode is an option',
      trySetMaxSize: 'the mode is an option',
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

  readonly #context: ObjectContext
  readonly #codec: EntryCodec<K, V>
  readonly #cache: CacheRequests
  readonly #reader: CacheReader
  readonly #leases: LeaseRequests
  readonly #options: OptionRequests
  readonly #cleaning: MapCacheCleaning
  #isCleaned = false

  constructor(
    context: ObjectContext,
    name: string,
    settings: MapCacheSettings<K, V>,
    services: MapCacheServices,
  ) {
    super(context, name, settings, services)
    this.#context = context
    this.#codec = new EntryCodec(name, settings.codec)
    this.#cache = new CacheRequests(this.requests)
    this.#reader = new CacheReader(this.requests, this.#cache)
    this.#leases = new LeaseRequests(this.requests)
    this.#options = new OptionRequests(this.requests)
    this.#cleaning = services.cleaning
  }

  override async getAll(keys: Iterable<K>): Promise<Map<K, V>> {
    return await this.#valuesOf(keysOf(keys), (fields) => this.readEntries(fields))
  }

  async getWithTTLOnly(key: K): Promise<V | undefined> {
    return this.#codec.decodeFoundValue((await this.used().look([this.#codec.encodeKey(key)]))[0], key)
  }

  async getAllWithTTLOnly(keys: Iterable<K>): Promise<Map<K, V>> {
    return await this.#valuesOf(keysOf(keys), (fields) => this.used().look(fields))
  }

  async getWithLease(key: K, leaseMs: number): Promise<LeaseGetResult<V>> {
    const field = this.#codec.encodeKey(key)
    const lease = lifeTime(leaseMs, 'leaseMs')
    demandTurns(this.requests, 'getWithLease()') // what it may have taken is given back by another request
    this.used()
    const found = await this.#leases.get(field, lease)
    return { ...found, value: this.#codec.decodeFoundValue(found.value, key) }
  }

  async putWithLease(key: K, value: V, leaseToken: string, options?: EntryLifeOptions): Promise<boolean> {
    const entry = this.#newEntry(key, value, options)
    demandName('`leaseToken` to be', leaseToken)
    this.used()
    return await this.#leases.put(entry.field, entry.value, leaseToken, entry.life)
  }

  async removeWithLease(key: K): Promise<boolean> {
    const field = this.#codec.encodeKey(key)
    this.used()
    return await this.#leases.remove(field)
  }

  override async put(key: K, value: V, options?: EntryLifeOptions): Promise<V | undefined> {
    const entry = this.#newEntry(key, value, options)
    return this.#codec.decodeTakenValue(await this.used().put(entry), key)
  }

  override async fastPut(key: K, value: V, options?: EntryLifeOptions): Promise<boolean> {
    return await this.used().fastPut(this.#newEntry(key, value, options))
  }

  override async putAll(entries: Entries<K, V>, options?: EntryLifeOptions): Promise<void> {
    const life = lifeOf(options)
    const all = Array.from(
      entriesOf('entries', entries),
      ([key, value]) => [this.#codec.encodeKey(key), this.#codec.encodeValue(value, key)] as const,
    )
    await this.used().putAll(all, life)
  }

  override async putIfAbsent(key: K, value: V, options?: EntryLifeOptions): Promise<V | undefined> {
    const entry = { ...this.#newEntry(key, value, options), condition: 'absent' } as const
    return this.#codec.decodeFoundValue(await this.used().put(entry), key)
  }

  override async fastPutIfAbsent(key: K, value: V, options?: EntryLifeOptions): Promise<boolean> {
    return await this.used().putIf({ ...this.#newEntry(key, value, options), condition: 'absent' })
  }

  override async putIfExists(key: K, value: V): Promise<V | undefined> {
    const before = await this.used().put({ ...this.#keptEntry(key, value), condition: 'present' })
    return this.#codec.decodeTakenValue(before, key)
  }

  override async fastPutIfExists(key: K, value: V): Promise<boolean> {
    return await this.used().fastPut({ ...this.#keptEntry(key, value), condition: 'present' })
  }

  override replace(key: K, value: V): Promise<V | undefined>
  override replace(key: K, expected: V, value: V): Promise<boolean>
  override async replace(key: K, ...values: [V] | [V, V]): Promise<V | boolean | undefined> {
    demandNoMore((values as readonly unknown[])[2], KEEPS)
    if (values.length < 2) return await this.putIfExists(key, values[0])
    const [before, value] = values as [V, V]
    const expected = this.#codec.encodeValue(before, key)
    return await this.used().putIf({ ...this.#keptEntry(key, value), condition: 'equal', expected })
  }

  override remove(key: K): Promise<V | undefined>
  override remove(key: K, expected: V): Promise<boolean>
  override async remove(key: K, ...values: [] | [V]): Promise<V | boolean | undefined> {
    demandNoMore((values as readonly unknown[])[1], 'fastRemove() removes several keys')
    const field = this.#codec.encodeKey(key)
    if (values.length === 0) return this.#codec.decodeTakenValue(await this.used().remove(field), key)
    return await this.used().removeIf(field, this.#codec.encodeValue(values[0], key))
  }

  override async fastRemove(...keys: K[]): Promise<number> {
    return await this.used().removeAll(this.#fieldsOf(keys))
  }

  override async addAndGet(key: K, delta: number | bigint): Promise<V> {
    const field = this.#codec.encodeKey(key)
    return this.#codec.decodeValue(await this.used().add(field, decimal(delta)), key)
  }

  async expireEntry(key: K, options: EntryLifeOptions): Promise<boolean> {
    return (await this.#expire([key], options, '')) === 1
  }

  async expireEntries(keys: Iterable<K>, options: EntryLifeOptions): Promise<number> {
    return await this.#expire(keysOf(keys), options, '')
  }

  async expireEntryIfNotSet(key: K, options: EntryLifeOptions): Promise<boolean> {
    return (await this.#expire([key], options, 'unset')) === 1
  }

  async expireEntriesIfNotSet(keys: Iterable<K>, options: EntryLifeOptions): Promise<number> {
    return await this.#expire(keysOf(keys), options, 'unset')
  }

  override async remainTimeToLive(...keys: [] | [K]): Promise<number> {
    demandNoMore((keys as readonly unknown[])[1], 'it is about one key')
    if (keys.length === 0) return await super.remainTimeToLive()
    return await this.used().timeLeft(this.#codec.encodeKey(keys[0]))
  }

  override async containsKey(key: K): Promise<boolean> {
    return await this.used().contains(this.#codec.encodeKey(key))
  }

  override async containsValue(value: V): Promise<boolean> {
    demandTurns(this.requests, 'containsValue()')
    const wanted = this.#codec.encodeValue(value)
    const next = (cursor: string) => this.used().valuePage(cursor, wanted)
    for await (const found of pagesOf(next)) if (found.includes(true)) return true
    return false
  }

  override async size(): Promise<number> {
    return await this.used().size()
  }

  /** A cache all of whose entries have expired is not there, although its key is. */
  override async isExists(): Promise<boolean> {
    return (await this.size()) > 0
  }

  override async valueSize(key: K): Promise<number> {
    return await this.used().valueSize(this.#codec.encodeKey(key))
  }

  override async clear(): Promise<void> {
    await this.used().clear()
  }

  async setMaxSize(maxSize: number, options?: MaxSizeOptions): Promise<void> {
    this.used()
    await this.#options.limit(limitFields(maxSize, options), false)
  }

  async trySetMaxSize(maxSize: number, options?: MaxSizeOptions): Promise<boolean> {
    this.used()
    return await this.#options.limit(limitFields(maxSize, options), true)
  }

  override async randomKeys(count: number): Promise<K[]> {
    const found = await this.used().randomKeys(fewOrMany(count))
    return await mapInTurns(found, (key) => this.#codec.decodeKey(key))
  }

  override async randomEntries(count: number): Promise<Map<K, V>> {
    return await this.#mapOf(await this.used().randomEntries(fewOrMany(count)))
  }

  override async readAllKeySet(): Promise<K[]> {
    this.used()
    return await mapInTurns(await this.#reader.keys(), (key) => this.#codec.decodeKey(key))
  }

  override async readAllValues(): Promise<V[]> {
    this.used()
    return await mapInTurns(await this.#reader.entries(), ([, value]) => this.#codec.decodeValue(value))
  }

  override async readAllEntrySet(): Promise<[K, V][]> {
    this.used()
    return await mapInTurns(await this.#reader.entries(), (entry) => this.#codec.decodeEntry(entry))
  }

  override async readAllMap(): Promise<Map<K, V>> {
    this.used()
    return await this.#mapOf(await this.#reader.entries())
  }

  override keys(options?: MapScanOptions): AsyncIterable<K> {
    const settings = scanSettings(options)
    const next = (cursor: string) => this.used().keyPage(cursor, settings.pattern, settings.count)
    return walk(next, (key) => this.#codec.decodeKey(key), settings)
  }

  override values(options?: MapScanOptions): AsyncIterable<V> {
    return this.#walk(options, (entry) => this.#codec.decodeEntry(entry)[1])
  }

  override entries(options?: MapScanOptions): AsyncIterable<[K, V]> {
    return this.#walk(options, (entry) => this.#codec.decodeEntry(entry))
  }

  override async addListener(
    event: string,
    listener: ObjectListener | MapCacheListener<K, V>,
    options?: ListenOptions,
  ): Promise<Subscription> {
    if (!isEntryEvent(event)) return await super.addListener(event, listener as ObjectListener, options)
    demandFunction(listener, 'listener')
    return await this.#listen(event, listener as MapCacheListener<K, V>, checkedListening(options))
  }

  protected override get reading(): RunOptions {
    return FROM_MASTER // most reads are uses of what they read
  }

  protected override get events(): EventSources {
    return OBJECT_EVENTS
  }

  protected override demandComputing(fn: unknown, options?: MapCacheComputeOptions): void {
    demandCompute(fn, options, COMPUTE)
    timesOf(options)
  }

  protected override keysOf(key: string): ObjectKeys {
    const { ttl, idle, access, options } = mapCacheKeys(key)
    return [key, ttl, idle, access, options]
  }

  protected override async find(key: K, options?: RunOptions): Promise<V | undefined> {
    return this.#codec.decodeFoundValue(await this.readEntry(this.#codec.encodeKey(key), options), key)
  }

  /** The value of a key, as it is in Redis. */
  protected readEntry(field: Argument, options?: RunOptions): Promise<Buffer | undefined> {
    return this.used().get(field, options)
  }

  /** The values of these keys, in their order. */
  protected readEntries(fields: readonly Argument[]): Promise<readonly (Buffer | undefined)[]> {
    return this.used().getAll(fields)
  }

  protected override mayHave(key: K): Promise<boolean> {
    return this.used().contains(this.#codec.encodeKey(key))
  }

  protected override entryOf(key: K, options?: MapCacheComputeOptions): ComputedEntry<V> {
    const field = this.#codec.encodeKey(key)
    const life = timesOf(options)
    return {
      ...super.entryOf(key),
      read: () => this.used().get(field),
      write: async (expected, { bytes: value }) => {
        if (value !== undefined) {
          const entry = { field, value, life }
          return expected === undefined
            ? await this.#cache.putIf({ ...entry, condition: 'absent' }, EXACTLY_ONCE)
            : await this.#cache.putIf({ ...entry, condition: 'equal', expected }, EXACTLY_ONCE)
        }
        return expected === undefined || (await this.#cache.removeIf(field, expected, EXACTLY_ONCE))
      },
    }
  }

  /** Begins to clean the cache with its first use. Returns what sends its requests. */
  protected used(): CacheRequests {
    if (!this.#isCleaned) this.#cleaning.hold(this, this.key)
    this.#isCleaned = true
    return this.#cache
  }

  async #listen(
    event: MapCacheEventName,
    listener: MapCacheListener<K, V>,
    options: ListenOptions,
  ): Promise<Subscription> {
    options.signal?.throwIfAborted()
    this.used()
    await this.#options.setListeners()
    // A subscription keeps the cache: without its cleaning, entries would expire without an event.
    const heard: MapCacheListener<K, V> = (entry) => {
      this.used()
      return listener(entry)
    }
    const about = { key: this.key, codec: this.#codec, event }
    return await listenToEntries(this.#context, about, heard, options)
  }

  async #expire(keys: readonly K[], options: EntryLifeOptions, condition: 'unset' | ''): Promise<number> {
    const life = lifeOf(options)
    return await this.used().expire(this.#fieldsOf(keys), life, condition)
  }

  async #valuesOf(
    wanted: readonly K[],
    read: (fields: readonly Argument[]) => Promise<readonly (Buffer | undefined)[]>,
  ): Promise<Map<K, V>> {
    const found = await read(this.#fieldsOf(wanted))
    const values = new Map<K, V>()
    await mapInTurns([...wanted.entries()], ([index, key]) => {
      const bytes = found[index]
      if (bytes !== undefined) values.set(key, this.#codec.decodeValue(bytes, key))
    })
    return values
  }

  #walk<R>(options: MapScanOptions | undefined, decode: (entry: EntryBytes) => R): AsyncIterable<R> {
    const settings = scanSettings(options)
    const next = (cursor: string) => this.used().entryPage(cursor, settings.pattern, settings.count)
    return walk(next, decode, settings)
  }

  #fieldsOf(keys: readonly K[]): Argument[] {
    return keys.map((key) => this.#codec.encodeKey(key))
  }

  #newEntry(key: K, value: V, options: EntryLifeOptions | undefined): NewEntry {
    const life = lifeOf(options)
    return { ...this.#keptEntry(key, value), life }
  }

  #keptEntry(key: K, value: V): NewEntry {
    return { field: this.#codec.encodeKey(key), value: this.#codec.encodeValue(value, key), life: KEPT }
  }

  async #mapOf(entries: readonly EntryBytes[]): Promise<Map<K, V>> {
    return new Map(await mapInTurns(entries, (entry) => this.#codec.decodeEntry(entry)))
  }
}

function fewOrMany(count: number): number {
  if (wholeNumber('count', count, 0) <= MOST_ENTRIES) return count
  throw new RangeError(`Expected \`count\` to be ${String(MOST_ENTRIES)} or less, got ${String(count)}`)
}
