import type {
  EntryTtlOptions,
  ExpireEntryOptions,
  MapCacheNativeComputeOptions,
  RMapCacheNative,
} from './map-cache-native.api.js'
import { FROM_MASTER, type RunOptions } from '../../command/operation/command-executor.js'
import type { Argument } from '../../connection/connection.js'
import { demandNoMore, refuseSurplus, ANY_NUMBER } from '../../core/arguments/options.js'
import { MOST_ENTRIES } from '../../core/arguments/scan-settings.js'
import type { ObjectContext } from '../../core/context/object-context.js'
import { entriesOf, keysOf, type Entries } from '../../core/entries.js'
import type { EventSources } from '../../core/object-events.js'
import { EXACTLY_ONCE } from '../../core/redisson-object.js'
import type { ComputedEntry } from '../map/computations.js'
import { EntryCodec } from '../map/entry-codec.js'
import { demandCompute } from '../map/map-options.js'
import { RedissonMap, type MapServices } from '../map/map.js'
import { EndsOfFields, type EndCondition, type EndingEntry } from './ends-of-fields.js'
import { COMPUTE, newTtl, timeOf, ttlOf, type MapCacheNativeSettings } from './map-cache-native-options.js'

/** What a program may have meant by a further argument. */
const TIME = 'the time is an option: { ttlMs }'
const NO_TIME = 'it takes no time: putIfExists() does'

type EncodedEntry = readonly [field: Argument, value: Argument]

/** A map in one hash, whose entries expire by the server itself. */
export class RedissonMapCacheNative<K, V> extends RedissonMap<K, V> implements RMapCacheNative<K, V> {
  static {
    refuseSurplus(this, {
      put: TIME,
      fastPut: TIME,
      putAll: TIME,
      putIfAbsent: TIME,
      fastPutIfAbsent: TIME,
      putIfExists: TIME,
      fastPutIfExists: NO_TIME,
      fastReplace: NO_TIME,
      putIfAllKeysExist: TIME,
      putIfAllKeysAbsent: TIME,
      fastRemove: ANY_NUMBER,
      expireEntry: TIME,
      expireEntries: TIME,
      expireEntryIfNotSet: TIME,
      expireEntriesIfNotSet: TIME,
      expireEntryIfGreater: TIME,
      expireEntriesIfGreater: TIME,
      expireEntryIfLess: TIME,
      expireEntriesIfLess: TIME,
      clearExpire: ANY_NUMBER,
      clearExpireEach: 'the keys are one list',
      remainTimeToLive: ANY_NUMBER,
      remainTimeToLiveEach: 'the keys are one list',
    })
  }

  readonly #codec: EntryCodec<K, V>
  readonly #ends: EndsOfFields

  constructor(
    context: ObjectContext,
    name: string,
    settings: MapCacheNativeSettings<K, V>,
    services: Pick<MapServices, 'rooms' | 'computations'>,
  ) {
    super(context, name, settings, services)
    this.#codec = new EntryCodec(name, settings.codec)
    this.#ends = new EndsOfFields(this.requests)
  }

  override async put(key: K, value: V, options?: EntryTtlOptions): Promise<V | undefined> {
    const entry = this.#ending(key, value, options)
    if (entry === undefined) return await super.put(key, value)
    return this.#codec.decodeTakenValue(await this.#ends.put(entry), key)
  }

  override async fastPut(key: K, value: V, options?: EntryTtlOptions): Promise<boolean> {
    const entry = this.#ending(key, value, options)
    if (entry !== undefined) return await this.#ends.fastPut(entry)
    return await this.#ends.set(this.#codec.encodeKey(key), this.#codec.encodeValue(value, key))
  }

  override async putAll(entries: Entries<K, V>, options?: EntryTtlOptions): Promise<void> {
    const ttlMs = ttlOf(options)
    if (ttlMs === undefined) await super.putAll(entries)
    else await this.#ends.putAll(this.#encoded(entries), ttlMs)
  }

  override async putIfAbsent(key: K, value: V, options?: EntryTtlOptions): Promise<V | undefined> {
    const entry = this.#ending(key, value, options)
    if (entry === undefined) return await super.putIfAbsent(key, value)
    return this.#codec.decodeFoundValue(await this.#ends.put({ ...entry, condition: 'absent' }), key)
  }

  override async fastPutIfAbsent(key: K, value: V, options?: EntryTtlOptions): Promise<boolean> {
    const entry = this.#ending(key, value, options)
    if (entry === undefined) return await super.fastPutIfAbsent(key, value)
    return await this.#ends.putIf({ ...entry, condition: 'absent' })
  }

  override async putIfExists(key: K, value: V, options?: EntryTtlOptions): Promise<V | undefined> {
    const entry = this.#ending(key, value, options)
    if (entry === undefined) return await super.putIfExists(key, value)
    return this.#codec.decodeTakenValue(await this.#ends.put({ ...entry, condition: 'present' }), key)
  }

  override async fastPutIfExists(key: K, value: V): Promise<boolean> {
    return await super.fastPutIfExists(key, value)
  }

  override async fastReplace(key: K, value: V): Promise<boolean> {
    return await super.fastReplace(key, value)
  }

  async putIfAllKeysExist(entries: Entries<K, V>, options?: EntryTtlOptions): Promise<boolean> {
    return await this.#putIfAll(1, entries, options)
  }

  async putIfAllKeysAbsent(entries: Entries<K, V>, options?: EntryTtlOptions): Promise<boolean> {
    return await this.#putIfAll(0, entries, options)
  }

  override async fastRemove(...keys: K[]): Promise<number> {
    return await this.#ends.remove(this.#fieldsOf(keys))
  }

  async expireEntry(key: K, options: ExpireEntryOptions): Promise<boolean> {
    return (await this.#expire([key], options, '')) === 1
  }

  async expireEntries(keys: Iterable<K>, options: ExpireEntryOptions): Promise<number> {
    return await this.#expire(keysOf(keys), options, '')
  }

  async expireEntryIfNotSet(key: K, options: ExpireEntryOptions): Promise<boolean> {
    return (await this.#expire([key], options, 'NX')) === 1
  }

  async expireEntriesIfNotSet(keys: Iterable<K>, options: ExpireEntryOptions): Promise<number> {
    return await this.#expire(keysOf(keys), options, 'NX')
  }

  async expireEntryIfGreater(key: K, options: ExpireEntryOptions): Promise<boolean> {
    return (await this.#expire([key], options, 'GT')) === 1
  }

  async expireEntriesIfGreater(keys: Iterable<K>, options: ExpireEntryOptions): Promise<number> {
    return await this.#expire(keysOf(keys), options, 'GT')
  }

  async expireEntryIfLess(key: K, options: ExpireEntryOptions): Promise<boolean> {
    return (await this.#expire([key], options, 'LT')) === 1
  }

  async expireEntriesIfLess(keys: Iterable<K>, options: ExpireEntryOptions): Promise<number> {
    return await this.#expire(keysOf(keys), options, 'LT')
  }

  override async clearExpire(...keys: [] | [K]): Promise<boolean> {
    demandNoMore((keys as readonly unknown[])[1], 'clearExpireEach() is about several keys')
    if (keys.length === 0) return await super.clearExpire()
    return (await this.#ends.clear(this.#fieldsOf(keys)))[0] === true
  }

  async clearExpireEach(keys: Iterable<K>): Promise<Map<K, boolean>> {
    const all = keysOf(keys)
    const cleared = await this.#ends.clear(this.#fieldsOf(all))
    return new Map(all.map((key, place) => [key, cleared[place] === true]))
  }

  override async remainTimeToLive(...keys: [] | [K]): Promise<number> {
    demandNoMore((keys as readonly unknown[])[1], 'remainTimeToLiveEach() is about several keys')
    if (keys.length === 0) return await super.remainTimeToLive()
    return (await this.#ends.timesLeft(this.#fieldsOf(keys)))[0] ?? NO_VALUE
  }

  async remainTimeToLiveEach(keys: Iterable<K>): Promise<Map<K, number>> {
    const all = keysOf(keys)
    const left = await this.#ends.timesLeft(this.#fieldsOf(all))
    return new Map(all.map((key, place) => [key, left[place] ?? NO_VALUE]))
  }

  /** A replica of Redis 7.4 returns at random what has ended, until its memory is freed. */
  protected override get readingAtRandom(): RunOptions {
    return FROM_MASTER
  }

  protected override get events(): EventSources {
    return { ...super.events, entryExpired: { names: ['hexpired'], flag: 'h' } }
  }

  protected override demandComputing(fn: unknown, options?: MapCacheNativeComputeOptions): void {
    demandCompute(fn, options, COMPUTE)
    timeOf(options)
  }

  protected override entryOf(key: K, options?: MapCacheNativeComputeOptions): ComputedEntry<V> {
    const entry = super.entryOf(key)
    const ttlMs = timeOf(options)
    if (ttlMs === undefined) return entry
    const field = this.#codec.encodeKey(key)
    return {
      ...entry,
      write: async (expected, after, context) => {
        const { bytes: value } = after
        if (value === undefined) return await entry.write(expected, after, context)
        const condition =
          expected === undefined
            ? { condition: 'absent' as const }
            : { condition: 'equal' as const, expected }
        return await this.#ends.putIf({ field, value, ttlMs, ...condition }, EXACTLY_ONCE)
      },
    }
  }

  async #putIfAll(
    exist: 0 | 1,
    given: Entries<K, V>,
    options: EntryTtlOptions | undefined,
  ): Promise<boolean> {
    const ttlMs = ttlOf(options)
    const entries = this.#encoded(given)
    if (entries.length > MOST_ENTRIES)
      throw new RangeError(`Expected \`entries\` to be ${String(MOST_ENTRIES)} or less, got more`)
    return entries.length === 0 || (await this.#ends.putIfAll(exist, entries, ttlMs))
  }

  async #expire(keys: readonly K[], options: ExpireEntryOptions, condition: EndCondition): Promise<number> {
    const ttlMs = newTtl(options)
    return await this.#ends.expire(this.#fieldsOf(keys), ttlMs, condition)
  }

  /** An entry that is to expire; undefined for one that is not. */
  #ending(key: K, value: V, options: EntryTtlOptions | undefined): EndingEntry | undefined {
    const ttlMs = ttlOf(options)
    if (ttlMs === undefined) return undefined
    return { field: this.#codec.encodeKey(key), value: this.#codec.encodeValue(value, key), ttlMs }
  }

  #encoded(entries: Entries<K, V>): readonly EncodedEntry[] {
    return Array.from(entriesOf('entries', entries), ([key, value]) => [
      this.#codec.encodeKey(key),
      this.#codec.encodeValue(value, key),
    ])
  }

  #fieldsOf(keys: readonly K[]): Argument[] {
    return keys.map((key) => this.#codec.encodeKey(key))
  }
}

/** What Redis returns for a key without a value. */
const NO_VALUE = -2
