import type { RTransferQueue } from './transfer-queue.api.js'
import type { PollOptions, TakeOptions } from '../../collections/shared/polling.api.js'
import type { ElementSubscription } from '../blocking-queue/blocking-queue.api.js'
import type { ListenOptions } from '../../topics/shared/subscription.api.js'
import * as list from '../../collections/list/list.commands.js'
import { RedissonListValues } from '../../collections/list/list-values.js'
import { takePatience } from '../../collections/shared/polling.js'
import { demandTurns, FROM_MASTER } from '../../command/operation/command-executor.js'
import { milliseconds } from '../../core/arguments/arguments.js'
import type { ValueSettings } from '../../core/arguments/object-settings.js'
import { ANY_NUMBER, demandNoMore, refuseSurplus } from '../../core/arguments/options.js'
import { transferChannel, transferConsumers } from '../../core/context/names.js'
import type { ObjectContext } from '../../core/context/object-context.js'
import type { WakeUp } from '../../core/redisson-object.js'
import { Deadline } from '../../util/time/deadline.js'
import { BlockingCalls, type SharedByCalls } from '../blocking-queue/blocking-calls.js'
import { plainElements, type Elements } from '../blocking-queue/elements.js'
import { NoSuchElementError } from '../shared/queue.errors.js'
import type { Consumers } from './consumers.js'
import { LOOK } from './handover.js'
import { TransferRecords } from './records.js'
import * as scripts from './transfer-queue.scripts.js'
import type { Transfers } from './transfers.js'

/** What the transfer queues of a client share. */
export interface TransferServices {
  readonly calls: SharedByCalls
  /** Not for batches. */
  readonly consumers: () => Consumers
  readonly transfers: () => Transfers
}

const ONE_VALUE = 'addAll() adds several values'

/** A list of Redis whose elements are handed over: a producer may wait until its own is taken. */
export class RedissonTransferQueue<V> extends RedissonListValues<V> implements RTransferQueue<V> {
  static {
    refuseSurplus(this, {
      transfer: ONE_VALUE,
      tryTransfer: 'a signal is an option',
      put: ONE_VALUE,
      add: ONE_VALUE,
      addAll: 'the values are one list',
      offer: ONE_VALUE,
      poll: ANY_NUMBER,
      remove: ANY_NUMBER,
    })
  }

  readonly #records: TransferRecords<V>
  readonly #services: TransferServices
  readonly #calls: BlockingCalls<V>

  constructor(context: ObjectContext, name: string, settings: ValueSettings<V>, services: TransferServices) {
    const records = new TransferRecords(name, settings.codec)
    super(context, name, settings, records)
    this.#records = records
    this.#services = services
    const elements: Elements = {
      ...plainElements,
      kind: 'transfer',
      pop: async (queue, _, { count }, options) => {
        const found = await queue.ask(scripts.take, { count, channel: this.#channel }, {}, options)
        return found.length === 0 ? undefined : [0, found]
      },
      size: ({ key }, options) => services.consumers().renew(key, options),
    }
    const { requests } = this
    this.#calls = new BlockingCalls(context, { name, requests, codec: records }, services.calls, elements)
  }

  async transfer(value: V, options?: TakeOptions): Promise<void> {
    await this.#transfer(value, options, Deadline.never)
  }

  async tryTransfer(value: V, timeoutMs?: number, options?: TakeOptions): Promise<boolean> {
    const waitMs = timeoutMs === undefined ? 0 : milliseconds('timeoutMs', timeoutMs)
    return await this.#transfer(value, options, waitMs > 0 ? Deadline.after(waitMs) : undefined)
  }

  async hasWaitingConsumer(): Promise<boolean> {
    return (await this.getWaitingConsumerCount()) > 0
  }

  async getWaitingConsumerCount(): Promise<number> {
    return await this.ask(scripts.waiting, {}, { consumers: transferConsumers(this.key) }, FROM_MASTER)
  }

  async put(value: V): Promise<void> {
    await this.appendAll([value])
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

  async take(options?: TakeOptions): Promise<V> {
    return await this.#calls.take('first', options)
  }

  poll(options?: PollOptions): Promise<V | undefined>
  poll(count: number, options?: PollOptions): Promise<V[]>
  async poll(...given: readonly unknown[]): Promise<never> {
    return (await this.#calls.poll('first', given)) as never
  }

  async peek(): Promise<V | undefined> {
    return this.#records.decodeIfAny(await this.ask(list.get, { index: 0 }))
  }

  async element(): Promise<V> {
    return this.#demanded(await this.peek())
  }

  override remove(): Promise<V>
  override remove(value: V): Promise<boolean>
  override async remove(...args: readonly [] | readonly [V]): Promise<never> {
    demandNoMore((args as readonly unknown[])[1], 'removeAll() removes several values')
    return (await (args.length === 0 ? this.#removeHead() : this.#remove(args[0]))) as never
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

  protected override get searches() {
    return scripts
  }

  protected override async indexBy(_rank: 1 | -1, value: V): Promise<number> {
    return await this.ask(scripts.find, { value: this.#records.encode(value) })
  }

  protected override wakeUpOf(key: string): WakeUp {
    return { channel: transferChannel(key), message: LOOK }
  }

  get #channel(): string {
    return transferChannel(this.key)
  }

  async #transfer(
    value: V,
    options: TakeOptions | undefined,
    deadline: Deadline | undefined,
  ): Promise<boolean> {
    const { signal } = takePatience(options === undefined ? {} : options)
    demandTurns(this.requests, 'A transfer')
    const transfers = this.#services.transfers()
    const id = transfers.nextId()
    const record = this.#records.recordOf(value, id)
    return await transfers.run({ requests: this.requests, id, record, deadline, signal })
  }

  async #removeHead(): Promise<V> {
    return this.#demanded(await this.poll())
  }

  async #remove(value: V): Promise<boolean> {
    return await this.ask(scripts.remove, { value: this.#records.encode(value), channel: this.#channel })
  }

  /** @throws {@link NoSuchElementError} if there is none */
  #demanded(element: V | undefined): V {
    if (element === undefined) throw new NoSuchElementError(this.name)
    return element
  }
}
