import type { RSetCache, SetCacheListener, ValueLifeOptions, ValuesLifeOptions } from './set-cache.api.js'
import type { CountOptions, DistributedIteratorOptions, SetScanOptions } from '../set/set.api.js'
import type { ObjectListener } from '../../api/object.js'
import type { ListenOptions, Subscription } from '../../topics/shared/subscription.api.js'
import { FROM_ANY_NODE, type RunOptions } from '../../command/operation/command-executor.js'
import { demandFunction, demandValue, wholeNumber } from '../../core/arguments/arguments.js'
import { valuesOf } from '../../core/entries.js'
import { scoredSetCursor } from '../../core/context/names.js'
import type { ObjectContext } from '../../core/context/object-context.js'
import { OBJECT_EVENTS, type EventSources } from '../../core/object-events.js'
import type { ValueSettings } from '../../core/arguments/object-settings.js'
import { demandNoMore, refuseSurplus, ANY_NUMBER } from '../../core/arguments/options.js'
import { walk } from '../../core/pages.js'
import type { ObjectKind } from '../../core/redisson-object.js'
import { MOST_ENTRIES } from '../../core/arguments/scan-settings.js'
import { demandSupported } from '../../core/unsupported.js'
import { checkedListening } from '../../core/arguments/listening.js'
import { limitOf, scanSettings } from '../set/set-options.js'
import { distributedItems, distributedScan } from '../shared/distributed-pages.js'
import { EntryObjects, type EntryRooms } from '../shared/entry-objects.js'
import { retainAll } from '../shared/retain-all.js'
import { ValueCodec } from '../shared/value-codec.js'
import type { SetCacheCleaning } from './set-cache-cleaning.js'
import { lifeOf, livesOf } from './set-cache-options.js'
import { SetCacheReader } from './set-cache-reader.js'
import { SetCacheRequests, type Combination, type Condition, type NewValue } from './set-cache-requests.js'
import * as scripts from './set-cache.scripts.js'
import { listenToValues, VALUE_EXPIRED } from './value-events.js'

/** What a program may have meant by a further argument. */
const TIME = 'the time is an option: { ttlMs }'
const ONE_VALUE = 'removeAll() and containsEach() take several values'
const ONE_LIST = 'the values are one list'
const ONE_LIST_OF_NAMES = 'the names are one list'

/** How many sets one script combines: it is given all of their names. */
const MOST_NAMES = 1_000

const EVENTS = {
  ...OBJECT_EVENTS,
  added: { names: ['zadd'], flag: 'z' },
  removed: { names: ['zrem'], flag: 'z' },
  stored: { names: ['zunionstore', 'zdiffstore', 'zinterstore'], flag: 'z' },
} as const

/** What the set caches of a client share. */
export interface SetCacheServices {
  readonly rooms: EntryRooms
  readonly cleaning: SetCacheCleaning
}

/** A set whose values expire. */
export class RedissonSetCache<V> extends EntryObjects<V> implements RSetCache<V> {
  static {
    refuseSurplus(this, {
      add: TIME,
      addAll: TIME,
      addAllCounted: TIME,
      addIfAbsent: TIME,
      addIfExists: TIME,
      addIfLess: TIME,
      addIfGreater: TIME,
      addAllIfAbsent: TIME,
      addAllIfExist: TIME,
      addAllIfLess: TIME,
      addAllIfGreater: TIME,
      tryAdd: ANY_NUMBER,
      tryAddAll: TIME,
      contains: ONE_VALUE,
      containsEach: ONE_LIST,
      containsAll: ONE_LIST,
      remove: ONE_VALUE,
      removeAll: ONE_LIST,
      removeAllCounted: ONE_LIST,
      retainAll: ONE_LIST,
      random: ANY_NUMBER,
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

  readonly #context: ObjectContext
  readonly #codec: ValueCodec<V>
  readonly #cache: SetCacheRequests
  readonly #reader: SetCacheReader
  readonly #cleaning: SetCacheCleaning
  /** Where a walk that several make goes on. */
  readonly #cursor: string
  #isCleaned = false

  constructor(
    context: ObjectContext,
    name: string,
    { codec, run }: ValueSettings<V>,
    { rooms, cleaning }: SetCacheServices,
  ) {
    super(context, name, { codec, run }, rooms)
    this.#context = context
    this.#codec = new ValueCodec(name, codec, 'a set has none')
    this.#cache = new SetCacheRequests(this.requests)
    this.#reader = new SetCacheReader(this.requests)
    this.#cleaning = cleaning
    this.#cursor = scoredSetCursor(this.key, (key) => context.topology.slotOf(key))
  }

  async add(value: V, options?: ValueLifeOptions): Promise<boolean> {
    return await this.#add('', value, options)
  }

  async addAll(values: Iterable<V>, options?: ValuesLifeOptions<V>): Promise<boolean> {
    return await this.#used().add('', this.#newValues(values, options))
  }

  async addAllCounted(values: Iterable<V>, options?: ValuesLifeOptions<V>): Promise<number> {
    return await this.#addCounted('', values, options)
  }

  async addIfAbsent(value: V, options?: ValueLifeOptions): Promise<boolean> {
    return await this.#add('absent', value, options)
  }

  async addIfExists(value: V, options?: ValueLifeOptions): Promise<boolean> {
    return await this.#add('present', value, options)
  }

  async addIfLess(value: V, options?: ValueLifeOptions): Promise<boolean> {
    return await this.#add('less', value, options)
  }

  async addIfGreater(value: V, options?: ValueLifeOptions): Promise<boolean> {
    return await this.#add('greater', value, options)
  }

  async addAllIfAbsent(values: Iterable<V>, options?: ValuesLifeOptions<V>): Promise<number> {
    return await this.#addCounted('absent', values, options)
  }

  async addAllIfExist(values: Iterable<V>, options?: ValuesLifeOptions<V>): Promise<number> {
    return await this.#addCounted('present', values, options)
  }

  async addAllIfLess(values: Iterable<V>, options?: ValuesLifeOptions<V>): Promise<number> {
    return await this.#addCounted('less', values, options)
  }

  async addAllIfGreater(values: Iterable<V>, options?: ValuesLifeOptions<V>): Promise<number> {
    return await this.#addCounted('greater', values, options)
  }

  async tryAdd(...values: V[]): Promise<boolean> {
    return await this.tryAddAll(values)
  }

  async tryAddAll(values: Iterable<V>, options?: ValuesLifeOptions<V>): Promise<boolean> {
    const all = this.#newValues(values, options)
    if (all.length > MOST_ENTRIES)
      throw new RangeError(
        `Expected at most ${String(MOST_ENTRIES)} values, which are added as one step, got ${String(all.length)}`,
      )
    return await this.#used().tryAdd(all)
  }

  async contains(value: V): Promise<boolean> {
    const [isThere = false] = await this.#used().contains([this.#codec.encode(value)])
    return isThere
  }

  async containsEach(values: Iterable<V>): Promise<boolean[]> {
    return await this.#used().contains(this.#codec.encodeAll(values))
  }

  async containsAll(values: Iterable<V>): Promise<boolean> {
    return (await this.containsEach(values)).every(Boolean)
  }

  async remove(value: V): Promise<boolean> {
    return await this.#used().remove('remove()', [this.#codec.encode(value)])
  }

  async removeAll(values: Iterable<V>): Promise<boolean> {
    return await this.#used().remove('removeAll()', this.#codec.encodeAll(values))
  }

  async removeAllCounted(values: Iterable<V>): Promise<number> {
    return await this.#used().removeCounted('removeAllCounted()', this.#codec.encodeAll(values))
  }

  async retainAll(values: Iterable<V>): Promise<boolean> {
    this.#used()
    const kept = this.#codec.encodeAll(values)
    const pages = () => this.#reader.pages()
    const retaining = { atOnce: scripts.retainAll, remove: scripts.remove, pages }
    return await retainAll(this.requests, retaining, kept)
  }

  random(): Promise<V | undefined>
  random(count: number): Promise<V[]>
  async random(...counts: [] | [number]): Promise<V | V[] | undefined> {
    demandNoMore((counts as readonly unknown[])[1], 'it takes one number')
    const [count] = counts
    if (counts.length === 0) return this.#codec.decodeIfAny((await this.#used().random(1))[0])
    return await this.#codec.decodeAll(await this.#used().random(wholeNumber('count', count as number, 0)))
  }

  async union(names: Iterable<string>): Promise<number> {
    return await this.#store('union', names)
  }

  async readUnion(names: Iterable<string>): Promise<V[]> {
    return await this.#combine('union', names)
  }

  async diff(names: Iterable<string>): Promise<number> {
    return await this.#store('diff', names)
  }

  async readDiff(names: Iterable<string>): Promise<V[]> {
    return await this.#combine('diff', names)
  }

  async intersection(names: Iterable<string>): Promise<number> {
    return await this.#store('intersection', names)
  }

  async readIntersection(names: Iterable<string>): Promise<V[]> {
    return await this.#combine('intersection', names)
  }

  async countIntersection(names: Iterable<string>, options?: CountOptions): Promise<number> {
    const limit = limitOf(options)
    const counted = this.#used().countIntersection(this.#othersOf(names), limit)
    return await demandSupported(counted, 'countIntersection()', 'Redis 7')
  }

  async size(): Promise<number> {
    return await this.#used().size()
  }

  /** A cache all of whose values have ended is not there, although its key is. */
  override async isExists(): Promise<boolean> {
    return (await this.size()) > 0
  }

  async isEmpty(): Promise<boolean> {
    return (await this.size()) === 0
  }

  async clear(): Promise<void> {
    await this.delete()
  }

  async readAll(): Promise<V[]> {
    this.#used()
    return await this.#codec.decodeAll(await this.#reader.all())
  }

  values(options?: SetScanOptions): AsyncIterable<V> {
    const settings = scanSettings(options)
    const next = (cursor: string) => {
      this.#used()
      return this.#reader.page(cursor, settings)
    }
    return walk(next, (value) => this.#codec.decode(value), settings)
  }

  distributedIterator(options?: DistributedIteratorOptions): AsyncIterable<V> {
    const { iteratorName, ...settings } = distributedScan(options)
    const cursor = iteratorName === undefined ? this.#cursor : this.keyInSlot(iteratorName)
    const together = { script: scripts.nextPage, source: [settings.pattern], cursor }
    const taking = { decode: (value: Buffer) => this.#codec.decode(value), bytesOf: (value: Buffer) => value }
    const items = () => {
      this.#used()
      return distributedItems(this.requests, together, settings, taking)
    }
    return { [Symbol.asyncIterator]: items }
  }

  [Symbol.asyncIterator](): AsyncIterator<V> {
    return this.values()[Symbol.asyncIterator]()
  }

  override async addListener(
    event: string,
    listener: ObjectListener | SetCacheListener<V>,
    options?: ListenOptions,
  ): Promise<Subscription> {
    if (event !== VALUE_EXPIRED) return await super.addListener(event, listener as ObjectListener, options)
    demandFunction(listener, 'listener')
    return await this.#listen(listener as SetCacheListener<V>, checkedListening(options))
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

  protected override entryBytes(value: V): Buffer {
    demandValue(value, 'there are locks of values only')
    return this.#codec.bytesOf(value)
  }

  /** Begins to clean the cache with its first use. Returns what sends its requests. */
  #used(): SetCacheRequests {
    if (!this.#isCleaned) this.#cleaning.hold(this, this.key)
    this.#isCleaned = true
    return this.#cache
  }

  async #add(condition: Condition, value: V, options: ValueLifeOptions | undefined): Promise<boolean> {
    return await this.#used().add(condition, [[lifeOf(options), this.#codec.encode(value)]])
  }

  async #addCounted(
    condition: Condition,
    values: Iterable<V>,
    options: ValuesLifeOptions<V> | undefined,
  ): Promise<number> {
    return await this.#used().addCounted(condition, this.#newValues(values, options))
  }

  #newValues(values: Iterable<V>, options: ValuesLifeOptions<V> | undefined): NewValue[] {
    const lifeOfEach = livesOf(options)
    return valuesOf('values', values).map((value) => {
      const bytes = this.#codec.encode(value)
      return [lifeOfEach(value), bytes]
    })
  }

  async #listen(listener: SetCacheListener<V>, options: ListenOptions): Promise<Subscription> {
    options.signal?.throwIfAborted()
    await this.#used().size() // fails for a name of another object
    // A subscription keeps the cache: without its cleaning, values would expire without an event.
    const heard: SetCacheListener<V> = (event) => {
      this.#used()
      return listener(event)
    }
    return await listenToValues(this.#context, { key: this.key, codec: this.#codec }, heard, options)
  }

  async #store(what: Combination, names: Iterable<string>): Promise<number> {
    const others = this.#othersOf(names)
    if (others.length === 0) throw new RangeError('Expected `names` to have one name or more, got none')
    return await this.#used().store(what, others)
  }

  async #combine(what: Combination, names: Iterable<string>): Promise<V[]> {
    return await this.#codec.decodeAll(await this.#used().combine(what, this.#othersOf(names)))
  }

  #othersOf(names: Iterable<string>): readonly string[] {
    const others = valuesOf('names', names).map((name) => this.keyInSlot(name))
    if (others.length <= MOST_NAMES) return others
    throw new RangeError(`Expected at most ${String(MOST_NAMES)} names, got ${String(others.length)}`)
  }
}
