import type { Subscriber } from '../connection/connection.js'

/** Who listens to a channel. */
export interface ChannelListener {
  message(message: string): void
  /** The channel was not listened to for a while, and is again. */
  resumed(): void
}

/** One listener's part in a channel. */
export interface Subscription {
  /** Resolves when Redis has confirmed; rejects when it refuses. */
  readonly confirmed: Promise<void>
  leave(): void
}

interface Channel {
  readonly confirmed: Promise<void>
  readonly listeners: Set<ChannelListener>
}

/** Shares channels: one is subscribed for its first listener and unsubscribed soon after its last. */
export class Subscriptions {
  readonly #subscriber: Subscriber
  readonly #channels = new Map<string, Channel>()

  constructor(subscriber: Subscriber) {
    this.#subscriber = subscriber
    subscriber.listen({
      message: (name, message) => {
        for (const listener of this.#listenersOf(name)) listener.message(message)
      },
      resumed: (names) => {
        for (const name of names) for (const listener of this.#listenersOf(name)) listener.resumed()
      },
    })
  }

  join(name: string, listener: ChannelListener): Subscription {
    const channel = this.#channels.get(name) ?? this.#open(name)
    channel.listeners.add(listener)
    return {
      confirmed: channel.confirmed,
      leave: () => {
        this.#leave(name, channel, listener)
      },
    }
  }

  #open(name: string): Channel {
    const channel: Channel = { confirmed: this.#subscriber.subscribe(name), listeners: new Set() }
    this.#channels.set(name, channel)
    channel.confirmed.catch(() => {
      if (this.#channels.get(name) === channel) this.#channels.delete(name) // so that the next to come asks again
    })
    return channel
  }

  /** The subscription ends a moment later: whoever leaves has what it waited for, and should not be kept by that. */
  #leave(name: string, channel: Channel, listener: ChannelListener): void {
    if (channel.listeners.delete(listener) && channel.listeners.size === 0)
      setImmediate(() => {
        this.#endIfUnused(name, channel)
      })
  }

  #endIfUnused(name: string, channel: Channel): void {
    if (channel.listeners.size > 0 || this.#channels.get(name) !== channel) return
    this.#channels.delete(name)
    this.#subscriber.unsubscribe(name)
  }

  /** A copy, because listeners come and go while they are told. */
  #listenersOf(name: string): ChannelListener[] {
    return [...(this.#channels.get(name)?.listeners ?? [])]
  }
}
