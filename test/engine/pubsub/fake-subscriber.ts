import { ChannelMap } from '../../../src/connection/messages/channel-map.js'
import type {
  Channel,
  ChannelKind,
  Subscriber,
  SubscriberListener,
} from '../../../src/connection/connection.js'

/** A channel; those of a name alone are plain. */
export type ChannelOrName = Channel | string

const MARKS: Readonly<Record<ChannelKind, string>> = { plain: '', pattern: 'pattern:', sharded: 'sharded:' }

/** A subscriber that records what it is asked, and receives what the test wants. */
export class FakeSubscriber implements Subscriber {
  announcements: Subscriber['announcements'] = 'plain'
  /** What was asked, in order: `+` for a subscription, `-` for its end. */
  readonly asked: string[] = []
  readonly #refusals = new ChannelMap<Error>()
  #listener: SubscriberListener | undefined

  listen(listener: SubscriberListener): void {
    this.#listener = listener
  }

  subscribe(channel: Channel): void {
    this.asked.push(`+${MARKS[channel.kind]}${channel.name}`)
  }

  unsubscribe(channel: Channel): void {
    this.asked.push(`-${MARKS[channel.kind]}${channel.name}`)
  }

  refusalOf(channel: Channel): Error | undefined {
    return this.#refusals.get(channel)
  }

  /** It is known now by which kind of channels changes are announced. */
  announceBy(kind: 'plain' | 'sharded'): void {
    this.announcements = kind
    this.#listener?.announcementsKnown()
  }

  /** Redis has confirmed channels, for the first time or after an interruption. */
  confirm(...channels: readonly ChannelOrName[]): void {
    for (const channel of channels) this.#listener?.subscribed(channelOf(channel))
  }

  /** Channels are not subscribed any more for now. */
  interrupt(...channels: readonly ChannelOrName[]): void {
    for (const channel of channels) this.#listener?.interrupted(channelOf(channel))
  }

  /** Redis refuses a channel for now. */
  delay(channel: ChannelOrName, error: Error): void {
    this.#refusals.set(channelOf(channel), error)
  }

  /** Redis refuses a channel for good. */
  refuse(channel: ChannelOrName, error: Error): void {
    this.#listener?.refused(channelOf(channel), error)
  }

  /** A message arrives. */
  message(channel: ChannelOrName, payload: string | Buffer, name?: string): void {
    const where = channelOf(channel)
    this.#listener?.message(where, Buffer.from(payload), name ?? where.name)
  }
}

function channelOf(channel: ChannelOrName): Channel {
  return typeof channel === 'string' ? { kind: 'plain', name: channel } : channel
}
