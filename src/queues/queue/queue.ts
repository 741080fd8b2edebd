import type { QueueMoveOptions, RQueue } from './queue.api.js'
import * as commands from '../../collections/list/list.commands.js'
import { RedissonListValues } from '../../collections/list/list-values.js'
import { pollCount } from '../../collections/shared/polling.js'
import { flag, wholeNumber } from '../../core/arguments/arguments.js'
import type { ValueSettings } from '../../core/arguments/object-settings.js'
import {
  ANY_NUMBER,
  demandNoMore,
  demandOptions,
  known,
  refuseSurplus,
} from '../../core/arguments/options.js'
import type { ObjectContext } from '../../core/context/object-context.js'
import { NoSuchElementError } from '../shared/queue.errors.js'
import * as ends from './queue.commands.js'
import * as scripts from './queue.scripts.js'

const MOVE = known<QueueMoveOptions>({ to: true, count: true, exactly: true })

const ONE_VALUE = 'addAll() adds several values'

/** The command that removes an element at one end. */
type Pop = 'lpop' | 'rpop'

/** A list of Redis whose elements are added at its end, and removed from its front. */
export class RedissonQueue<V> extends RedissonListValues<V> implements RQueue<V> {
  /** Whether it counts what its own methods add and remove, so that nothing else may. */
  static readonly isCounted: boolean = false

  static {
    refuseSurplus(this, {
      add: ONE_VALUE,
      addAll: 'the values are one list',
      offer: ONE_VALUE,
      poll: 'it has one count',
      remove: ANY_NUMBER,
      pollLastAndOfferFirstTo: 'it is one other queue',
      move: 'a move has one object of options',
    })
  }

  constructor(context: ObjectContext, name: string, settings: ValueSettings<V>) {
    super(context, name, settings, 'poll() removes the head')
  }

  async add(value: V): Promise<boolean> {
    return await this.appendAll([value])
  }

  async addAll(values: Iterable<V>): Promise<boolean> {
    return await this.appendAll(values)
  }

  async offer(value: V): Promise<boolean> {
    return await this.appendAll([value])
  }

  poll(): Promise<V | undefined>
  poll(count: number): Promise<V[]>
  async poll(count?: number): Promise<V | undefined | V[]> {
    return count === undefined ? await this.pollOne('lpop') : await this.pollSome('lpop', count)
  }

  async peek(): Promise<V | undefined> {
    return await this.elementAt(0)
  }

  async element(): Promise<V> {
    return this.demanded(await this.peek())
  }

  override remove(): Promise<V>
  override remove(value: V): Promise<boolean>
  override async remove(...args: readonly [] | readonly [V]): Promise<unknown> {
    demandNoMore((args as readonly unknown[])[1], 'removeAll() removes several values')
    return args.length === 0 ? this.demanded(await this.pollOne('lpop')) : await super.remove(args[0])
  }

  async pollLastAndOfferFirstTo(name: string): Promise<V | undefined> {
    const target = this.keyInSlot(name)
    return this.valueCodec.decodeTakenIfAny(await this.ask(ends.pollLastAndOfferFirstTo, {}, { target }))
  }

  override move(database: number): Promise<boolean>
  override move(options: QueueMoveOptions): Promise<V[]>
  override async move(where: number | QueueMoveOptions): Promise<boolean | V[]> {
    return typeof where === 'number' ? await super.move(where) : await this.moveSome(where)
  }

  protected async pollOne(pop: Pop): Promise<V | undefined> {
    const operation = pop === 'lpop' ? ends.poll : ends.pollLast
    return this.valueCodec.decodeTakenIfAny(await this.ask(operation))
  }

  /** In the order in which they are removed. */
  protected async pollSome(pop: Pop, count: number): Promise<V[]> {
    if (pollCount(count) === 0) return []
    return this.valueCodec.decodeTaken(await this.ask(scripts.poll, { pop, count }))
  }

  protected async elementAt(index: 0 | -1): Promise<V | undefined> {
    return this.valueCodec.decodeIfAny(await this.ask(commands.get, { index }))
  }

  /** @throws {@link NoSuchElementError} if there is none */
  protected demanded(element: V | undefined): V {
    if (element === undefined) throw new NoSuchElementError(this.name)
    return element
  }

  /** Moves elements from the head to the tail of another queue. */
  protected async moveSome(options: QueueMoveOptions): Promise<V[]> {
    const { to, ...args } = queueMove(options)
    const call = { keys: { queues: [this.key, this.keyInSlot(to)] }, args }
    return this.valueCodec.decodeTaken(await this.requests.run(scripts.move, call))
  }
}

/** What a move is given, as it is sent. */
export function queueMove(options: QueueMoveOptions): {
  readonly to: string
  readonly count: number
  readonly exactly: 0 | 1
} {
  demandOptions(options, MOVE)
  const { to, count = 1, exactly } = options
  return {
    to,
    count: pollCount(wholeNumber('count', count, 1)),
    exactly: flag('exactly', exactly) ? 1 : 0,
  }
}
