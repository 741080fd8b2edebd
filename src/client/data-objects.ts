import type { RAtomicDouble } from '../api/counters/atomic-double.js'
import type { AtomicLongOptions, RAtomicLong } from '../api/counters/atomic-long.js'
import type { IdGeneratorOptions, RIdGenerator } from '../api/counters/id-generator.js'
import type { RGeo } from '../api/collections/geo.js'
import type { RLexSortedSet } from '../api/collections/lex-sorted-set.js'
import type { RList } from '../api/collections/list.js'
import type { KeyedMapOptions, MapOptions, RMap } from '../api/collections/map.js'
import type {
  KeyedMultimapOptions,
  MultimapOptions,
  RListMultimap,
  RSetMultimap,
} from '../api/collections/multimap.js'
import type { RSet } from '../api/collections/set.js'
import type { RScoredSortedSet } from '../api/collections/scored-sorted-set.js'
import type { RSortedSet, SortedValue } from '../api/collections/sorted-set.js'
import type { CodecOptions, ObjectOptions, ValueOptions } from '../api/object-options.js'
import type { RBinaryStream } from '../api/objects/binary-stream.js'
import type { BitSetOptions, RBitSet } from '../api/objects/bit-set.js'
import type { RBucket } from '../api/objects/bucket.js'
import type { RBuckets } from '../api/objects/buckets.js'
import type { RBloomFilter } from '../api/probabilistic/bloom-filter.js'
import type { RHyperLogLog } from '../api/probabilistic/hyper-log-log.js'
import type { SignalledObjects } from '../api/signalled-objects.js'
import type { RPatternTopic } from '../api/topics/pattern-topic.js'
import type { RShardedTopic } from '../api/topics/sharded-topic.js'
import type { RTopic } from '../api/topics/topic.js'
import { Collections } from '../collections/collections.js'
import type { EntryRooms } from '../collections/shared/entry-objects.js'
import { Counters } from '../counters/counters.js'
import type { IdBlocks } from '../counters/id-generator/id-blocks.js'
import { demandTurns } from '../command/command-executor.js'
import { SignalledExecutor } from '../command/signalled-executor.js'
import { neededSignal } from '../core/arguments.js'
import { demandNoMore } from '../core/options.js'
import { Values } from '../objects/objects.js'
import { Probabilistic } from '../probabilistic/probabilistic.js'
import { Topics } from '../topics/topics.js'
import type { ObjectContext } from '../core/object-context.js'

/** Hands out objects that are data and nothing else, by name: what they are made with may be a client or a batch. */
export class DataObjects implements SignalledObjects {
  readonly #context: ObjectContext
  readonly #rooms: EntryRooms
  readonly #idBlocks: IdBlocks
  readonly #counters: Counters
  readonly #topics: Topics
  readonly #values: Values
  readonly #probabilistic: Probabilistic
  readonly #collections: Collections

  /** @param others - those of the same client with which it has all in common but the context */
  constructor(context: ObjectContext, rooms: EntryRooms, idBlocks: IdBlocks, others?: DataObjects) {
    this.#context = context
    this.#rooms = rooms
    this.#idBlocks = idBlocks
    this.#counters = new Counters(context, idBlocks)
    this.#topics = new Topics(context, others && others.#topics)
    this.#values = new Values(context)
    this.#probabilistic = new Probabilistic(context)
    this.#collections = new Collections(context, rooms, others && others.#collections)
  }

  withSignal(signal: AbortSignal, surplus?: unknown): SignalledObjects {
    demandNoMore(surplus)
    demandTurns(this.#context.executor, 'withSignal()')
    const executor = new SignalledExecutor(this.#context.executor, neededSignal(signal))
    return new DataObjects({ ...this.#context, executor }, this.#rooms, this.#idBlocks, this)
  }

  getBucket<V>(name: string, options?: ValueOptions<V>, surplus?: unknown): RBucket<V> {
    demandNoMore(surplus)
    return this.#values.getBucket(name, options)
  }

  getBuckets<V>(options?: ValueOptions<V>, surplus?: unknown): RBuckets<V> {
    demandNoMore(surplus)
    return this.#values.getBuckets(options)
  }

  getBinaryStream(name: string, options?: ObjectOptions, surplus?: unknown): RBinaryStream {
    demandNoMore(surplus)
    return this.#values.getBinaryStream(name, options)
  }

  getBitSet(name: string, options: BitSetOptions & { readonly bigint: true }): RBitSet<bigint>
  getBitSet(name: string, options?: BitSetOptions & { readonly bigint?: false }): RBitSet
  getBitSet(name: string, options?: BitSetOptions, surplus?: unknown): RBitSet | RBitSet<bigint> {
    demandNoMore(surplus)
    return this.#values.getBitSet(name, options)
  }

  getHyperLogLog<V>(name: string, options?: ValueOptions<V>, surplus?: unknown): RHyperLogLog<V> {
    demandNoMore(surplus)
    return this.#probabilistic.getHyperLogLog(name, options)
  }

  getBloomFilter<V>(name: string, options?: ValueOptions<V>, surplus?: unknown): RBloomFilter<V> {
    demandNoMore(surplus)
    return this.#probabilistic.getBloomFilter(name, options)
  }

  getAtomicLong(name: string, options: AtomicLongOptions & { readonly bigint: true }): RAtomicLong<bigint>
  getAtomicLong(name: string, options?: AtomicLongOptions & { readonly bigint?: false }): RAtomicLong
  getAtomicLong(
    name: string,
    options?: AtomicLongOptions,
    surplus?: unknown,
  ): RAtomicLong | RAtomicLong<bigint> {
    demandNoMore(surplus)
    return this.#counters.getAtomicLong(name, options)
  }

  getAtomicDouble(name: string, options?: ObjectOptions, surplus?: unknown): RAtomicDouble {
    demandNoMore(surplus)
    return this.#counters.getAtomicDouble(name, options)
  }

  getIdGenerator(name: string, options: IdGeneratorOptions & { readonly bigint: true }): RIdGenerator<bigint>
  getIdGenerator(name: string, options?: IdGeneratorOptions & { readonly bigint?: false }): RIdGenerator
  getIdGenerator(
    name: string,
    options?: IdGeneratorOptions,
    surplus?: unknown,
  ): RIdGenerator | RIdGenerator<bigint> {
    demandNoMore(surplus)
    return this.#counters.getIdGenerator(name, options)
  }

  getTopic<M>(name: string, options: ValueOptions<M> = {}, surplus?: unknown): RTopic<M> {
    demandNoMore(surplus)
    return this.#topics.getTopic(name, options)
  }

  getPatternTopic<M>(pattern: string, options: CodecOptions<M> = {}, surplus?: unknown): RPatternTopic<M> {
    demandNoMore(surplus)
    return this.#topics.getPatternTopic(pattern, options)
  }

  getShardedTopic<M>(name: string, options: ValueOptions<M> = {}, surplus?: unknown): RShardedTopic<M> {
    demandNoMore(surplus)
    return this.#topics.getShardedTopic(name, options)
  }

  getMap<K, V>(
    name: string,
    options?: MapOptions<K, V> | KeyedMapOptions<K, V>,
    surplus?: unknown,
  ): RMap<K, V> {
    return this.#collections.getMap(name, options, surplus)
  }

  getList<V>(name: string, options?: ValueOptions<V>, surplus?: unknown): RList<V> {
    return this.#collections.getList(name, options, surplus)
  }
  getSet<V>(name: string, options?: ValueOptions<V>, surplus?: unknown): RSet<V> {
    return this.#collections.getSet(name, options, surplus)
  }

  getScoredSortedSet<V>(name: string, options?: ValueOptions<V>, surplus?: unknown): RScoredSortedSet<V> {
    return this.#collections.getScoredSortedSet(name, options, surplus)
  }

  getGeo<V>(name: string, options?: ValueOptions<V>, surplus?: unknown): RGeo<V> {
    return this.#collections.getGeo(name, options, surplus)
  }

  getLexSortedSet(name: string, options?: ObjectOptions, surplus?: unknown): RLexSortedSet {
    return this.#collections.getLexSortedSet(name, options, surplus)
  }

  getSortedSet<V extends SortedValue>(
    name: string,
    options?: ValueOptions<V>,
    surplus?: unknown,
  ): RSortedSet<V> {
    return this.#collections.getSortedSet(name, options, surplus)
  }

  getSetMultimap<K, V>(
    name: string,
    options?: MultimapOptions<K, V> | KeyedMultimapOptions<K, V>,
    surplus?: unknown,
  ): RSetMultimap<K, V> {
    return this.#collections.getSetMultimap(name, options, surplus)
  }

  getListMultimap<K, V>(
    name: string,
    options?: MultimapOptions<K, V> | KeyedMultimapOptions<K, V>,
    surplus?: unknown,
  ): RListMultimap<K, V> {
    return this.#collections.getListMultimap(name, options, surplus)
  }
}
