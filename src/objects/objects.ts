import type { ObjectOptions, ValueOptions } from '../api/object-options.js'
import type { RBinaryStream } from '../api/objects/binary-stream.js'
import type { RBloomFilter } from '../api/objects/bloom-filter.js'
import type { RBucket } from '../api/objects/bucket.js'
import type { RBuckets } from '../api/objects/buckets.js'
import type { RHyperLogLog } from '../api/objects/hyper-log-log.js'
import type { ValueObjects } from '../api/objects/objects.js'
import type { ObjectContext } from '../core/object-context.js'
import { objectSettings, valueSettings } from '../core/object-settings.js'
import { RedissonBinaryStream } from './binary-stream/binary-stream.js'
import { RedissonBloomFilter } from './bloom-filter/bloom-filter.js'
import { RedissonBucket } from './bucket/bucket.js'
import { RedissonBuckets } from './buckets/buckets.js'
import { RedissonHyperLogLog } from './hyper-log-log/hyper-log-log.js'

/** Makes single values. */
export class Values implements ValueObjects {
  readonly #context: ObjectContext

  constructor(context: ObjectContext) {
    this.#context = context
  }

  getBucket<V>(name: string, options: ValueOptions<V> = {}): RBucket<V> {
    return new RedissonBucket(this.#context, name, valueSettings(options, this.#context))
  }

  getBuckets<V>(options: ValueOptions<V> = {}): RBuckets<V> {
    return new RedissonBuckets(this.#context, valueSettings(options, this.#context))
  }

  getBinaryStream(name: string, options: ObjectOptions = {}): RBinaryStream {
    return new RedissonBinaryStream(this.#context, name, objectSettings(options))
  }

  getHyperLogLog<V>(name: string, options: ValueOptions<V> = {}): RHyperLogLog<V> {
    return new RedissonHyperLogLog(this.#context, name, valueSettings(options, this.#context))
  }

  getBloomFilter<V>(name: string, options: ValueOptions<V> = {}): RBloomFilter<V> {
    return new RedissonBloomFilter(this.#context, name, valueSettings(options, this.#context))
  }
}
