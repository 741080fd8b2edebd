import type { Codec } from '../../api/codec.js'
import type { RBucket } from './bucket.api.js'
import { decodeAt, encodeAt } from '../../codec/encoding.js'
import { decodeTakenBytes } from '../../codec/taken.js'
import { FROM_ANY_NODE, type RunOptions } from '../../command/operation/command-executor.js'
import type { Argument } from '../../connection/connection.js'
import { demandValue, optionalLifeTime } from '../../core/arguments/arguments.js'
import { expiryTime } from '../../core/arguments/expiry-time.js'
import type { ObjectContext } from '../../core/context/object-context.js'
import type { ValueSettings } from '../../core/arguments/object-settings.js'
import { BY_EXPIRE, refuseSurplus } from '../../core/arguments/options.js'
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

  constructor(context: ObjectContext, name: string, { codec, run }: ValueSettings<V>) {
    super(context, name, { codec, run })
    this.#codec = codec
  }

  async get(): Promise<V | undefined> {
    return this.#decode(await this.ask(commands.get))
  }

  async set(value: V, ttlMs?: number): Promise<void> {
    await this.ask(commands.set, this.#setting(value, expiryIn(ttlMs)))
  }

  async setAndKeepTTL(value: V): Promise<void> {
    await this.ask(commands.set, this.#setting(value, ['KEEPTTL']))
  }

  async setIfAbsent(value: V, ttlMs?: number): Promise<boolean> {
    return await this.ask(commands.setIfAbsent, this.#setting(value, expiryIn(ttlMs)))
  }

  async setIfExists(value: V, ttlMs?: number): Promise<boolean> {
    return await this.ask(commands.setIfExists, this.#setting(value, expiryIn(ttlMs)))
  }

  async getAndSet(value: V, ttlMs?: number): Promise<V | undefined> {
    return this.#decodeTaken(await this.ask(commands.getAndSet, this.#setting(value, expiryIn(ttlMs))))
  }

  async getAndDelete(): Promise<V | undefined> {
    return this.#decodeTaken(await this.ask(commands.getAndDelete))
  }

  async getAndExpire(time: number | Date): Promise<V | undefined> {
    const { ttlMs, moment } = expiryTime(time)
    const found =
      moment === undefined
        ? this.ask(commands.getAndExpireIn, { ttlMs })
        : this.ask(commands.getAndExpireAt, { moment })
    return this.#decode(await found)
  }

  async getAndClearExpire(): Promise<V | undefined> {
    return this.#decode(await this.ask(commands.getAndPersist))
  }

  async compareAndSet(expected: V | undefined, value: V): Promise<boolean> {
    if (expected === undefined) return await this.ask(commands.setIfAbsent, this.#setting(value, []))
    const args = { value: this.#encode(value), expected: this.#encode(expected) }
    return await this.ask(scripts.compareAndSet, args)
  }

  async compareAndDelete(expected: V): Promise<boolean> {
    return await this.ask(scripts.compareAndDelete, { expected: this.#encode(expected) })
  }

  async size(): Promise<number> {
    return await this.ask(commands.size)
  }

  async findCommon(name: string): Promise<V | undefined> {
    const common = this.ask(commands.common, {}, { other: this.keyInSlot(name) })
    const found = await demandSupported(common, 'findCommon()', 'Redis 7')
    return found.length === 0 ? undefined : this.#decode(found)
  }

  async findCommonLength(name: string): Promise<number> {
    const length = this.ask(commands.commonLength, {}, { other: this.keyInSlot(name) })
    return await demandSupported(length, 'findCommonLength()', 'Redis 7')
  }

  protected override get reading(): RunOptions {
    return FROM_ANY_NODE
  }

  protected override get events(): EventSources {
    return EVENTS
  }

  #setting(value: V, expiry: readonly (string | number)[]) {
    return { value: this.#encode(value), expiry }
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
