import type { LockContext } from '../../core/context/object-context.js'
import type { Subscription } from '../../pubsub/subscriptions.js'
import { AutoResetEvent } from '../../util/auto-reset-event.js'

/** What is published where a queue was deleted, renamed or replaced: whoever waits has to look. */
export const LOOK = '1'

/** The hand-off of one element. */
export class Handover extends AutoResetEvent {
  /** Whether a message has said that the element is taken. */
  isDone = false
}

/** The hand-offs of one queue that this client waits for, by the ids of their elements. */
interface QueueHandovers {
  readonly waiting: Map<string, Handover>
  readonly subscription: Subscription
}

/** The hand-offs that this client waits for. Those of a queue share one listener of its channel. */
export class Handovers {
  readonly #subscriptions: LockContext['subscriptions']
  readonly #queues = new Map<string, QueueHandovers>()

  constructor({ subscriptions }: Pick<LockContext, 'subscriptions'>) {
    this.#subscriptions = subscriptions
  }

  /** @param id - of the element */
  join(channel: string, id: string): Handover {
    const queue = this.#queues.get(channel) ?? this.#open(channel)
    const handover = new Handover()
    queue.waiting.set(id, handover)
    return handover
  }

  leave(channel: string, id: string): void {
    const queue = this.#queues.get(channel)
    if (queue?.waiting.delete(id) !== true || queue.waiting.size > 0) return
    this.#queues.delete(channel)
    queue.subscription.leave()
  }

  #open(channel: string): QueueHandovers {
    const waiting = new Map<string, Handover>()
    const lookAll = () => {
      for (const handover of waiting.values()) handover.set()
    }
    const message = (payload: Buffer) => {
      const text = payload.toString()
      if (text === LOOK) lookAll()
      else for (const id of text.split(' ')) done(waiting.get(id))
    }
    const refused = () => undefined // it is looked at again every few seconds
    const listener = { message, subscribed: lookAll, gap: lookAll, refused }
    const subscription = this.#subscriptions.joinAnnouncements(channel, listener)
    const queue = { waiting, subscription }
    this.#queues.set(channel, queue)
    return queue
  }
}

function done(handover: Handover | undefined): void {
  if (handover === undefined) return
  handover.isDone = true
  handover.set()
}
