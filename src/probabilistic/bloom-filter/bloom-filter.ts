import type { Codec } from '../../api/codec.js'
import type { RBloomFilter } from './bloom-filter.api.js'
import { encodeBytesAt } from '../../codec/encoding.js'
import { javaDouble } from '../../codec/java-double.js'

import type { Script } from '../../command/operation/script.js'
import { demandValue } from '../../core/arguments/arguments.js'
import { valuesOf } from '../../core/entries.js'
import { filterConfig } from '../../core/context/names.js'
import type { ObjectContext } from '../../core/context/object-context.js'
import type { ValueSettings } from '../../core/arguments/object-settings.js'
import { refuseSurplus } from '../../core/arguments/options.js'
import { partsTogether, sendParts } from '../../core/context/parts.js'
import { RedissonExpirable } from '../../core/redisson-expirable.js'
import type { ObjectKeys, ObjectKind } from '../../core/redisson-object.js'
import { FilterNotInitializedError } from './bloom-filter.errors.js'
import { chunk } from '../../util/collections/chunk.js'
import { highwayHash128Words } from '../../util/hash/highway-hash.js'
import { sumOf } from '../../util/collections/sum-of.js'
import * as commands from './bloom-filter.commands.js'
import * as scripts from './bloom-filter.scripts.js'
import { filterSizeFor } from './filter-size.js'

/** How many values one request is about at most: Redis does nothing else for some 10 ms with seven bits each, and some 0.1 s with 128. */
const MOST_VALUES = 1_000

/** How many bytes a hash has. */
const HASH_BYTES = 16

/** Adds values, and returns what has come of it; undefined if the filter is not initialized. */
type Adding<R> = Script<'filter' | 'config', 'hashes', R | undefined, 'filter'>

const ONE_VALUE = 'addAll() and containsEach() take several values'
const ONE_LIST = 'the values are one list'

/**
 * Bits under one key, and settings under another.
 *
 * The hashes of values are sent, and not the places of their bits, which depend on the settings: the script finds both at the same moment.
 */
export class RedissonBloomFilter<V> extends RedissonExpirable implements RBloomFilter<V> {
  static {
    refuseSurplus(this, {
      add: ONE_VALUE,
      addAll: ONE_LIST,
      contains: ONE_VALUE,
      containsEach: ONE_LIST,
      exists: ONE_LIST,
      countContained: ONE_LIST,
      count: 'countContained() takes values',
    })
  }

  readonly #codec: Codec<V>

  constructor(context: ObjectContext, name: string, { codec, run }: ValueSettings<V>) {
    super(context, name, { codec, run })
    this.#codec = codec
  }

  async tryInit(expectedInsertions: number, falseProbability: number): Promise<boolean> {
    const { bits, iterations } = filterSizeFor(expectedInsertions, falseProbability)
    const args = {
      size: bits,
      iterations,
      insertions: expectedInsertions,
      probability: javaDouble(falseProbability),
    }
    return await this.ask(scripts.tryInit, args, this.#config)
  }

  async add(value: V): Promise<boolean> {
    return await this.#add(scripts.add, this.#hashesOf([value]))
  }

  async addAll(values: Iterable<V>): Promise<number> {
    const parts = this.#partsOf(valuesOf('values', values))
    const sending = { together: partsTogether(this.requests, parts), changes: 'perhaps' } as const
    return sumOf(await sendParts(parts, (hashes) => this.#add(scripts.addAll, hashes), sending))
  }

  async contains(value: V): Promise<boolean> {
    return (await this.#contains(this.#hashesOf([value]))).includes(true)
  }

  async containsEach(values: Iterable<V>): Promise<boolean[]> {
    return await this.#containsEach(valuesOf('values', values))
  }

  async exists(values: Iterable<V>): Promise<V[]> {
    const wanted = valuesOf('values', values)
    const found = await this.#containsEach(wanted)
    return wanted.filter((_, index) => found[index])
  }

  async countContained(values: Iterable<V>): Promise<number> {
    return (await this.#containsEach(valuesOf('values', values))).filter(Boolean).length
  }

  async count(): Promise<number> {
    const counted = await this.ask(scripts.count, {}, this.#config)
    const [size, iterations, set] = this.#demandInitialized(counted)
    // Another program may have set bits beyond the end.
    const share = Math.min(set, size) / size
    return share === 0 ? 0 : Math.round((-size / iterations) * Math.log(1 - share))
  }

  async getExpectedInsertions(): Promise<number> {
    return await this.#setting('expectedInsertions')
  }

  async getFalseProbability(): Promise<number> {
    return await this.#setting('falseProbability')
  }

  async getSize(): Promise<number> {
    return await this.#setting('size')
  }

  async getHashIterations(): Promise<number> {
    return await this.#setting('hashIterations')
  }

  /** A filter without values has settings, and no bits yet. */
  protected override keysOf(key: string): ObjectKeys {
    return [filterConfig(key), key]
  }

  protected override get kind(): ObjectKind {
    return 'hash size/string'
  }

  get #config() {
    return { config: filterConfig(this.key) }
  }

  async #add<R>(script: Adding<R>, hashes: Buffer): Promise<R> {
    return this.#demandInitialized(await this.ask(script, { hashes }, this.#config))
  }

  async #contains(hashes: Buffer): Promise<boolean[]> {
    return this.#demandInitialized(await this.ask(scripts.contains, { hashes }, this.#config))
  }

  async #containsEach(values: readonly V[]): Promise<boolean[]> {
    const parts = this.#partsOf(values)
    const sending = { together: partsTogether(this.requests, parts), changes: 'never' } as const
    return (await sendParts(parts, (hashes) => this.#contains(hashes), sending)).flat()
  }

  async #setting(setting: string): Promise<number> {
    const call = { keys: this.#config, args: { setting } }
    return this.#demandInitialized(await this.requests.run(commands.setting, call))
  }

  #demandInitialized<T>(found: T | undefined): T {
    if (found === undefined) throw new FilterNotInitializedError(this.name)
    return found
  }

  /** Everything is written before anything is sent. */
  #partsOf(values: readonly V[]): Buffer[] {
    return chunk(values, MOST_VALUES).map((part) => this.#hashesOf(part))
  }

  #hashesOf(values: readonly V[]): Buffer {
    const hashes = Buffer.allocUnsafe(values.length * HASH_BYTES)
    let at = 0
    for (const value of values) {
      demandValue(value, 'a filter has none')
      const bytes = encodeBytesAt(this.#codec, value, { object: this.name })
      for (const word of highwayHash128Words(bytes)) at = hashes.writeInt32BE(word, at)
    }
    return hashes
  }
}
