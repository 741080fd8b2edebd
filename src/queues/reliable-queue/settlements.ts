import type { QueueCore } from './queue-core.js'
import { memberOf, type HeldDelivery } from './held-delivery.js'
import type { Acknowledged } from './acknowledgements.js'
import * as scripts from './reliable-queue.scripts.js'

/** How a delivery has failed. */
export interface Failure {
  readonly reason: string
  readonly delayMs: number
  /** Whether the message becomes a dead letter in any case. */
  readonly isFinal: boolean
}

/** What {@link scripts.fail} returns for a message that is a dead letter. */
const DEAD = 2

const NOT_ACK = { isAck: false }

/** Ends deliveries of one queue. */
export class Settlements {
  readonly #queue: QueueCore

  constructor(queue: QueueCore) {
    this.#queue = queue
  }

  /** The signal of the client. */
  get client(): AbortSignal {
    return this.#queue.services.context.closing
  }

  async acknowledge(held: HeldDelivery): Promise<void> {
    const { acknowledgements } = this.#queue.services
    const { message } = held
    const delivery = { member: memberOf(message), group: message.facts.group, dedup: message.facts.dedup }
    const send = (all: readonly Acknowledged[]) => this.#acknowledge(all)
    await held.settle(() => acknowledgements.join(this.#queue.requests.key, delivery, send), {
      isAck: true,
    })
  }

  async fail(held: HeldDelivery, { reason, delayMs, isFinal }: Failure): Promise<void> {
    const { limits, space, services } = this.#queue
    const args = {
      delivery: memberOf(held.message),
      final: isFinal ? 1 : 0,
      reason,
      delayMs,
      most: limits.maxDeliveries,
      places: limits.places,
      space,
    }
    await held.settle(async () => {
      const call = { keys: this.#queue.newKeys(), args }
      const outcome = await services.context.ahead.run(scripts.fail, call, { remember: true })
      held.isDead = outcome === DEAD
      return outcome > 0
    }, NOT_ACK)
  }

  async release(held: HeldDelivery): Promise<void> {
    await held.settle(async () => {
      await this.giveBack([memberOf(held.message)])
      return true // one that was lost comes again as well
    }, NOT_ACK)
  }

  /** Gives back what is not handed out. Never rejects: what cannot be given back comes again when its lease ends. */
  async releaseAll(all: readonly HeldDelivery[]): Promise<void> {
    await Promise.all(
      all.map((held) =>
        this.release(held).catch(() => {
          held.abandon()
        }),
      ),
    )
  }

  /** Gives messages back, as if they had not been delivered. */
  async giveBack(deliveries: readonly string[]): Promise<void> {
    const { keys, limits, space, services } = this.#queue
    const call = { keys, args: { places: limits.places, space, deliveries } }
    await services.context.ahead.run(scripts.release, call)
  }

  async #acknowledge(all: readonly Acknowledged[]): Promise<readonly boolean[]> {
    const { limits, space, services } = this.#queue
    const isPlain = all.every(({ group, dedup }) => group === '' && dedup === '')
    const args = {
      members: all.map(({ member }) => member).join(' '),
      labels: isPlain ? '' : JSON.stringify(all.map(({ group, dedup }) => [group, dedup])),
      places: limits.places,
      space,
    }
    const call = { keys: this.#queue.newKeys(), args }
    const held = await services.context.ahead.run(scripts.acknowledge, call, { remember: true })
    return all.map((_, index) => held[index] === '1')
  }
}
