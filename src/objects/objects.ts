import type { ObjectOptions, ValueOptions } from '../api/object-options.js'
import type { RBinaryStream } from '../api/objects/binary-stream.js'
import type { BitSetOptions, RBitSet } from '../api/objects/bit-set.js'
import type { RBucket } from '../api/objects/bucket.js'
import type { RBuckets } from '../api/objects/buckets.js'
import type { ValueObjects } from '../api/objects/objects.js'
import { integerSettings } from '../core/integer-options.js'
import { bigints, numbers } from '../core/integers.js'
import type { ObjectContext } from '../core/object-context.js'
import { objectSettings, valueSettings } from '../core/object-settings.js'
import { RedissonBinaryStream } from './binary-stream/binary-stream.js'
import { RedissonBitSet } from './bit-set/bit-set.js'
import { RedissonBucket } from './bucket/bucket.js'
import { RedissonBuckets } from './buckets/buckets.js'

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

  getBitSet(name: string, options: BitSetOptions & { readonly bigint: true }): RBitSet<bigint>
  getBitSet(name: string, options?: BitSetOptions & { readonly bigint?: false }): RBitSet
  getBitSet(name: string, options?: BitSetOptions): RBitSet | RBitSet<bigint>
  getBitSet(name: string, options: BitSetOptions = {}): RBitSet | RBitSet<bigint> {
    const { bigint, run } = integerSettings(options)
    return bigint
      ? new RedissonBitSet(this.#context, name, bigints, run)
      : new RedissonBitSet(this.#context, name, numbers, run)
  }
}
