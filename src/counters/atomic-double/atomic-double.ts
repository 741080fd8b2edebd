import type { RAtomicDouble } from './atomic-double.api.js'
import type { IncrementOptions } from '../shared/increment-options.api.js'
import type { Comparison } from '../shared/comparison.api.js'
import { plainJavaDouble } from '../../codec/java-double.js'
import { FROM_ANY_NODE, type RunOptions } from '../../command/operation/command-executor.js'
import type { ObjectContext } from '../../core/context/object-context.js'
import type { EventSources } from '../../core/object-events.js'
import { BY_EXPIRE, refuseSurplus } from '../../core/arguments/options.js'
import { RedissonExpirable } from '../../core/redisson-expirable.js'
import type { ObjectKind } from '../../core/redisson-object.js'
import { additionFailure } from '../shared/addition-failure.js'
import { COUNTER_EVENTS } from '../shared/counter-events.js'
import { demandComparison } from '../shared/comparison.js'
import { finite } from '../shared/finite.js'
import { demandBounds, incrementOf } from '../shared/increment-options.js'
import * as commands from './atomic-double.commands.js'
import * as scripts from './atomic-double.scripts.js'

/** A number with a fraction under one key, in decimal digits. */
export class RedissonAtomicDouble extends RedissonExpirable implements RAtomicDouble {
  static {
    refuseSurplus(this, {
      set: BY_EXPIRE,
      getAndSet: BY_EXPIRE,
      addAndGet: 'incrementAndGet() takes options',
      getAndAdd: 'incrementAndGet() takes options',
      incrementAndGet: 'addAndGet() adds another number than 1',
      decrementAndGet: 'addAndGet() adds another number than -1',
      getAndIncrement: 'getAndAdd() adds another number than 1',
      getAndDecrement: 'getAndAdd() adds another number than -1',
      compareAndSet: BY_EXPIRE,
      setIfLess: BY_EXPIRE,
      setIfGreater: BY_EXPIRE,
      compareAndDelete: 'it is compared with one number',
    })
  }

  constructor(context: ObjectContext, name: string, options: RunOptions) {
    super(context, name, { run: options })
  }

  async get(): Promise<number> {
    return (await this.ask(commands.get)) ?? 0
  }

  async set(value: number): Promise<void> {
    await this.ask(commands.set, this.#setting(value))
  }

  async getAndSet(value: number): Promise<number> {
    return (await this.ask(commands.getAndSet, this.#setting(value))) ?? 0
  }

  async getAndDelete(): Promise<number> {
    return (await this.ask(commands.getAndDelete)) ?? 0
  }

  async addAndGet(delta: number): Promise<number> {
    const args = this.#adding(delta)
    try {
      return await this.ask(commands.add, args)
    } catch (error) {
      throw additionFailure(error, this.name)
    }
  }

  async getAndAdd(delta: number): Promise<number> {
    const args = this.#adding(delta)
    try {
      return (await this.ask(scripts.getAndAdd, args)) ?? 0
    } catch (error) {
      throw additionFailure(error, this.name)
    }
  }

  async incrementAndGet(options?: IncrementOptions<number>): Promise<number> {
    if (options === undefined) return await this.addAndGet(1)
    const { by = 1, lower, upper, saturate, expiry } = incrementOf(options)
    const args = {
      delta: decimal('by', by),
      lower: lower === undefined ? '' : decimal('lowerBound', lower),
      upper: upper === undefined ? '' : decimal('upperBound', upper),
      saturate,
      ...expiry,
    }
    demandBounds(lower, upper)
    try {
      return await this.ask(scripts.increment, args)
    } catch (error) {
      throw additionFailure(error, this.name)
    }
  }

  async decrementAndGet(): Promise<number> {
    return await this.addAndGet(-1)
  }

  async getAndIncrement(): Promise<number> {
    return await this.getAndAdd(1)
  }

  async getAndDecrement(): Promise<number> {
    return await this.getAndAdd(-1)
  }

  async compareAndSet(expected: number, value: number): Promise<boolean> {
    return await this.#setIf('==', decimal('expected', expected), value)
  }

  async setIfLess(limit: number, value: number): Promise<boolean> {
    return await this.#setIf('<', decimal('limit', limit), value)
  }

  async setIfGreater(limit: number, value: number): Promise<boolean> {
    return await this.#setIf('>', decimal('limit', limit), value)
  }

  async compareAndDelete(comparison: Comparison, limit: number): Promise<boolean> {
    demandComparison(comparison)
    const args = { comparison, limit: decimal('limit', limit) }
    return await this.ask(scripts.deleteIf, args)
  }

  protected override get reading(): RunOptions {
    return FROM_ANY_NODE
  }

  /** Texts of numbers have many forms: only what is no text is refused. */
  protected override get kind(): ObjectKind {
    return 'string'
  }

  protected override get events(): EventSources {
    return COUNTER_EVENTS
  }

  #setting(value: number) {
    return { value: decimal('value', value) }
  }

  #adding(delta: number) {
    return { delta: decimal('delta', delta) }
  }

  async #setIf(comparison: Comparison, limit: string, value: number): Promise<boolean> {
    const args = { value: decimal('value', value), comparison, limit }
    return await this.ask(scripts.setIf, args)
  }
}

/** @throws `RangeError` for what is no finite number */
function decimal(name: string, value: number): string {
  return plainJavaDouble(finite(name, value))
}
