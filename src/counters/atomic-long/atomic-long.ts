import type { RAtomicLong } from '../../api/counters/atomic-long.js'
import type { IncrementOptions } from '../../api/counters/increment-options.js'
import type { Comparison } from '../../api/counters/comparison.js'
import { FROM_ANY_NODE, type RunOptions } from '../../command/command-executor.js'
import { int64, type Decoder } from '../../command/replies.js'
import type { ObjectContext } from '../../core/object-context.js'
import type { EventSources } from '../../core/object-events.js'
import { ALONE, BY_EXPIRE, demandNoMore } from '../../core/options.js'
import { RedissonExpirable } from '../../core/redisson-expirable.js'
import type { ObjectKind } from '../../core/redisson-object.js'
import { additionFailure } from '../shared/addition-failure.js'
import { COUNTER_EVENTS } from '../shared/counter-events.js'
import { demandComparison } from '../shared/comparison.js'
import { demandBounds, incrementOf } from '../shared/increment-options.js'
import * as commands from './atomic-long.commands.js'
import * as scripts from './atomic-long.scripts.js'
import type { Integers } from '../../core/integers.js'

/** An integer under one key, in digits. */
export class RedissonAtomicLong<N extends number | bigint>
  extends RedissonExpirable
  implements RAtomicLong<N>
{
  readonly #integers: Integers<N>
  readonly #options: RunOptions

  constructor(context: ObjectContext, name: string, integers: Integers<N>, options: RunOptions) {
    super(context, name)
    this.#integers = integers
    this.#options = options
  }

  async get(surplus?: unknown): Promise<N> {
    demandNoMore(surplus, ALONE)
    return this.#found(await this.executor.send(commands.get, { keys: this.#keys, args: {} }, this.reading))
  }

  async set(value: N, surplus?: unknown): Promise<void> {
    demandNoMore(surplus, BY_EXPIRE)
    await this.executor.send(commands.set, this.#setting(value), this.#options)
  }

  async getAndSet(value: N, surplus?: unknown): Promise<N> {
    demandNoMore(surplus, BY_EXPIRE)
    return this.#found(await this.executor.send(commands.getAndSet, this.#setting(value), this.#options))
  }

  async getAndDelete(surplus?: unknown): Promise<N> {
    demandNoMore(surplus, ALONE)
    const call = { keys: this.#keys, args: {} }
    return this.#found(await this.executor.send(commands.getAndDelete, call, this.#options))
  }

  async addAndGet(delta: N, surplus?: unknown): Promise<N> {
    demandNoMore(surplus, 'incrementAndGet() takes options')
    return await this.#add(this.#digits('delta', delta), this.#integers.read)
  }

  async getAndAdd(delta: N, surplus?: unknown): Promise<N> {
    demandNoMore(surplus, 'incrementAndGet() takes options')
    return await this.#getAndAdd(this.#integers.check('delta', delta))
  }

  incrementAndGet(options?: IncrementOptions<N>, surplus?: unknown): Promise<N> {
    if (options === undefined && surplus === undefined) return this.#add('1', this.#integers.read)
    return this.#increment(options, surplus)
  }

  async decrementAndGet(surplus?: unknown): Promise<N> {
    demandNoMore(surplus, 'addAndGet() adds another number than -1')
    return await this.#add('-1', this.#integers.read)
  }

  async getAndIncrement(surplus?: unknown): Promise<N> {
    demandNoMore(surplus, 'getAndAdd() adds another number than 1')
    return await this.#getAndAdd(1n)
  }

  async getAndDecrement(surplus?: unknown): Promise<N> {
    demandNoMore(surplus, 'getAndAdd() adds another number than -1')
    return await this.#getAndAdd(-1n)
  }

  async compareAndSet(expected: N, value: N, surplus?: unknown): Promise<boolean> {
    demandNoMore(surplus, BY_EXPIRE)
    return await this.#setIf('==', this.#digits('expected', expected), value)
  }

  async setIfLess(limit: N, value: N, surplus?: unknown): Promise<boolean> {
    demandNoMore(surplus, BY_EXPIRE)
    return await this.#setIf('<', this.#digits('limit', limit), value)
  }

  async setIfGreater(limit: N, value: N, surplus?: unknown): Promise<boolean> {
    demandNoMore(surplus, BY_EXPIRE)
    return await this.#setIf('>', this.#digits('limit', limit), value)
  }

  async compareAndDelete(comparison: Comparison, limit: N, surplus?: unknown): Promise<boolean> {
    demandNoMore(surplus, 'it is compared with one number')
    demandComparison(comparison)
    const args = { comparison, limit: this.#digits('limit', limit) }
    return await this.executor.run(scripts.deleteIf, { keys: this.#keys, args }, this.#options)
  }

  protected override get reading(): RunOptions {
    return FROM_ANY_NODE
  }

  protected override get kind(): ObjectKind {
    return 'number'
  }

  protected override get events(): EventSources {
    return COUNTER_EVENTS
  }

  get #keys() {
    return { counter: this.key }
  }

  #digits(name: string, value: N): string {
    return String(this.#integers.check(name, value))
  }

  #setting(value: N) {
    return { keys: this.#keys, args: { value: this.#digits('value', value) } }
  }

  #found(value = 0n): N {
    return this.#integers.of(value)
  }

  /** The sum may have more digits than the program can have of it, where the value before has not. */
  #getAndAdd(delta: bigint): Promise<N> {
    return this.#add(String(delta), (sum) => this.#integers.of(int64(sum) - delta))
  }

  async #add(delta: string, read: Decoder<N>): Promise<N> {
    const call = { keys: this.#keys, args: { delta } }
    try {
      return read(await this.executor.send(commands.add, call, this.#options))
    } catch (error) {
      throw additionFailure(error, this.name)
    }
  }

  async #increment(options: IncrementOptions<N> = {}, surplus: unknown): Promise<N> {
    demandNoMore(surplus, 'addAndGet() adds another number than 1')
    const { by, lower, upper, saturate, expiry } = incrementOf(options)
    const checked = (name: string, value: N | undefined) =>
      value === undefined ? undefined : this.#integers.check(name, value)
    const delta = checked('by', by) ?? 1n
    const [least, most] = [checked('lowerBound', lower), checked('upperBound', upper)]
    demandBounds(least, most)
    const args = {
      delta: String(delta),
      least: least === undefined ? '' : String(least - delta),
      most: most === undefined ? '' : String(most - delta),
      lower: String(least ?? ''),
      upper: String(most ?? ''),
      saturate,
      ...expiry,
    }
    try {
      const sum = await this.executor.run(scripts.increment, { keys: this.#keys, args }, this.#options)
      return this.#integers.of(sum)
    } catch (error) {
      throw additionFailure(error, this.name)
    }
  }

  async #setIf(comparison: Comparison, limit: string, value: N): Promise<boolean> {
    const args = { value: this.#digits('value', value), comparison, limit }
    return await this.executor.run(scripts.setIf, { keys: this.#keys, args }, this.#options)
  }
}
