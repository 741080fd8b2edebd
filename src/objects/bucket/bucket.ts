import type { Codec } from '../../api/codec.js'
import type { RBucket } from '../../api/objects/bucket.js'
import { decodeAt, encodeAt } from '../../codec/encoding.js'
import { decodeTakenBytes } from '../../codec/taken.js'
import { FROM_ANY_NODE, type RunOptions } from '../../command/command-executor.js'
import type { Argument } from '../../connection/connection.js'
import { demandValue, optionalLifeTime } from '../../core/arguments.js'
import { expiryTime } from '../../core/expiry-time.js'
import type { ObjectContext } from '../../core/object-context.js'
import type { ValueSettings } from '../../core/object-settings.js'
import { BY_EXPIRE, refuseSurplus } from '../../core/options.js'
import { OBJECT_EVENTS, type EventSources } from '../../core/object-events.js'
import { RedissonExpirable } from '../../core/redisson-expirable.js'
import { demandSupported } from '../../core/unsupported.js'
import * as commands from './bucket.commands.js'
import * as scripts from './bucket.scripts.js'

const EVENTS = { ...OBJECT_EVENTS, set: { names: ['set'], flag: '$' } } as const

/** A value under one key. */
export class RedissonBucket<V> extends RedissonExpirable implements RBucket<V> {
  static {
    refuseSurplus(this, {
      setAndKeepTTL: 'set() takes a time to live',
      compareAndSet: BY_EXPIRE,
      compareAndDelete: 'it is compared with one value',
      findCommon: 'it is compared with one other value',
      findCommonLength: 'it is compared with one other value',
    })
  }

  readonly #codec: Codec<V>
  readonly #options: RunOptions

  constructor(context: ObjectContext, name: string, { codec, run }: ValueSettings<V>) {
    super(context, name, { codec, run })
    this.#codec = codec
    this.#options = run
  }

  async get(): Promise<V | undefined> {
    return this.#decode(await this.executor.run(commands.get, this.#call(), this.reading))
  }

  async set(value: V, ttlMs?: number): Promise<void> {
    await this.executor.run(commands.set, this.#setting(value, expiryIn(ttlMs)), this.#options)
  }

  async setAndKeepTTL(value: V): Promise<void> {
    await this.executor.run(commands.set, this.#setting(value, ['KEEPTTL']), this.#options)
  }

  async setIfAbsent(value: V, ttlMs?: number): Promise<boolean> {
    const call = this.#setting(value, expiryIn(ttlMs))
    return await this.executor.run(commands.setIfAbsent, call, this.#options)
  }

  async setIfExists(value: V, ttlMs?: number): Promise<boolean> {
    const call = this.#setting(value, expiryIn(ttlMs))
    return await this.executor.run(commands.setIfExists, call, this.#options)
  }

  async getAndSet(value: V, ttlMs?: number): Promise<V | undefined> {
    const call = this.#setting(value, expiryIn(ttlMs))
    return this.#decodeTaken(await this.executor.run(commands.getAndSet, call, this.#options))
  }

  async getAndDelete(): Promise<V | undefined> {
    return this.#decodeTaken(await this.executor.run(commands.getAndDelete, this.#call(), this.#options))
  }

  async getAndExpire(time: number | Date): Promise<V | undefined> {
    const { ttlMs, moment } = expiryTime(time)
    const { executor } = this
    const keys = this.#keys
    const found =
      moment === undefined
        ? executor.run(commands.getAndExpireIn, { keys, args: { ttlMs } }, this.#options)
        : executor.run(commands.getAndExpireAt, { keys, args: { moment } }, this.#options)
    return this.#decode(await found)
  }

  async getAndClearExpire(): Promise<V | undefined> {
    return this.#decode(await this.executor.run(commands.getAndPersist, this.#call(), this.#options))
  }

  async compareAndSet(expected: V | undefined, value: V): Promise<boolean> {
    if (expected === undefined)
      return await this.executor.run(commands.setIfAbsent, this.#setting(value, []), this.#options)
    const args = { value: this.#encode(value), expected: this.#encode(expected) }
    return await this.executor.run(scripts.compareAndSet, { keys: this.#keys, args }, this.#options)
  }

  async compareAndDelete(expected: V): Promise<boolean> {
    const call = { keys: this.#keys, args: { expected: this.#encode(expected) } }
    return await this.executor.run(scripts.compareAndDelete, call, this.#options)
  }

  async size(): Promise<number> {
    return await this.executor.run(commands.size, this.#call(), this.reading)
  }

  async findCommon(name: string): Promise<V | undefined> {
    const call = { keys: { ...this.#keys, other: this.keyInSlot(name) }, args: {} }
    const common = this.executor.run(commands.common, call, this.reading)
    const found = await demandSupported(common, 'findCommon()', 'Redis 7')
    return found.length === 0 ? undefined : this.#decode(found)
  }

  async findCommonLength(name: string): Promise<number> {
    const call = { keys: { ...this.#keys, other: this.keyInSlot(name) }, args: {} }
    const length = this.executor.run(commands.commonLength, call, this.reading)
    return await demandSupported(length, 'findCommonLength()', 'Redis 7')
  }

  protected override get reading(): RunOptions {
    return FROM_ANY_NODE
  }

  protected override get events(): EventSources {
    return EVENTS
  }

  get #keys() {
    return { bucket: this.key }
  }

  #call() {
    return { keys: this.#keys, args: {} }
  }

  #setting(value: V, expiry: readonly (string | number)[]) {
    return { keys: this.#keys, args: { value: this.#encode(value), expiry } }
  }

  #encode(value: V): Argument {
    demandValue(value, 'delete() removes a value')
    return encodeAt(this.#codec, value, { object: this.name })
  }

  /** The value that a call has removed or replaced. */
  #decodeTaken(found: Buffer | undefined): V | undefined {
    return decodeTakenBytes(found === undefined ? [] : [found], (bytes) => this.#decode(bytes) as V)[0]
  }

  #decode(found: Buffer | undefined): V | undefined {
    return found === undefined ? undefined : decodeAt(this.#codec, found, { object: this.name })
  }
}

/** The words that have a value expire. */
function expiryIn(ttlMs: number | undefined): readonly (string | number)[] {
  const life = optionalLifeTime(ttlMs)
  return life === undefined ? [] : ['PX', life]
}
