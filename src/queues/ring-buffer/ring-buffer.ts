import type { RRingBuffer } from './ring-buffer.api.js'
import { wholeNumber } from '../../core/arguments/arguments.js'
import type { Argument } from '../../connection/connection.js'
import { refuseSurplus } from '../../core/arguments/options.js'
import { ringBufferCapacity } from '../../core/context/names.js'
import { IN_TURN, sendParts } from '../../core/context/parts.js'
import { EXACTLY_ONCE, type ObjectKeys } from '../../core/redisson-object.js'
import { RedissonQueue } from '../queue/queue.js'
import { checkedCapacity } from '../shared/capacity.js'
import { CapacityNotSetError } from '../shared/queue.errors.js'
import * as scripts from './ring-buffer.scripts.js'

const ONE_CAPACITY = 'a capacity is one number'
const ONE_COUNT = 'it has one count'

/** A list of Redis that keeps the newest elements, and how many they may be under another key. */
export class RedissonRingBuffer<V> extends RedissonQueue<V> implements RRingBuffer<V> {
  static {
    refuseSurplus(this, {
      trySetCapacity: ONE_CAPACITY,
      setCapacity: ONE_CAPACITY,
      readNewest: ONE_COUNT,
      readOldest: ONE_COUNT,
    })
  }

  async trySetCapacity(capacity: number): Promise<boolean> {
    return await this.#setCapacity(capacity, 1)
  }

  async setCapacity(capacity: number): Promise<void> {
    await this.#setCapacity(capacity, 0)
  }

  async capacity(): Promise<number> {
    const [capacity] = (await this.ask(scripts.capacity, {}, this.#limit)) ?? [0]
    return capacity
  }

  async remainingCapacity(): Promise<number> {
    const [capacity, size] = this.#demandCapacity(await this.ask(scripts.capacity, {}, this.#limit))
    return Math.max(0, capacity - size)
  }

  async readNewest(count: number): Promise<V[]> {
    return wholeNumber('count', count, 0) === 0 ? [] : await this.rangeOf(-count, -1)
  }

  async readOldest(count: number): Promise<V[]> {
    return wholeNumber('count', count, 0) === 0 ? [] : await this.rangeOf(0, count - 1)
  }

  async peekLast(): Promise<V | undefined> {
    return await this.elementAt(-1)
  }

  /** The elements come first: the buffer is there as long as it has any. */
  protected override keysOf(key: string): ObjectKeys {
    return [key, ringBufferCapacity(key)]
  }

  protected override async appendAll(values: Iterable<V>): Promise<boolean> {
    const parts = this.inRequests('addAll()', values)
    await sendParts(parts, (part) => this.#add(part), IN_TURN)
    return parts.length > 0
  }

  /** The capacity stays. */
  protected override async removeElements(): Promise<boolean> {
    const keys = { object: this.key, others: [] }
    const args = { command: 'del', kind: this.kind, channel: '', message: '' }
    return (await this.requests.run(this.scripts.remove, { keys, args }, EXACTLY_ONCE)) === 1
  }

  get #limit() {
    return { limit: ringBufferCapacity(this.key) }
  }

  async #add(values: readonly Argument[]): Promise<boolean> {
    return this.#demandCapacity(await this.ask(scripts.add, { values }, this.#limit))
  }

  async #setCapacity(capacity: number, onlyIfUnset: 0 | 1): Promise<boolean> {
    const args = { capacity: checkedCapacity(capacity), onlyIfUnset }
    return await this.ask(scripts.setCapacity, args, this.#limit)
  }

  /** @throws {@link CapacityNotSetError} if there is none */
  #demandCapacity<T>(found: T | undefined): T {
    if (found === undefined) throw new CapacityNotSetError(this.name)
    return found
  }
}
