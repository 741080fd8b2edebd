import type { ObjectOptions } from '../api/object-options.js'
import type { RAtomicDouble } from './atomic-double/atomic-double.api.js'
import type { AtomicLongOptions, RAtomicLong } from './atomic-long/atomic-long.api.js'
import type { IdGeneratorOptions, RIdGenerator } from './id-generator/id-generator.api.js'

export type * from './adder/adder.api.js'
export type * from './atomic-double/atomic-double.api.js'
export type * from './atomic-long/atomic-long.api.js'
export type * from './id-generator/id-generator.api.js'
export type * from './shared/comparison.api.js'
export type * from './shared/increment-options.api.js'
export type * from './snowflake/snowflake.api.js'

/** The counters that a client hands out. */
export interface CounterObjects {
  /**
   * An integer by its name, as `bigint`. Nothing is sent until it is used, and nothing is kept of the counter here.
   *
   * @example
   * ```ts
   * const total = client.getAtomicLong('total', { bigint: true })
   * await total.addAndGet(2n ** 60n)
   * ```
   */
  getAtomicLong(name: string, options: AtomicLongOptions & { readonly bigint: true }): RAtomicLong<bigint>
  /**
   * An integer by its name. Nothing is sent until it is used, and nothing is kept of the counter here.
   *
   * @param name - a non-empty string without lone surrogates
   * @throws TypeError for a name that is none, or an option that is unknown or wrong
   * @throws {@link CrossSlotError} for a name that a cluster cannot serve
   */
  getAtomicLong(
    name: string,
    options?: AtomicLongOptions & { readonly bigint?: false | undefined },
  ): RAtomicLong

  /**
   * A number with a fraction by its name. Nothing is sent until it is used, and nothing is kept of the counter here.
   *
   * @param name - a non-empty string without lone surrogates
   * @throws TypeError for a name that is none, or an option that is unknown or wrong
   * @throws {@link CrossSlotError} for a name that a cluster cannot serve
   */
  getAtomicDouble(name: string, options?: ObjectOptions): RAtomicDouble

  /**
   * A generator of ids by its name, as `bigint`. Nothing is sent until it is used.
   *
   * @example
   * ```ts
   * const ids = client.getIdGenerator('orders', { bigint: true })
   * console.log(await ids.nextId()) // 1n
   * ```
   */
  getIdGenerator(name: string, options: IdGeneratorOptions & { readonly bigint: true }): RIdGenerator<bigint>
  /**
   * A generator of ids by its name. Nothing is sent until it is used. Generators of the same name use the same block of ids, which the client
   * keeps: of the 10 000 names that were used last.
   *
   * @param name - a non-empty string without lone surrogates
   * @throws TypeError for a name that is none, or an option that is unknown or wrong
   * @throws {@link CrossSlotError} for a name that a cluster cannot serve
   */
  getIdGenerator(
    name: string,
    options?: IdGeneratorOptions & { readonly bigint?: false | undefined },
  ): RIdGenerator
}
