import type { Argument } from '../../connection/connection.js'
import { demandTurns, type RunOptions } from '../../command/operation/command-executor.js'
import type { Patience } from '../../core/arguments/arguments.js'
import { IN_TURN, sendParts } from '../../core/context/parts.js'
import { demandReachable, endOfWaiting } from '../../core/context/still-wanted.js'
import { chunk } from '../../util/collections/chunk.js'
import { RECHECK_MS } from '../../waiting/recheck.js'
import { QueuedWaiter, WaitQueue } from '../../waiting/wait-queue.js'
import type { Attempt } from '../../waiting/wait-until.js'
import type { Offer } from './offer-options.js'
import type { QueueCore } from './queue-core.js'
import { recordOf } from './records.js'
import { QueueFullError } from '../shared/queue.errors.js'
import * as scripts from './reliable-queue.scripts.js'

/** How many messages one request adds. */
const MOST_TOGETHER = 1_000

const wakeOne = (): number => 1

/** At once: there may be more room. */
const atOnce = (): undefined => undefined

/** Adds messages to one queue. */
export class Offers {
  readonly #queue: QueueCore

  constructor(queue: QueueCore) {
    this.#queue = queue
  }

  /** Returns the ids of the messages, in the order of their values. One that was dropped has that of the message which is there. */
  async add(values: readonly Argument[], offer: Offer, options?: RunOptions): Promise<string[]> {
    offer.patience.signal?.throwIfAborted()
    if (offer.patience.waitMs > 0) demandTurns(this.#queue.requests, 'Waiting for room')
    const bodies = values.map((value) => recordOf(offer.prefix, value))
    const parts = chunk(bodies, MOST_TOGETHER)
    const { capacity } = this.#queue.limits
    if (capacity > 0 && parts.some(({ length }) => length > capacity))
      throw new RangeError(
        `Expected as many values as the capacity, ${capacity}, or less, got ${values.length}`,
      )
    const together = this.#queue.requests.isBatch ? Math.max(1, parts.length) : 1
    const ids = await sendParts(parts, (part) => this.#addPart(part, offer, options), {
      ...IN_TURN,
      together,
    })
    return ids.flat()
  }

  async #addPart(bodies: readonly Buffer[], offer: Offer, options?: RunOptions): Promise<string[]> {
    const last = await this.#ask(bodies, offer, options)
    if (last !== 0) return idsTo(last, bodies.length)
    const waited = offer.patience.waitMs > 0 ? await this.#wait(bodies, offer, options) : undefined
    if (waited !== undefined) return idsTo(waited, bodies.length)
    throw new QueueFullError({
      queue: this.#queue.name,
      capacity: this.#queue.limits.capacity,
      waitMs: offer.patience.waitMs,
    })
  }

  /** Waits for room; returns undefined if there is none in time. */
  async #wait(bodies: readonly Buffer[], offer: Offer, options?: RunOptions): Promise<number | undefined> {
    const { context, waiters } = this.#queue.services
    const { space, channels } = this.#queue
    const { messages } = channels // a queue that is deleted says so there
    const { deadline, signal }: Patience = offer.patience
    const attempt = async (): Promise<Attempt<number>> => {
      const last = await this.#ask(bodies, offer, options)
      return last === 0 ? { done: false, retryInMs: RECHECK_MS } : { done: true, value: last }
    }
    const waiter = { deadline, signal: endOfWaiting(context, signal), attempt, retryNextInMs: atOnce }
    const open = () =>
      new WaitQueue(context.config, () => context.wakeUps.joinAll([space, messages], wakeOne))
    const added = await waiters.join(space, open, (line) => line.wait(new QueuedWaiter(), waiter))
    if (added === undefined) demandReachable(context)
    return added
  }

  #ask(bodies: readonly Buffer[], { args }: Offer, options?: RunOptions): Promise<number> {
    const { keys, limits, requests } = this.#queue
    const call = { keys, args: { ...args, capacity: limits.capacity, places: limits.places, bodies } }
    return requests.run(scripts.offer, call, options)
  }
}

/** The ids of as many messages, of which the last one is given; of one that was dropped, that of the message which is there. */
function idsTo(last: number, count: number): string[] {
  if (last < 0) return [String(-last)]
  return Array.from({ length: count }, (_, index) => String(last - count + 1 + index))
}
