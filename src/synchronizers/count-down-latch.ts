import type { AwaitOptions, RCountDownLatch } from '../api/synchronizers/count-down-latch.js'
import { demandOptions, patienceOf, wholeNumber } from '../core/arguments.js'
import { latchChannel, requestKey } from '../core/names.js'
import type { ObjectContext } from '../core/object-context.js'
import { orAborted } from '../util/or-aborted.js'
import { count, countDown, remove, trySetCount } from './count-down-latch.scripts.js'
import type { LatchGates } from './latch-gates.js'

/** What a latch is made of. */
interface LatchFacts {
  readonly context: ObjectContext
  readonly name: string
  readonly key: string
  /** Those in this process who wait. */
  readonly gates: LatchGates
}

/** A number in Redis that is gone when it has become zero. */
export class RedissonCountDownLatch implements RCountDownLatch {
  readonly name: string
  readonly #context: ObjectContext
  readonly #key: string
  readonly #channel: string
  readonly #gates: LatchGates

  constructor({ context, name, key, gates }: LatchFacts) {
    this.name = name
    this.#context = context
    this.#key = key
    this.#channel = latchChannel(key, (each) => context.servers.slotOf(each))
    this.#gates = gates
  }

  async trySetCount(number: number): Promise<boolean> {
    const args = { count: wholeNumber('count', number, 0), publish: this.#publish }
    const { executor } = this.#context
    return (await executor.run(trySetCount, { keys: this.#keys(), args }, { remember: true })) === 1
  }

  async countDown(): Promise<void> {
    const call = { keys: this.#keys(), args: { publish: this.#publish } }
    await this.#context.executor.run(countDown, call, { remember: true })
  }

  async await(options: number | AwaitOptions = {}): Promise<boolean> {
    const given = typeof options === 'number' ? { waitMs: options } : options
    demandOptions(given, 'a number of milliseconds')
    const patience = patienceOf(given, Infinity)
    const { signal, deadline } = patience
    signal?.throwIfAborted()
    const isOpen = async () => (await this.getCount()) === 0
    if (await orAborted(isOpen(), signal)) return true
    if (deadline.passed) return false
    return await this.#gates.wait({ key: this.#key, channel: this.#channel, isOpen }, patience)
  }

  getCount(): Promise<number> {
    return this.#context.executor.run(count, { keys: { latch: this.#key }, args: {} })
  }

  async delete(): Promise<boolean> {
    const call = { keys: this.#keys(), args: { publish: this.#publish } }
    return (await this.#context.executor.run(remove, call, { remember: true })) === 1
  }

  #keys() {
    const request = requestKey(this.#key, this.#context.requestIds.next())
    return { latch: this.#key, channel: this.#channel, request }
  }

  get #publish(): string {
    return this.#context.servers.publishCommand
  }
}
