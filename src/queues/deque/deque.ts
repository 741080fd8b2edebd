import type { DequeMoveOptions, RDeque } from './deque.api.js'
import type { QueueMoveOptions } from '../queue/queue.api.js'
import * as list from '../../collections/list/list.commands.js'
import { listPageFromBehind } from '../../collections/list/list-page.js'
import type { PlainCommand } from '../../command/operation/command.js'
import { ANY_NUMBER, demandOptions, known, refuseSurplus } from '../../core/arguments/options.js'
import { MOST_ENTRIES } from '../../core/arguments/scan-settings.js'
import { walk } from '../../core/pages.js'
import { demandSupported } from '../../core/unsupported.js'
import { inspectWord } from '../../util/inspect-short.js'
import { RedissonQueue } from '../queue/queue.js'
import * as commands from './deque.commands.js'

const MOVE = known<{ poll: unknown; addFirstTo: unknown; addLastTo: unknown }>({
  poll: true,
  addFirstTo: true,
  addLastTo: true,
})

const ONE_VALUE = 'it adds one value'

/** How many elements a walk from behind reads by one request. */
const PAGE = 1_000

/** The command that adds values at one end. */
type Push = PlainCommand<'deque', '...values', number>

/** A list of Redis, used from both ends. */
export class RedissonDeque<V> extends RedissonQueue<V> implements RDeque<V> {
  static {
    refuseSurplus(this, {
      addFirst: ANY_NUMBER,
      addLast: ANY_NUMBER,
      addFirstIfExists: ANY_NUMBER,
      addLastIfExists: ANY_NUMBER,
      offerFirst: ONE_VALUE,
      offerLast: ONE_VALUE,
      push: ONE_VALUE,
      pollFirst: 'it has one count',
      pollLast: 'it has one count',
      removeFirstOccurrence: 'it removes one element',
      removeLastOccurrence: 'it removes one element',
      move: 'a move has one object of options',
    })
  }

  async addFirst(...values: V[]): Promise<number> {
    return await this.#push(commands.addFirst, values)
  }

  async addLast(...values: V[]): Promise<number> {
    return await this.#push(commands.addLast, values)
  }

  async addFirstIfExists(...values: V[]): Promise<number> {
    return await this.#push(commands.addFirstIfExists, values)
  }

  async addLastIfExists(...values: V[]): Promise<number> {
    return await this.#push(commands.addLastIfExists, values)
  }

  async offerFirst(value: V): Promise<boolean> {
    return (await this.addFirst(value)) > 0
  }

  async offerLast(value: V): Promise<boolean> {
    return (await this.addLast(value)) > 0
  }

  pollFirst(): Promise<V | undefined>
  pollFirst(count: number): Promise<V[]>
  async pollFirst(count?: number): Promise<V | undefined | V[]> {
    return count === undefined ? await this.pollOne('lpop') : await this.pollSome('lpop', count)
  }

  pollLast(): Promise<V | undefined>
  pollLast(count: number): Promise<V[]>
  async pollLast(count?: number): Promise<V | undefined | V[]> {
    return count === undefined ? await this.pollOne('rpop') : await this.pollSome('rpop', count)
  }

  async peekFirst(): Promise<V | undefined> {
    return await this.elementAt(0)
  }

  async peekLast(): Promise<V | undefined> {
    return await this.elementAt(-1)
  }

  async getFirst(): Promise<V> {
    return this.demanded(await this.peekFirst())
  }

  async getLast(): Promise<V> {
    return this.demanded(await this.peekLast())
  }

  async removeFirst(): Promise<V> {
    return this.demanded(await this.pollOne('lpop'))
  }

  async removeLast(): Promise<V> {
    return this.demanded(await this.pollOne('rpop'))
  }

  async push(value: V): Promise<void> {
    await this.addFirst(value)
  }

  async pop(): Promise<V> {
    return await this.removeFirst()
  }

  async removeFirstOccurrence(value: V): Promise<boolean> {
    return await this.#removeOccurrence(1, value)
  }

  async removeLastOccurrence(value: V): Promise<boolean> {
    return await this.#removeOccurrence(-1, value)
  }

  override move(database: number): Promise<boolean>
  override move(options: QueueMoveOptions): Promise<V[]>
  override move(options: DequeMoveOptions): Promise<V | undefined>
  override async move(where: number | QueueMoveOptions | DequeMoveOptions): Promise<unknown> {
    return isOfOneElement(where) ? await this.#moveOne(where) : await super.move(where as QueueMoveOptions)
  }

  descendingIterator(): AsyncIterable<V> {
    return walk(
      (cursor) => listPageFromBehind(this.requests, { skipped: Number(cursor), count: PAGE }),
      (element) => this.valueCodec.decode(element),
      { onInvalid: 'throw', signal: undefined },
    )
  }

  async #push(command: Push, values: readonly V[]): Promise<number> {
    if (values.length === 0 || values.length > MOST_ENTRIES)
      throw new RangeError(`Expected from 1 to ${String(MOST_ENTRIES)} values, got ${String(values.length)}`)
    return await this.ask(command, { values: values.map((value) => this.valueCodec.encode(value)) })
  }

  async #removeOccurrence(count: 1 | -1, value: V): Promise<boolean> {
    return (await this.ask(list.remove, { count, value: this.valueCodec.encode(value) })) > 0
  }

  async #moveOne(options: DequeMoveOptions): Promise<V | undefined> {
    const { from, to, name } = dequeMove(options)
    const target = this.keyInSlot(name)
    const moved = this.ask(commands.move, { from, to }, { target })
    return this.valueCodec.decodeTakenIfAny(
      await demandSupported(moved, 'move() of one element', 'Redis 6.2'),
    )
  }
}

/** Whether a move is one of {@link DequeMoveOptions}. */
export function isOfOneElement(where: unknown): where is DequeMoveOptions {
  return ['poll', 'addFirstTo', 'addLastTo'].some((name) => Object.hasOwn(Object(where) as object, name))
}

/** @throws TypeError or RangeError unless it is one end of this deque and one end of another */
export function dequeMove(options: DequeMoveOptions): {
  readonly from: 'LEFT' | 'RIGHT'
  readonly to: 'LEFT' | 'RIGHT'
  readonly name: string
} {
  demandOptions(options, MOVE)
  const { poll, addFirstTo, addLastTo } = options as Record<'poll' | 'addFirstTo' | 'addLastTo', unknown>
  if (poll !== 'first' && poll !== 'last')
    throw new RangeError(`Expected \`poll\` to be 'first' or 'last', got ${inspectWord(poll)}`)
  if ((addFirstTo === undefined) === (addLastTo === undefined))
    throw new TypeError('Expected either `addFirstTo` or `addLastTo`')
  const from = poll === 'first' ? 'LEFT' : 'RIGHT'
  if (addFirstTo !== undefined) return { from, to: 'LEFT', name: addFirstTo as string }
  return { from, to: 'RIGHT', name: addLastTo as string }
}
