import type { LockContext } from '../../core/context/object-context.js'
import type { Subscription } from '../../pubsub/subscriptions.js'
import { AutoResetEvent } from '../../util/auto-reset-event.js'

/** What is published where a queue was deleted, renamed or replaced: whoever waits has to look. */
export const LOOK = '1'

/** Listens for the hand-off of one element. */
export class Handover extends AutoResetEvent {
  #isDone = false
  readonly #subscription: Subscription

  /** @param id - of the element */
  constructor({ subscriptions }: Pick<LockContext, 'subscriptions'>, channel: string, id: string) {
    super()
    const look = () => {
      this.set()
    }
    const message = (payload: Buffer) => {
      this.#isDone ||= payload.includes(id)
      if (this.#isDone || payload.toString() === LOOK) look()
    }
    const refused = () => undefined // it is looked at again every few seconds
    this.#subscription = subscriptions.joinAnnouncements(channel, {
      message,
      subscribed: look,
      gap: look,
      refused,
    })
  }

  /** Whether a message has said so. */
  get isDone(): boolean {
    return this.#isDone
  }

  leave(): void {
    this.#subscription.leave()
  }
}
