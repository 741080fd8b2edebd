import type { ListenOptions, Subscription } from './subscription.api.js'
import { ChannelMap } from '../../connection/messages/channel-map.js'
import type { Channel } from '../../connection/connection.js'
import { listenTo, type ListeningServices, type Receiver } from '../../pubsub/channel-subscription.js'

/** A listener of messages, as the program has given it. */
type Listener = (...args: never[]) => unknown

/** A listener that was added to a channel. */
interface Added {
  readonly listener: Listener
  subscription: Promise<Subscription> | undefined
}

/** The listeners that the topics of a client have now, by channel. */
export class TopicListeners {
  readonly #services: ListeningServices
  readonly #added = new ChannelMap<Set<Added>>()

  constructor(services: ListeningServices) {
    this.#services = services
  }

  /** Adds a listener. Resolves once Redis has confirmed it. */
  async add<M>(
    channel: Channel,
    receiver: Pick<Receiver<M>, 'decode' | 'receive'>,
    listener: Listener,
    options: ListenOptions,
  ): Promise<Subscription> {
    const added: Added = { listener, subscription: undefined }
    const forget = () => {
      this.#forget(channel, added)
    }
    this.#remember(channel, added)
    try {
      added.subscription = listenTo(this.#services, channel, { ...receiver, ended: forget }, options)
      return await added.subscription
    } catch (error) {
      forget()
      throw error
    }
  }

  /** Ends the listeners of a channel, or those with this function. */
  async remove(channel: Channel, listener?: Listener): Promise<void> {
    const ended = Array.from(this.#added.get(channel) ?? [])
      .filter((added) => listener === undefined || added.listener === listener)
      .map(async ({ subscription }) => {
        const confirmed = await subscription?.catch(() => undefined) // the call that adds it rejects with the reason
        await confirmed?.unsubscribe()
      })
    await Promise.all(ended)
  }

  count(channel: Channel): number {
    return this.#added.get(channel)?.size ?? 0
  }

  #remember(channel: Channel, added: Added): void {
    const all = this.#added.get(channel) ?? new Set()
    all.add(added)
    this.#added.set(channel, all)
  }

  #forget(channel: Channel, added: Added): void {
    const all = this.#added.get(channel)
    all?.delete(added)
    if (all?.size === 0) this.#added.delete(channel)
  }
}
