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
import { refuseSurplus } from '../core/options.js'
import { Values } from '../objects/objects.js'
import { Probabilistic } from '../probabilistic/probabilistic.js'
import { Topics } from '../topics/topics.js'
import type { ObjectContext } from '../core/object-context.js'

/** Hands out objects that are data and nothing else, by name: what they are made with may be a client or a batch. */
export class DataObjects implements SignalledObjects {
  static {
    refuseSurplus(this)
  }

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

  withSignal(signal: AbortSignal): SignalledObjects {
    demandTurns(this.#context.executor, 'withSignal()')
    const executor = new SignalledExecutor(this.#context.executor, neededSignal(signal))
    return new DataObjects({ ...this.#context, executor }, this.#rooms, this.#idBlocks, this)
  }

  getBucket<V>(name: string, options?: ValueOptions<V>): RBucket<V> {
    return this.#values.getBucket(name, options)
  }

  getBuckets<V>(options?: ValueOptions<V>): RBuckets<V> {
    return this.#values.getBuckets(options)
  }

  getBinaryStream(name: string, options?: ObjectOptions): RBinaryStream {
    return this.#values.getBinaryStream(name, options)
  }

  getBitSet(name: string, options: BitSetOptions & { readonly bigint: true }): RBitSet<bigint>
  getBitSet(name: string, options?: BitSetOptions & { readonly bigint?: false }): RBitSet
  getBitSet(name: string, options?: BitSetOptions): RBitSet | RBitSet<bigint> {
    return this.#values.getBitSet(name, options)
  }

  getHyperLogLog<V>(name: string, options?: ValueOptions<V>): RHyperLogLog<V> {
    return this.#probabilistic.getHyperLogLog(name, options)
  }

  getBloomFilter<V>(name: string, options?: ValueOptions<V>): RBloomFilter<V> {
    return this.#probabilistic.getBloomFilter(name, options)
  }

  getAtomicLong(name: string, options: AtomicLongOptions & { readonly bigint: true }): RAtomicLong<bigint>
  getAtomicLong(name: string, options?: AtomicLongOptions & { readonly bigint?: false }): RAtomicLong
  getAtomicLong(name: string, options?: AtomicLongOptions): RAtomicLong | RAtomicLong<bigint> {
    return this.#counters.getAtomicLong(name, options)
  }

  getAtomicDouble(name: string, options?: ObjectOptions): RAtomicDouble {
    return this.#counters.getAtomicDouble(name, options)
  }

  getIdGenerator(name: string, options: IdGeneratorOptions & { readonly bigint: true }): RIdGenerator<bigint>
  getIdGenerator(name: string, options?: IdGeneratorOptions & { readonly bigint?: false }): RIdGenerator
  getIdGenerator(name: string, options?: IdGeneratorOptions): RIdGenerator | RIdGenerator<bigint> {
    return this.#counters.getIdGenerator(name, options)
  }

  getTopic<M>(name: string, options?: ValueOptions<M>): RTopic<M> {
    return this.#topics.getTopic(name, options)
  }

  getPatternTopic<M>(pattern: string, options?: CodecOptions<M>): RPatternTopic<M> {
    return this.#topics.getPatternTopic(pattern, options)
  }

  getShardedTopic<M>(name: string, options?: ValueOptions<M>): RShardedTopic<M> {
    return this.#topics.getShardedTopic(name, options)
  }

  getMap<K, V>(name: string, options?: MapOptions<K, V> | KeyedMapOptions<K, V>): RMap<K, V> {
    return this.#collections.getMap(name, options)
  }

  getList<V>(name: string, options?: ValueOptions<V>): RList<V> {
    return this.#collections.getList(name, options)
  }
  getSet<V>(name: string, options?: ValueOptions<V>): RSet<V> {
    return this.#collections.getSet(name, options)
  }

  getScoredSortedSet<V>(name: string, options?: ValueOptions<V>): RScoredSortedSet<V> {
    return this.#collections.getScoredSortedSet(name, options)
  }

  getGeo<V>(name: string, options?: ValueOptions<V>): RGeo<V> {
    return this.#collections.getGeo(name, options)
  }

  getLexSortedSet(name: string, options?: ObjectOptions): RLexSortedSet {
    return this.#collections.getLexSortedSet(name, options)
  }

  getSortedSet<V extends SortedValue>(name: string, options?: ValueOptions<V>): RSortedSet<V> {
    return this.#collections.getSortedSet(name, options)
  }

  getSetMultimap<K, V>(
    name: string,
    options?: MultimapOptions<K, V> | KeyedMultimapOptions<K, V>,
  ): RSetMultimap<K, V> {
    return this.#collections.getSetMultimap(name, options)
  }

  getListMultimap<K, V>(
    name: string,
    options?: MultimapOptions<K, V> | KeyedMultimapOptions<K, V>,
  ): RListMultimap<K, V> {
    return this.#collections.getListMultimap(name, options)
  }
}
