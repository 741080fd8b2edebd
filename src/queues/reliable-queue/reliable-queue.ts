import type {
  CancelOptions,
  ConsumeOptions,
  DeadLetter,
  Delivery,
  FoundMessage,
  MessageRange,
  MessageState,
  OfferAllOptions,
  OfferOptions,
  ProcessOptions,
  QueueCounts,
  QueuePollOptions,
  QueueWorker,
  RReliableQueue,
  WaitingMessage,
} from './reliable-queue.api.js'
import { pollCount } from '../../collections/shared/polling.js'
import { ValueCodec } from '../../collections/shared/value-codec.js'
import { demandTurns } from '../../command/operation/command-executor.js'
import { demandFunction, demandName, wholeNumber } from '../../core/arguments/arguments.js'
import type { ValueSettings } from '../../core/arguments/object-settings.js'
import { ANY_NUMBER, known, optionsOf, refuseSurplus } from '../../core/arguments/options.js'
import { reliableQueueChannels, reliableQueueKeys, reliableQueueRates } from '../../core/context/names.js'
import type { ObjectContext } from '../../core/context/object-context.js'
import { partsTogether, sendParts } from '../../core/context/parts.js'
import { valuesOf } from '../../core/entries.js'
import {
  EXACTLY_ONCE,
  RedissonObject,
  type ObjectKeys,
  type ObjectKind,
  type WakeUp,
} from '../../core/redisson-object.js'
import { chunk } from '../../util/collections/chunk.js'
import { inspectWord } from '../../util/inspect-short.js'
import { sumOf } from '../../util/collections/sum-of.js'
import { demandId, readMessage } from './records.js'
import { consumeRequest, MOST_AT_ONCE, pollArguments, processRequest } from './poll-options.js'
import { Deliveries } from './deliveries.js'
import { durationOf, offerAllOf, offerOf } from './offer-options.js'
import { Offers } from './offers.js'
import { QueueCore, type DeliveryServices, type QueueLimits } from './queue-core.js'
import * as scripts from './reliable-queue.scripts.js'

const CANCEL = known<CancelOptions>({ reason: true, graceMs: true })
const RANGE = known<MessageRange>({ offset: true, count: true })

const STATES: Readonly<Record<MessageState, true>> = {
  ready: true,
  delayed: true,
  inFlight: true,
  heldBack: true,
  dead: true,
}

const GRACE_MS = 10_000

/** A queue of messages that are removed when their work has been acknowledged. */
export class RedissonReliableQueue<V> extends RedissonObject implements RReliableQueue<V> {
  static {
    refuseSurplus(this, {
      offer: 'offerAll() adds several values',
      offerOnce: 'offerAll() adds several values',
      offerAll: 'the values are one list',
      poll: ANY_NUMBER,
      consume: 'an iteration has one object of options',
      process: 'a worker has one object of options',
      peek: 'it has one count',
      get: 'it is one message',
      list: 'offset and count are options',
      remove: 'it is one message',
      cancel: 'it is one message',
      deadLetters: 'offset and count are options',
      redrive: 'the ids are one list',
    })
  }

  readonly #queue: QueueCore
  readonly #codec: ValueCodec<V>
  readonly #offers: Offers
  readonly #deliveries: Deliveries<V>

  constructor(
    context: ObjectContext,
    name: string,
    settings: ValueSettings<V>,
    limits: QueueLimits,
    services: () => DeliveryServices,
  ) {
    super(context, name, settings)
    this.#queue = new QueueCore(name, limits, this.requests, services)
    this.#codec = new ValueCodec(name, settings.codec, 'a message without content is null')
    this.#offers = new Offers(this.#queue)
    this.#deliveries = new Deliveries(this.#queue, this.#codec)
  }

  async offer(value: V, options?: OfferOptions): Promise<string> {
    const [id] = await this.#offers.add([this.#codec.encode(value)], offerOf(options))
    return id as string
  }

  async offerOnce(value: V, options?: OfferOptions): Promise<string> {
    const [id] = await this.#offers.add([this.#codec.encode(value)], offerOf(options), EXACTLY_ONCE)
    return id as string
  }

  async offerAll(values: Iterable<V>, options?: OfferAllOptions): Promise<string[]> {
    return await this.#offers.add(this.#codec.encodeAll(values), offerAllOf(options))
  }

  poll(options?: QueuePollOptions): Promise<Delivery<V> | undefined>
  poll(count: number, options?: QueuePollOptions): Promise<Delivery<V>[]>
  async poll(...given: readonly unknown[]): Promise<Delivery<V> | undefined | Delivery<V>[]> {
    const { count, request, patience } = pollArguments(given)
    demandTurns(this.requests, 'poll()')
    const deliveries = await this.#deliveries.take(request, patience)
    return count === undefined ? deliveries[0] : deliveries
  }

  consume(options?: ConsumeOptions): AsyncIterable<Delivery<V>, undefined> {
    const request = consumeRequest(options)
    demandTurns(this.requests, 'consume()')
    return this.#deliveries.consume(request)
  }

  process(handler: (delivery: Delivery<V>) => unknown, options?: ProcessOptions): QueueWorker<V> {
    demandFunction(handler, 'handler')
    const request = processRequest(options)
    demandTurns(this.requests, 'process()')
    return this.#deliveries.process(handler, request)
  }

  async size(): Promise<number> {
    const { ready, delayed, inFlight, heldBack } = await this.counts()
    return ready + delayed + inFlight + heldBack
  }

  async counts(): Promise<QueueCounts> {
    const counts = await this.requests.run(scripts.counts, { keys: this.#queue.keys, args: {} })
    const [ready, delayed, inFlight, dead, heldBack] = counts
    return { ready, delayed, inFlight, heldBack, dead }
  }

  async peek(count?: number): Promise<WaitingMessage<V>[]> {
    return await this.#list('ready', {
      offset: 0,
      count: pollCount(count === undefined ? 1 : count, MOST_AT_ONCE),
    })
  }

  async list(state: MessageState, range?: MessageRange): Promise<FoundMessage<V>[]> {
    demandState(state)
    const messages = await this.#list(state, rangeOf(range))
    return messages.map((message) => Object.assign(message, { state }))
  }

  async isEmpty(): Promise<boolean> {
    return (await this.size()) === 0
  }

  async get(id: string): Promise<FoundMessage<V> | undefined> {
    demandId(id)
    const found = await this.requests.run(scripts.get, { keys: this.#queue.keys, args: { id } })
    return found && Object.assign(readMessage(found, this.#codec), { state: found.state })
  }

  async remove(id: string): Promise<boolean> {
    return (await this.#remove(id, '', 0)) === 1
  }

  async cancel(id: string, options?: CancelOptions): Promise<boolean> {
    const { reason = 'cancelled', graceMs = GRACE_MS } = optionsOf<CancelOptions>(options, CANCEL)
    demandName('`reason` to be', reason)
    return (await this.#remove(id, reason, durationOf('graceMs', graceMs))) > 0
  }

  async deadLetters(range?: MessageRange): Promise<DeadLetter<V>[]> {
    const args = rangeOf(range)
    if (args.count === 0) return []
    const letters = await this.requests.run(scripts.deadLetters, { keys: this.#queue.keys, args })
    return letters.map((letter) => {
      const { failedAt, reason } = letter
      return Object.assign(readMessage(letter, this.#codec), { failedAt: new Date(failedAt), reason })
    })
  }

  async redrive(ids?: Iterable<string>): Promise<number> {
    if (ids === undefined) return await this.#redriveAll()
    const given = valuesOf('ids', ids)
    for (const id of given) demandId(id)
    const parts = chunk(given, MOST_AT_ONCE)
    const together = partsTogether(this.executor, parts)
    const moved = await sendParts(parts, (part) => this.#redrive(0, part), { together, changes: 'perhaps' })
    return sumOf(moved)
  }

  async clear(): Promise<number> {
    demandTurns(this.requests, 'clear()')
    const { ready, delayed, heldBack } = await this.counts()
    return await inPages(ready + delayed + heldBack, (count) => this.#clear('waiting', count))
  }

  async clearDeadLetters(): Promise<number> {
    demandTurns(this.requests, 'clearDeadLetters()')
    const { dead } = await this.counts()
    return await inPages(dead, (count) => this.#clear('dead', count))
  }

  protected override keysOf(key: string): ObjectKeys {
    const { ready, delayed, leases, dead, grouped, facts, dedups } = reliableQueueKeys(key)
    return [key, ready, delayed, leases, dead, grouped, facts, dedups, reliableQueueRates(key)]
  }

  protected override get kind(): ObjectKind {
    return 'hash'
  }

  protected override wakeUpOf(key: string): WakeUp {
    return { channel: reliableQueueChannels(key).messages, message: '1' }
  }

  async #list(
    state: MessageState,
    range: { readonly offset: number; readonly count: number },
  ): Promise<WaitingMessage<V>[]> {
    if (range.count === 0) return []
    const call = { keys: this.#queue.keys, args: { state, ...range } }
    const messages = await this.requests.run(scripts.list, call)
    return messages.map((message) => readMessage(message, this.#codec))
  }

  async #remove(id: string, reason: string, graceMs: number): Promise<number> {
    demandId(id)
    const { keys, channels, limits, space } = this.#queue
    const args = { id, reason, graceMs, cancels: channels.cancels, places: limits.places, space }
    return await this.requests.run(scripts.remove, { keys, args })
  }

  async #redriveAll(): Promise<number> {
    demandTurns(this.requests, 'redrive() of all')
    const { dead } = await this.counts()
    return await inPages(dead, (count) => this.#redrive(count, []))
  }

  #clear(what: 'waiting' | 'dead', count: number): Promise<number> {
    const { keys, limits, space } = this.#queue
    return this.requests.run(scripts.clear, { keys, args: { what, count, places: limits.places, space } })
  }

  #redrive(count: number, ids: readonly string[]): Promise<number> {
    const { keys, limits } = this.#queue
    return this.requests.run(scripts.redrive, { keys, args: { count, places: limits.places, ids } })
  }
}

function rangeOf(range: MessageRange | undefined): { readonly offset: number; readonly count: number } {
  const { offset = 0, count = 100 } = optionsOf<MessageRange>(range, RANGE)
  return { offset: wholeNumber('offset', offset, 0), count: pollCount(count, MOST_AT_ONCE) }
}

/** @throws RangeError for a state that does not exist */
function demandState(state: MessageState): void {
  if (Object.hasOwn(STATES, state)) return
  throw new RangeError(
    `Expected \`state\` to be one of ${Object.keys(STATES).join(', ')}, got ${inspectWord(state)}`,
  )
}

/** Does with one request after the other what is about some number of messages. Returns how many there were. */
async function inPages(count: number, request: (count: number) => Promise<number>): Promise<number> {
  let done = 0
  for (let left = count; left > 0; left -= MOST_AT_ONCE) done += await request(Math.min(left, MOST_AT_ONCE))
  return done
}
