import type { RAtomicLong } from './atomic-long.api.js'
import type { IncrementOptions } from '../shared/increment-options.api.js'
import type { Comparison } from '../shared/comparison.api.js'
import { FROM_ANY_NODE, type RunOptions } from '../../command/operation/command-executor.js'
import { int64, type Decoder } from '../../command/operation/replies.js'
import type { ObjectContext } from '../../core/context/object-context.js'
import type { EventSources } from '../../core/object-events.js'
import { BY_EXPIRE, refuseSurplus } from '../../core/arguments/options.js'
import { RedissonExpirable } from '../../core/redisson-expirable.js'
import type { ObjectKind } from '../../core/redisson-object.js'
import { additionFailure } from '../shared/addition-failure.js'
import { COUNTER_EVENTS } from '../shared/counter-events.js'
import { demandComparison } from '../shared/comparison.js'
import { demandBounds, incrementOf } from '../shared/increment-options.js'
import * as commands from './atomic-long.commands.js'
import * as scripts from './atomic-long.scripts.js'
import type { Integers } from '../../core/arguments/integers.js'

/** An integer under one key, in digits. */
export class RedissonAtomicLong<N extends number | bigint>
  extends RedissonExpirable
  implements RAtomicLong<N>
{
  static {
    refuseSurplus(this, {
      set: BY_EXPIRE,
      getAndSet: BY_EXPIRE,
      addAndGet: 'incrementAndGet() takes options',
      getAndAdd: 'incrementAndGet() takes options',
      decrementAndGet: 'addAndGet() adds another number than -1',
      getAndIncrement: 'getAndAdd() adds another number than 1',
      getAndDecrement: 'getAndAdd() adds another number than -1',
      compareAndSet: BY_EXPIRE,
      setIfLess: BY_EXPIRE,
      setIfGreater: BY_EXPIRE,
      compareAndDelete: 'it is compared with one number',
    })
  }

  readonly #integers: Integers<N>

  constructor(context: ObjectContext, name: string, integers: Integers<N>, options: RunOptions) {
    super(context, name, { run: options })
    this.#integers = integers
  }

  async get(): Promise<N> {
    return this.#found(await this.ask(commands.get))
  }

  async set(value: N): Promise<void> {
    await this.ask(commands.set, this.#setting(value))
  }

  async getAndSet(value: N): Promise<N> {
    return this.#found(await this.ask(commands.getAndSet, this.#setting(value)))
  }

  async getAndDelete(): Promise<N> {
    return this.#found(await this.ask(commands.getAndDelete))
  }

  async addAndGet(delta: N): Promise<N> {
    return await this.#add(this.#digits('delta', delta), this.#integers.read)
  }

  async getAndAdd(delta: N): Promise<N> {
    return await this.#getAndAdd(this.#integers.check('delta', delta))
  }

  async incrementAndGet(options?: IncrementOptions<N>): Promise<N> {
    if (options === undefined) return await this.#add('1', this.#integers.read)
    return await this.#increment(options)
  }

  async decrementAndGet(): Promise<N> {
    return await this.#add('-1', this.#integers.read)
  }

  async getAndIncrement(): Promise<N> {
    return await this.#getAndAdd(1n)
  }

  async getAndDecrement(): Promise<N> {
    return await this.#getAndAdd(-1n)
  }

  async compareAndSet(expected: N, value: N): Promise<boolean> {
    return await this.#setIf('==', this.#digits('expected', expected), value)
  }

  async setIfLess(limit: N, value: N): Promise<boolean> {
    return await this.#setIf('<', this.#digits('limit', limit), value)
  }

  async setIfGreater(limit: N, value: N): Promise<boolean> {
    return await this.#setIf('>', this.#digits('limit', limit), value)
  }

  async compareAndDelete(comparison: Comparison, limit: N): Promise<boolean> {
    demandComparison(comparison)
    const args = { comparison, limit: this.#digits('limit', limit) }
    return await this.ask(scripts.deleteIf, args)
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

  #digits(name: string, value: N): string {
    return String(this.#integers.check(name, value))
  }

  #setting(value: N) {
    return { value: this.#digits('value', value) }
  }

  #found(value = 0n): N {
    return this.#integers.of(value)
  }

  /** The sum may have more digits than the program can have of it, where the value before has not. */
  #getAndAdd(delta: bigint): Promise<N> {
    return this.#add(String(delta), (sum) => this.#integers.of(int64(sum) - delta))
  }

  async #add(delta: string, read: Decoder<N>): Promise<N> {
    try {
      return read(await this.ask(commands.add, { delta }))
    } catch (error) {
      throw additionFailure(error, this.name)
    }
  }

  async #increment(options: IncrementOptions<N>): Promise<N> {
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
      const sum = await this.ask(scripts.increment, args)
      return this.#integers.of(sum)
    } catch (error) {
      throw additionFailure(error, this.name)
    }
  }

  async #setIf(comparison: Comparison, limit: string, value: N): Promise<boolean> {
    const args = { value: this.#digits('value', value), comparison, limit }
    return await this.ask(scripts.setIf, args)
  }
}
