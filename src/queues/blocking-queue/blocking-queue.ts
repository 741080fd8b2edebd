import type { BlockingQueueMoveOptions, ElementSubscription, RBlockingQueue } from './blocking-queue.api.js'
import type { PollOptions, TakeOptions } from '../../collections/shared/polling.api.js'
import type { ListenOptions } from '../../topics/shared/subscription.api.js'
import type { QueueMoveOptions } from '../queue/queue.api.js'
import type { ValueSettings } from '../../core/arguments/object-settings.js'
import type { ObjectContext } from '../../core/context/object-context.js'
import { ANY_NUMBER, refuseSurplus } from '../../core/arguments/options.js'
import { RedissonQueue } from '../queue/queue.js'
import { BlockingCalls, type SharedByCalls } from './blocking-calls.js'
import { BlockingMoves } from './blocking-moves.js'
import type { MovableElements } from './elements.js'
import { patienceAside } from './patience-aside.js'

/** A list of Redis whose callers wait for elements. */
export class RedissonBlockingQueue<V> extends RedissonQueue<V> implements RBlockingQueue<V> {
  static {
    refuseSurplus(this, {
      put: 'addAll() adds several values',
      poll: ANY_NUMBER,
      pollLastAndOfferFirstTo: 'it is one other queue',
      takeLastAndOfferFirstTo: 'it is one other queue',
      move: 'a move has one object of options',
    })
  }

  readonly #calls: BlockingCalls<V>
  readonly #moves: BlockingMoves<V>

  constructor(
    context: ObjectContext,
    name: string,
    settings: ValueSettings<V>,
    shared: SharedByCalls,
    elements?: MovableElements,
  ) {
    super(context, name, settings)
    const { requests, valueCodec: codec } = this
    this.#calls = new BlockingCalls(context, { name, requests, codec }, shared, elements)
    this.#moves = new BlockingMoves(this.#calls, requests, (other) => this.keyInSlot(other), elements)
  }

  async put(value: V): Promise<void> {
    await this.appendAll([value])
  }

  async take(options?: TakeOptions): Promise<V> {
    return await this.#calls.take('first', options)
  }

  override poll(options?: PollOptions): Promise<V | undefined>
  override poll(count: number, options?: PollOptions): Promise<V[]>
  override async poll(...given: readonly unknown[]): Promise<never> {
    return (await this.#calls.poll('first', given)) as never
  }

  async pollFromAny(names: Iterable<string>, options?: PollOptions): Promise<V | undefined> {
    return await this.#calls.pollFromAny('first', names, options)
  }

  async pollFromAnyWithName(
    names: Iterable<string>,
    options?: PollOptions,
  ): Promise<[string, V] | undefined> {
    return await this.#calls.pollFromAnyWithName('first', names, options)
  }

  async pollLastFromAnyWithName(
    names: Iterable<string>,
    options?: PollOptions,
  ): Promise<[string, V] | undefined> {
    return await this.#calls.pollFromAnyWithName('last', names, options)
  }

  async pollFirstFromAny(
    names: Iterable<string>,
    count: number,
    options?: PollOptions,
  ): Promise<Map<string, V[]>> {
    return await this.#calls.pollSomeFromAny('first', names, count, options)
  }

  async pollLastFromAny(
    names: Iterable<string>,
    count: number,
    options?: PollOptions,
  ): Promise<Map<string, V[]>> {
    return await this.#calls.pollSomeFromAny('last', names, count, options)
  }

  override async pollLastAndOfferFirstTo(name: string, options?: PollOptions): Promise<V | undefined> {
    return await this.#moves.pollLastAndOfferFirstTo(name, options)
  }

  async takeLastAndOfferFirstTo(name: string, options?: TakeOptions): Promise<V> {
    return await this.#moves.takeLastAndOfferFirstTo(name, options)
  }

  override move(database: number): Promise<boolean>
  override move(options: BlockingQueueMoveOptions): Promise<V[]>
  override async move(where: number | BlockingQueueMoveOptions): Promise<never> {
    const { patience, rest } = patienceAside(where)
    const moved =
      patience === undefined
        ? super.move(rest as number)
        : this.#moves.some(rest as QueueMoveOptions, patience)
    return (await moved) as never
  }

  async drainTo(max?: number): Promise<V[]> {
    return await this.#calls.drain(max)
  }

  subscribeOnElements(listener: (value: V) => unknown, options?: ListenOptions): ElementSubscription {
    return this.#calls.subscribe('first', listener, options)
  }

  consume(options?: TakeOptions): AsyncIterable<V, undefined> {
    return this.#calls.consume(options)
  }
}
