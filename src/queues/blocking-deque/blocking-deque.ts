import type { BlockingDequeMoveOptions, RBlockingDeque } from './blocking-deque.api.js'
import type { BlockingQueueMoveOptions, ElementSubscription } from '../blocking-queue/blocking-queue.api.js'
import type { DequeMoveOptions } from '../deque/deque.api.js'
import type { QueueMoveOptions } from '../queue/queue.api.js'
import type { PollOptions, TakeOptions } from '../../collections/shared/polling.api.js'
import type { ListenOptions } from '../../topics/shared/subscription.api.js'
import type { RunOptions } from '../../command/operation/command-executor.js'
import type { Patience } from '../../core/arguments/arguments.js'
import type { ValueSettings } from '../../core/arguments/object-settings.js'
import { ANY_NUMBER, demandNoMore, refuseSurplus } from '../../core/arguments/options.js'
import type { ObjectContext } from '../../core/context/object-context.js'
import { demandSupported } from '../../core/unsupported.js'
import { BlockingCalls, type SharedByCalls } from '../blocking-queue/blocking-calls.js'
import { BlockingMoves } from '../blocking-queue/blocking-moves.js'
import type { End } from '../blocking-queue/elements.js'
import { patienceAside } from '../blocking-queue/patience-aside.js'
import { move as moveOne } from '../deque/deque.commands.js'
import { dequeMove, isOfOneElement, RedissonDeque } from '../deque/deque.js'

const ONE_VALUE = 'it adds one value'

/** A list of Redis with two ends, whose callers wait for elements. */
export class RedissonBlockingDeque<V> extends RedissonDeque<V> implements RBlockingDeque<V> {
  static {
    refuseSurplus(this, {
      put: 'addAll() adds several values',
      putFirst: ONE_VALUE,
      putLast: ONE_VALUE,
      poll: ANY_NUMBER,
      pollFirst: ANY_NUMBER,
      pollLast: ANY_NUMBER,
      pollFirstFromAny: ANY_NUMBER,
      pollLastFromAny: ANY_NUMBER,
      pollLastAndOfferFirstTo: 'it is one other queue',
      takeLastAndOfferFirstTo: 'it is one other queue',
      move: 'a move has one object of options',
    })
  }

  readonly #calls: BlockingCalls<V>
  readonly #moves: BlockingMoves<V>

  constructor(context: ObjectContext, name: string, settings: ValueSettings<V>, shared: SharedByCalls) {
    super(context, name, settings)
    const { requests, valueCodec: codec } = this
    this.#calls = new BlockingCalls(context, { name, requests, codec }, shared)
    this.#moves = new BlockingMoves(this.#calls, requests, (other) => this.keyInSlot(other))
  }

  async put(value: V): Promise<void> {
    await this.appendAll([value])
  }

  async putFirst(value: V): Promise<void> {
    await this.addFirst(value)
  }

  async putLast(value: V): Promise<void> {
    await this.appendAll([value])
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

  pollFirstFromAny(names: Iterable<string>, options?: PollOptions): Promise<V | undefined>
  pollFirstFromAny(names: Iterable<string>, count: number, options?: PollOptions): Promise<Map<string, V[]>>
  async pollFirstFromAny(names: Iterable<string>, ...given: readonly unknown[]): Promise<never> {
    return (await this.#pollFromAny('first', names, given)) as never
  }

  pollLastFromAny(names: Iterable<string>, options?: PollOptions): Promise<V | undefined>
  pollLastFromAny(names: Iterable<string>, count: number, options?: PollOptions): Promise<Map<string, V[]>>
  async pollLastFromAny(names: Iterable<string>, ...given: readonly unknown[]): Promise<never> {
    return (await this.#pollFromAny('last', names, given)) as never
  }

  override async pollLastAndOfferFirstTo(name: string, options?: PollOptions): Promise<V | undefined> {
    return await this.#moves.pollLastAndOfferFirstTo(name, options)
  }

  async takeLastAndOfferFirstTo(name: string, options?: TakeOptions): Promise<V> {
    return await this.#moves.takeLastAndOfferFirstTo(name, options)
  }

  override move(database: number): Promise<boolean>
  override move(options: BlockingQueueMoveOptions): Promise<V[]>
  override move(options: BlockingDequeMoveOptions): Promise<V | undefined>
  override async move(where: number | BlockingQueueMoveOptions | BlockingDequeMoveOptions): Promise<never> {
    const { patience, rest } = patienceAside(where)
    if (patience === undefined) return (await super.move(rest as number)) as never
    const moved = isOfOneElement(rest)
      ? this.#moveOne(rest, patience)
      : this.#moves.some(rest as QueueMoveOptions, patience)
    return (await moved) as never
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

  async #pollFromAny(
    end: End,
    names: Iterable<string>,
    [first, second, surplus]: readonly unknown[],
  ): Promise<V | undefined | Map<string, V[]>> {
    if (typeof first === 'number') {
      demandNoMore(surplus)
      return await this.#calls.pollSomeFromAny(end, names, first, second as PollOptions | undefined)
    }
    demandNoMore(second, 'a count comes first')
    return await this.#calls.pollFromAny(end, names, first as PollOptions | undefined)
  }

  async #moveOne(options: DequeMoveOptions, patience: Patience): Promise<V | undefined> {
    const { from, to, name } = dequeMove(options)
    const target = this.keyInSlot(name)
    const send = async (how: RunOptions) => {
      const moving = this.ask(moveOne, { from, to }, { target }, how)
      const moved = await demandSupported(moving, 'move() of one element', 'Redis 6.2')
      return moved === undefined ? [] : [moved]
    }
    const ends = {
      end: from === 'LEFT' ? 'first' : 'last',
      targetEnd: to === 'LEFT' ? 'first' : 'last',
    } as const
    return (await this.#calls.move({ send, target, least: 1, ...ends }, patience))[0]
  }
}
