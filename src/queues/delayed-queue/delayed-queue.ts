import type { RDelayedQueue } from './delayed-queue.api.js'
import type { ListWalkOptions } from '../../collections/list/list.api.js'
import { listPage } from '../../collections/list/list-page.js'
import * as list from '../../collections/list/list.commands.js'
import { identityOf } from '../../collections/shared/identity-of.js'
import { pollCount } from '../../collections/shared/polling.js'
import { ValueCodec } from '../../collections/shared/value-codec.js'
import {
  demandTurns,
  FROM_ANY_NODE,
  FROM_MASTER,
  type RunOptions,
} from '../../command/operation/command-executor.js'
import type { Argument } from '../../connection/connection.js'
import { demandAtMost, milliseconds } from '../../core/arguments/arguments.js'
import type { ValueSettings } from '../../core/arguments/object-settings.js'
import { ANY_NUMBER, demandNoMore, known, optionsOf, refuseSurplus } from '../../core/arguments/options.js'
import { checkedScan, MOST_ENTRIES } from '../../core/arguments/scan-settings.js'
import type { ObjectContext } from '../../core/context/object-context.js'
import { IN_TURN, sendParts } from '../../core/context/parts.js'
import type { ObjectRequests } from '../../core/object-requests.js'
import { walk } from '../../core/pages.js'
import { RedissonExpirable } from '../../core/redisson-expirable.js'
import { EXACTLY_ONCE, type ObjectKeys, type ObjectKind, type WakeUp } from '../../core/redisson-object.js'
import { chunk } from '../../util/collections/chunk.js'
import { NoSuchElementError } from '../shared/queue.errors.js'
import type { DelayedTransfers, TransferHold } from './delayed-transfers.js'
import { delayedChannel, delayedKeys } from './keys.js'
import { recordOf, valueIn } from './record.js'
import * as scripts from './delayed-queue.scripts.js'

/** The longest delay, in milliseconds: its end is a whole number that JavaScript and Redis have in common. */
const LONGEST_DELAY_MS = 7e15

/** A due time that has passed, with which all clients look. */
const NOW = '1'

const WALK = known<ListWalkOptions>({ count: true, onInvalid: true, signal: true })

const ONE_LIST = 'the values are one list'

/** Ends the hold of a queue to which the program does not refer any more. */
const unused = new FinalizationRegistry<TransferHold>((hold) => {
  hold.forget()
})

/** Elements that a queue gets later: a list of records, and a sorted set of the same by their due times. */
export class RedissonDelayedQueue<V> extends RedissonExpirable implements RDelayedQueue<V> {
  static {
    refuseSurplus(this, {
      offer: 'the delay is a number of milliseconds',
      poll: 'it has one count',
      remove: ANY_NUMBER,
      removeAll: ONE_LIST,
      retainAll: ONE_LIST,
      contains: 'containsAll() looks for several values',
      containsAll: ONE_LIST,
      pollLastAndOfferFirstTo: 'it is one other queue',
      readAll: 'poll() removes a part',
      values: 'a signal is an option',
      destroy: 'delete() removes the elements',
    })
  }

  readonly #codec: ValueCodec<V>
  /** Those about the list of records. */
  readonly #records: ObjectRequests
  readonly #hold: TransferHold

  constructor(
    context: ObjectContext,
    name: string,
    { codec, run }: ValueSettings<V>,
    transfers: DelayedTransfers,
  ) {
    super(context, name, { codec, run })
    this.#codec = new ValueCodec(name, codec, 'poll() removes the element that was offered first')
    this.#records = this.requests.at(delayedKeys(this.key).records)
    this.#hold = transfers.hold(this.key)
    unused.register(this, this.#hold, this)
  }

  async offer(value: V, delayMs: number): Promise<void> {
    const delay = checkedDelay(delayMs)
    const args = {
      record: recordOf(this.#codec.encode(value)),
      delayMs: delay,
      channel: delayedChannel(this.key),
    }
    await this.#records.ask(scripts.offer, args, this.#dueTimes, EXACTLY_ONCE)
    this.#hold.offered(delay)
  }

  poll(): Promise<V | undefined>
  poll(count: number): Promise<V[]>
  async poll(count?: number): Promise<V | undefined | V[]> {
    return count === undefined ? (await this.#poll(1))[0] : await this.#poll(pollCount(count))
  }

  async peek(): Promise<V | undefined> {
    const record = await this.#records.ask(list.get, { index: 0 })
    return this.#codec.decodeIfAny(record && valueIn(record))
  }

  async element(): Promise<V> {
    return this.#demanded(await this.peek())
  }

  remove(): Promise<V>
  remove(value: V): Promise<boolean>
  async remove(...args: readonly [] | readonly [V]): Promise<unknown> {
    demandNoMore((args as readonly unknown[])[1], 'removeAll() removes several values')
    if (args.length === 0) return this.#demanded(await this.poll())
    return await this.#remove(1, [this.#codec.encode(args[0])])
  }

  async removeAll(values: Iterable<V>): Promise<boolean> {
    return await this.#removeAll(this.#codec.encodeAll(values))
  }

  async retainAll(values: Iterable<V>): Promise<boolean> {
    const wanted = this.#codec.encodeAll(values)
    if (wanted.length === 0) return await this.delete()
    if (wanted.length > MOST_ENTRIES) return await this.#retainMany(wanted)
    return await this.#records.ask(scripts.retainAll, { values: wanted }, this.#dueTimes)
  }

  async contains(value: V): Promise<boolean> {
    return await this.#records.ask(scripts.containsAll, { values: [this.#codec.encode(value)] })
  }

  async containsAll(values: Iterable<V>): Promise<boolean> {
    const found = await Promise.all(
      chunk(this.#codec.encodeAll(values), MOST_ENTRIES).map((part) =>
        this.#records.ask(scripts.containsAll, { values: part }),
      ),
    )
    return !found.includes(false)
  }

  async size(): Promise<number> {
    return await this.#records.ask(list.size)
  }

  async isEmpty(): Promise<boolean> {
    return (await this.size()) === 0
  }

  async clear(): Promise<void> {
    await this.delete()
  }

  async readAll(): Promise<V[]> {
    const records = await this.#records.ask(list.range, { from: 0, to: -1 })
    return await this.#codec.decodeAll(records.map(valueIn))
  }

  async pollLastAndOfferFirstTo(name: string): Promise<V | undefined> {
    const others = { ...this.#dueTimes, target: this.keyInSlot(name) }
    const record = await this.#records.ask(scripts.pollLastTo, {}, others)
    return this.#codec.decodeTakenIfAny(record && valueIn(record))
  }

  values(options?: ListWalkOptions): AsyncIterable<V> {
    const settings = checkedScan(optionsOf(options, WALK))
    return walk(
      (cursor) => listPage(this.#records, { from: Number(cursor), count: settings.count }),
      (record) => this.#codec.decode(valueIn(record)),
      settings,
    )
  }

  [Symbol.asyncIterator](): AsyncIterator<V> {
    return this.values()[Symbol.asyncIterator]()
  }

  async destroy(): Promise<void> {
    unused.unregister(this)
    this.#hold.release()
    await Promise.resolve()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.destroy()
  }

  protected override keysOf(key: string): ObjectKeys {
    const { records, dueTimes } = delayedKeys(key)
    return [records, dueTimes]
  }

  protected override get scripts() {
    return scripts.ofAllKeys
  }

  protected override get kind(): ObjectKind {
    return 'list'
  }

  protected override get reading(): RunOptions {
    return FROM_ANY_NODE
  }

  protected override wakeUpOf(key: string): WakeUp {
    return { channel: delayedChannel(key), message: NOW }
  }

  get #dueTimes() {
    return { dueTimes: delayedKeys(this.key).dueTimes }
  }

  async #poll(count: number): Promise<V[]> {
    if (count === 0) return []
    const records = await this.#records.ask(scripts.poll, { count }, this.#dueTimes)
    return this.#codec.decodeTaken(records.map(valueIn))
  }

  /** @param most - how many records at most; 0 for all that have one of the values */
  async #remove(most: 0 | 1, values: readonly Argument[]): Promise<boolean> {
    return await this.#records.ask(scripts.remove, { most, values }, this.#dueTimes)
  }

  async #removeAll(values: readonly Argument[]): Promise<boolean> {
    const parts = chunk(values, MOST_ENTRIES)
    if (parts.length > 1)
      demandTurns(this.requests, `removeAll() of more than ${String(MOST_ENTRIES)} values`)
    return (await sendParts(parts, (part) => this.#remove(0, part), IN_TURN)).includes(true)
  }

  /** One request cannot be given all that is wanted, but several can be given all that is not. */
  async #retainMany(wanted: readonly Argument[]): Promise<boolean> {
    demandTurns(this.requests, `retainAll() of more than ${String(MOST_ENTRIES)} values`)
    const unwanted = new Map<string, Buffer>()
    for (const record of await this.#records.ask(list.range, { from: 0, to: -1 }, {}, FROM_MASTER)) {
      const value = valueIn(record)
      unwanted.set(identityOf(value), value)
    }
    for (const value of wanted) unwanted.delete(identityOf(value))
    return await this.#removeAll([...unwanted.values()])
  }

  /** @throws {@link NoSuchElementError} if there is none */
  #demanded(element: V | undefined): V {
    if (element === undefined) throw new NoSuchElementError(this.name)
    return element
  }
}

/** @throws RangeError for a delay below 0, and for one that does not end */
function checkedDelay(delayMs: number): number {
  const delay = Math.ceil(milliseconds('delayMs', delayMs))
  if (delay < 0) throw new RangeError(`Expected \`delayMs\` to be 0 or more, got ${String(delayMs)}`)
  demandAtMost('delayMs', delay, LONGEST_DELAY_MS)
  return delay
}
