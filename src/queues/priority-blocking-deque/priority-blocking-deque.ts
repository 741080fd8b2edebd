import type { RPriorityBlockingDeque } from './priority-blocking-deque.api.js'
import type { ElementSubscription } from '../blocking-queue/blocking-queue.api.js'
import type { PollOptions, TakeOptions } from '../../collections/shared/polling.api.js'
import type { ListenOptions } from '../../topics/shared/subscription.api.js'
import type { SortedValue } from '../../collections/sorted-set/sorted-set.api.js'
import type { ValueSettings } from '../../core/arguments/object-settings.js'
import { ANY_NUMBER, refuseSurplus } from '../../core/arguments/options.js'
import type { ObjectContext } from '../../core/context/object-context.js'
import { PriorityCalls, type SharedByPriorityCalls } from '../priority-blocking-queue/priority-calls.js'
import { RedissonPriorityDeque } from '../priority-deque/priority-deque.js'

/** A priority queue of which both ends are used, and whose callers wait for elements. */
export class RedissonPriorityBlockingDeque<V extends SortedValue>
  extends RedissonPriorityDeque<V>
  implements RPriorityBlockingDeque<V>
{
  static {
    refuseSurplus(this, {
      put: 'addAll() adds several values',
      poll: ANY_NUMBER,
      pollFirst: ANY_NUMBER,
      pollLast: ANY_NUMBER,
      pollLastAndOfferFirstTo: 'it is one other queue',
      takeLastAndOfferFirstTo: 'it is one other queue',
    })
  }

  readonly #calls: PriorityCalls<V>

  constructor(
    context: ObjectContext,
    name: string,
    settings: ValueSettings<V>,
    shared: SharedByPriorityCalls,
  ) {
    super(context, name, settings, shared.rooms)
    const { requests, valueCodec: codec } = this
    this.#calls = new PriorityCalls(context, { name, requests, codec }, shared, this.ends)
  }

  async put(value: V): Promise<void> {
    await this.add(value)
  }

  async take(options?: TakeOptions): Promise<V> {
    return await this.#calls.take('first', options)
  }

  async takeFirst(options?: TakeOptions): Promise<V> {
    return await this.#calls.take('first', options)
  }

  async takeLast(options?: TakeOptions): Promise<V> {
    return await this.#calls.take('last', options)
  }

  override poll(options?: PollOptions): Promise<V | undefined>
  override poll(count: number, options?: PollOptions): Promise<V[]>
  override async poll(...given: readonly unknown[]): Promise<never> {
    return (await this.#calls.poll('first', given)) as never
  }

  override pollFirst(options?: PollOptions): Promise<V | undefined>
  override pollFirst(count: number, options?: PollOptions): Promise<V[]>
  override async pollFirst(...given: readonly unknown[]): Promise<never> {
    return (await this.#calls.poll('first', given)) as never
  }

  override pollLast(options?: PollOptions): Promise<V | undefined>
  override pollLast(count: number, options?: PollOptions): Promise<V[]>
  override async pollLast(...given: readonly unknown[]): Promise<never> {
    return (await this.#calls.poll('last', given)) as never
  }

  override async pollLastAndOfferFirstTo(name: string, options?: PollOptions): Promise<V | undefined> {
    return await this.#calls.pollLastToFirst(this.otherKey(name), options)
  }

  async takeLastAndOfferFirstTo(name: string, options?: TakeOptions): Promise<V> {
    return await this.#calls.takeLastToFirst(this.otherKey(name), options)
  }

  async drainTo(max?: number): Promise<V[]> {
    return await this.#calls.drain(max)
  }

  subscribeOnElements(listener: (value: V) => unknown, options?: ListenOptions): ElementSubscription {
    return this.#calls.subscribe('first', listener, options)
  }

  subscribeOnFirstElements(listener: (value: V) => unknown, options?: ListenOptions): ElementSubscription {
    return this.#calls.subscribe('first', listener, options)
  }

  subscribeOnLastElements(listener: (value: V) => unknown, options?: ListenOptions): ElementSubscription {
    return this.#calls.subscribe('last', listener, options)
  }

  consume(options?: TakeOptions): AsyncIterable<V, undefined> {
    return this.#calls.consume(options)
  }
}
