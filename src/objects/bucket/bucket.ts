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
import { ALONE, BY_EXPIRE, demandNoMore } from '../../core/options.js'
import { OBJECT_EVENTS, type EventSources } from '../../core/object-events.js'
import { RedissonExpirable } from '../../core/redisson-expirable.js'
import { demandSupported } from '../../core/unsupported.js'
import * as commands from './bucket.commands.js'
import * as scripts from './bucket.scripts.js'

const EVENTS = { ...OBJECT_EVENTS, set: { names: ['set'], flag: '$' } } as const

/** A value under one key. */
export class RedissonBucket<V> extends RedissonExpirable implements RBucket<V> {
  readonly #codec: Codec<V>
  readonly #options: RunOptions

  constructor(context: ObjectContext, name: string, { codec, run }: ValueSettings<V>) {
    super(context, name, codec)
    this.#codec = codec
    this.#options = run
  }

  async get(surplus?: unknown): Promise<V | undefined> {
    demandNoMore(surplus, ALONE)
    return this.#decode(await this.executor.send(commands.get, this.#call(), this.reading))
  }

  async set(value: V, ttlMs?: number, surplus?: unknown): Promise<void> {
    demandNoMore(surplus)
    await this.executor.send(commands.set, this.#setting(value, expiryIn(ttlMs)), this.#options)
  }

  async setAndKeepTTL(value: V, surplus?: unknown): Promise<void> {
    demandNoMore(surplus, 'set() takes a time to live')
    await this.executor.send(commands.set, this.#setting(value, ['KEEPTTL']), this.#options)
  }

  async setIfAbsent(value: V, ttlMs?: number, surplus?: unknown): Promise<boolean> {
    demandNoMore(surplus)
    const call = this.#setting(value, expiryIn(ttlMs))
    return await this.executor.send(commands.setIfAbsent, call, this.#options)
  }

  async setIfExists(value: V, ttlMs?: number, surplus?: unknown): Promise<boolean> {
    demandNoMore(surplus)
    const call = this.#setting(value, expiryIn(ttlMs))
    return await this.executor.send(commands.setIfExists, call, this.#options)
  }

  async getAndSet(value: V, ttlMs?: number, surplus?: unknown): Promise<V | undefined> {
    demandNoMore(surplus)
    const call = this.#setting(value, expiryIn(ttlMs))
    return this.#decodeTaken(await this.executor.send(commands.getAndSet, call, this.#options))
  }

  async getAndDelete(surplus?: unknown): Promise<V | undefined> {
    demandNoMore(surplus, ALONE)
    return this.#decodeTaken(await this.executor.send(commands.getAndDelete, this.#call(), this.#options))
  }

  async getAndExpire(time: number | Date, surplus?: unknown): Promise<V | undefined> {
    demandNoMore(surplus)
    const { ttlMs, moment } = expiryTime(time)
    const { executor } = this
    const keys = this.#keys
    const found =
      moment === undefined
        ? executor.send(commands.getAndExpireIn, { keys, args: { ttlMs } }, this.#options)
        : executor.send(commands.getAndExpireAt, { keys, args: { moment } }, this.#options)
    return this.#decode(await found)
  }

  async getAndClearExpire(surplus?: unknown): Promise<V | undefined> {
    demandNoMore(surplus, ALONE)
    return this.#decode(await this.executor.send(commands.getAndPersist, this.#call(), this.#options))
  }

  async compareAndSet(expected: V | undefined, value: V, surplus?: unknown): Promise<boolean> {
    demandNoMore(surplus, BY_EXPIRE)
    if (expected === undefined)
      return await this.executor.send(commands.setIfAbsent, this.#setting(value, []), this.#options)
    const args = { value: this.#encode(value), expected: this.#encode(expected) }
    return await this.executor.run(scripts.compareAndSet, { keys: this.#keys, args }, this.#options)
  }

  async compareAndDelete(expected: V, surplus?: unknown): Promise<boolean> {
    demandNoMore(surplus, 'it is compared with one value')
    const call = { keys: this.#keys, args: { expected: this.#encode(expected) } }
    return await this.executor.run(scripts.compareAndDelete, call, this.#options)
  }

  async size(surplus?: unknown): Promise<number> {
    demandNoMore(surplus, ALONE)
    return await this.executor.send(commands.size, this.#call(), this.reading)
  }

  async findCommon(name: string, surplus?: unknown): Promise<V | undefined> {
    demandNoMore(surplus, 'it is compared with one other value')
    const call = { keys: { ...this.#keys, other: this.keyInSlot(name) }, args: {} }
    const common = this.executor.send(commands.common, call, this.reading)
    const found = await demandSupported(common, 'findCommon()', 'Redis 7')
    return found.length === 0 ? undefined : this.#decode(found)
  }

  async findCommonLength(name: string, surplus?: unknown): Promise<number> {
    demandNoMore(surplus, 'it is compared with one other value')
    const call = { keys: { ...this.#keys, other: this.keyInSlot(name) }, args: {} }
    const length = this.executor.send(commands.commonLength, call, this.reading)
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
