import type { PutOptions, RBoundedBlockingQueue, RoomOptions } from './bounded-blocking-queue.api.js'
import type { QueueMoveOptions } from '../queue/queue.api.js'
import type { KeyWaiters } from '../../waiting/key-waiters.js'
import type { SharedByCalls } from '../blocking-queue/blocking-calls.js'
import { RedissonBlockingQueue } from '../blocking-queue/blocking-queue.js'
import type { Argument } from '../../connection/connection.js'
import { patienceOf } from '../../core/arguments/arguments.js'
import type { ValueSettings } from '../../core/arguments/object-settings.js'
import { known, optionsOf, refuseSurplus } from '../../core/arguments/options.js'
import { MOST_ENTRIES } from '../../core/arguments/scan-settings.js'
import type { ObjectContext } from '../../core/context/object-context.js'
import { EXACTLY_ONCE, type ObjectKeys, type WakeUp } from '../../core/redisson-object.js'
import { queueMove } from '../queue/queue.js'
import { checkedCapacity, LARGEST_CAPACITY } from '../shared/capacity.js'
import { QueueFullError } from '../shared/queue.errors.js'
import * as scripts from './bounded-blocking-queue.scripts.js'
import { boundedElements, roomOf } from './bounded-elements.js'
import { BoundedOffers } from './bounded-offers.js'

const OFFER = known<RoomOptions>({ waitMs: true, signal: true })
const PUT = known<PutOptions>({ signal: true }, { elsewhere: { waitMs: 'offer()' } })

const ONE_VALUE = 'addAll() adds several values'

/** A list of Redis whose callers wait for elements and for room, and how much room it has under another key. */
export class RedissonBoundedBlockingQueue<V>
  extends RedissonBlockingQueue<V>
  implements RBoundedBlockingQueue<V>
{
  static {
    refuseSurplus(this, {
      trySetCapacity: 'a capacity is one number',
      add: ONE_VALUE,
      addAll: 'the values are one list',
      offer: ONE_VALUE,
      put: ONE_VALUE,
    })
  }

  static override readonly isCounted = true

  readonly #offers: BoundedOffers

  constructor(
    context: ObjectContext,
    name: string,
    settings: ValueSettings<V>,
    shared: SharedByCalls<KeyWaiters>,
  ) {
    super(context, name, settings, shared, boundedElements)
    this.#offers = new BoundedOffers(context, { name, requests: this.requests }, shared)
  }

  async trySetCapacity(capacity: number): Promise<boolean> {
    return await this.ask(scripts.setCapacity, { capacity: checkedCapacity(capacity) }, this.#room)
  }

  async remainingCapacity(): Promise<number> {
    return Math.max(0, await this.#offers.remaining())
  }

  override async add(value: V): Promise<boolean> {
    const { isAdded, capacity } = await this.#offers.add([this.valueCodec.encode(value)])
    if (!isAdded) throw new QueueFullError({ queue: this.name, capacity, waitMs: 0 })
    return true
  }

  override async addAll(values: Iterable<V>): Promise<boolean> {
    const all = this.valueCodec.encodeAll(values)
    if (all.length > MOST_ENTRIES)
      throw new RangeError(
        `Expected \`values\` to be ${String(MOST_ENTRIES)} or less, which are added together, got ${String(all.length)}`,
      )
    return all.length > 0 && (await this.#offers.add(all)).isAdded
  }

  override async offer(value: V, options?: RoomOptions): Promise<boolean> {
    const patience = patienceOf(optionsOf(options, OFFER), 0)
    patience.signal?.throwIfAborted()
    const encoded = this.valueCodec.encode(value)
    if (patience.waitMs > 0) return await this.#offers.wait(encoded, patience)
    return (await this.#offers.add([encoded])).isAdded
  }

  override async put(value: V, options?: PutOptions): Promise<void> {
    const patience = patienceOf(optionsOf(options, PUT), Infinity)
    await this.#offers.wait(this.valueCodec.encode(value), patience)
  }

  /** The elements come first: the queue is there as long as it has any. */
  protected override keysOf(key: string): ObjectKeys {
    return [key, roomOf(key).places]
  }

  /** All who wait for room look again: a client in Java wakes as many as the message says. */
  protected override wakeUpOf(key: string): WakeUp {
    return { channel: roomOf(key).channel, message: String(LARGEST_CAPACITY) }
  }

  protected override async pollOne(pop: 'lpop' | 'rpop'): Promise<V | undefined> {
    const end = pop === 'lpop' ? 'first' : 'last'
    const popped = await boundedElements.pop(this.requests, [this.key], { end, count: 1 })
    return this.valueCodec.decodeTakenIfAny(popped?.[1][0])
  }

  protected override async moveSome(options: QueueMoveOptions): Promise<V[]> {
    const { to, ...args } = queueMove(options)
    const target = this.keyInSlot(to)
    return this.valueCodec.decodeTaken(await boundedElements.moveFirst(this.requests, target, args))
  }

  protected override async removeEqual(count: number, value: Argument): Promise<number> {
    return await this.ask(scripts.remove, { count, value }, this.#room)
  }

  protected override async removeSome(values: readonly Argument[]): Promise<boolean> {
    return await this.ask(scripts.removeSome, { retains: 0, values }, this.#room)
  }

  protected override async retainSome(values: readonly Argument[]): Promise<boolean> {
    return await this.ask(scripts.removeSome, { retains: 1, values }, this.#room)
  }

  /** The capacity stays. */
  protected override async removeElements(): Promise<boolean> {
    return await this.ask(scripts.clear, {}, this.#room, EXACTLY_ONCE)
  }

  get #room() {
    return roomOf(this.key)
  }
}
