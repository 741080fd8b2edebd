import type { RAtomicDouble } from '../api/counters/atomic-double.js'
import type { AtomicLongOptions, RAtomicLong } from '../api/counters/atomic-long.js'
import type { IdGeneratorOptions, RIdGenerator } from '../api/counters/id-generator.js'
import type { ObjectOptions } from '../api/object-options.js'
import type { CounterObjects } from '../api/counters/objects.js'
import type { ObjectContext } from '../core/object-context.js'
import { RedissonAtomicDouble } from './atomic-double/atomic-double.js'
import { RedissonAtomicLong } from './atomic-long/atomic-long.js'
import { objectSettings } from '../core/object-settings.js'
import type { IdBlocks } from './id-generator/id-blocks.js'
import { RedissonIdGenerator } from './id-generator/id-generator.js'
import { integerSettings } from '../core/integer-options.js'
import { bigints, numbers } from '../core/integers.js'

/** Makes counters. */
export class Counters implements CounterObjects {
  readonly #context: ObjectContext
  readonly #blocks: IdBlocks

  /** @param blocks - the ids that the client has taken */
  constructor(context: ObjectContext, blocks: IdBlocks) {
    this.#context = context
    this.#blocks = blocks
  }

  getAtomicLong(name: string, options: AtomicLongOptions & { readonly bigint: true }): RAtomicLong<bigint>
  getAtomicLong(name: string, options?: AtomicLongOptions & { readonly bigint?: false }): RAtomicLong
  getAtomicLong(name: string, options?: AtomicLongOptions): RAtomicLong | RAtomicLong<bigint>
  getAtomicLong(name: string, options: AtomicLongOptions = {}): RAtomicLong | RAtomicLong<bigint> {
    const { bigint, run } = integerSettings(options)
    return bigint
      ? new RedissonAtomicLong(this.#context, name, bigints, run)
      : new RedissonAtomicLong(this.#context, name, numbers, run)
  }

  getAtomicDouble(name: string, options: ObjectOptions = {}): RAtomicDouble {
    return new RedissonAtomicDouble(this.#context, name, objectSettings(options))
  }

  getIdGenerator(name: string, options: IdGeneratorOptions & { readonly bigint: true }): RIdGenerator<bigint>
  getIdGenerator(name: string, options?: IdGeneratorOptions & { readonly bigint?: false }): RIdGenerator
  getIdGenerator(name: string, options?: IdGeneratorOptions): RIdGenerator | RIdGenerator<bigint>
  getIdGenerator(name: string, options: IdGeneratorOptions = {}): RIdGenerator | RIdGenerator<bigint> {
    const { bigint, run } = integerSettings(options)
    const deps = { context: this.#context, name, options: run, blocks: this.#blocks }
    return bigint
      ? new RedissonIdGenerator({ ...deps, integers: bigints })
      : new RedissonIdGenerator({ ...deps, integers: numbers })
  }
}
