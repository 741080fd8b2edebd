import { ChannelMap } from '../connection/messages/channel-map.js'
import type { Channel, Subscriber } from '../connection/connection.js'

/** A listener of a channel. Each method is called while the connection is read, in the order in which Redis has sent it. */
export interface ChannelListener {
  /**
   * A message arrived.
   *
   * @param name - the channel where it was published, which a pattern does not contain
   */
  message(payload: Buffer, name: string): void
  /** Redis has confirmed the channel for the first time, if that was not so when the listener joined. */
  subscribed(): void
  /** Redis has confirmed it again after an interruption, during which messages may have been missed. Later ones follow this. */
  gap(): void
  /** Messages may be missed from now on, until a gap. The subscription ends at once if its last listener leaves now. */
  interrupted?(): void
  /** Redis refuses the channel, which is over with this. */
  refused(error: Error): void
}

/** One listener's part in a channel. */
export interface Subscription {
  /** Whether Redis has confirmed the channel, even if it is interrupted now. */
  readonly confirmed: boolean
  /** Whether every message arrives now. */
  readonly standing: boolean
  /** Why Redis has not confirmed it, where it said so or cannot be reached. */
  readonly refusal: Error | undefined
  leave(): void
}

/** A channel, and all its listeners. */
interface SharedChannel {
  readonly channel: Channel
  confirmed: boolean
  standing: boolean
  readonly members: Set<Member>
}

/** Shares channels: one is subscribed for its first listener and unsubscribed soon after its last. */
export class Subscriptions {
  readonly #subscriber: Subscriber
  readonly #channels = new ChannelMap<SharedChannel>()
  /** The waiters until it is known of which kind their channels are, and the names of these. */
  readonly #early = new Map<Member, string>()

  constructor(subscriber: Subscriber) {
    this.#subscriber = subscriber
    subscriber.listen({
      announcementsKnown: () => {
        this.#joinEarly()
      },
      message: (channel, payload, name) => {
        for (const { listener } of this.#membersOf(channel)) listener.message(payload, name)
      },
      subscribed: (channel) => {
        this.#confirm(channel)
      },
      interrupted: (channel) => {
        this.#interrupt(channel)
      },
      refused: (channel, error) => {
        this.#refuse(channel, error)
      },
    })
  }

  /** The kind of channels at which scripts announce changes; undefined until it is known, by the first reply at the latest. */
  get announcements(): Exclude<Channel['kind'], 'pattern'> | undefined {
    return this.#subscriber.announcements
  }

  /** Listens to a channel, which is subscribed before this returns. */
  join(channel: Channel, listener: ChannelListener): Subscription {
    const member = this.#newMember(listener)
    this.#enter(member, channel)
    return member
  }

  /** Listens to a channel at which scripts announce changes, as soon as it is known of which kind it is. */
  joinAnnouncements(name: string, listener: ChannelListener): Subscription {
    const kind = this.#subscriber.announcements
    if (kind !== undefined) return this.join({ kind, name }, listener)
    const member = this.#newMember(listener)
    this.#early.set(member, name)
    return member
  }

  #newMember(listener: ChannelListener): Member {
    return new Member(this.#subscriber, listener, (member) => {
      this.#leave(member)
    })
  }

  #joinEarly(): void {
    const kind = this.#subscriber.announcements
    if (kind === undefined) return
    for (const [member, name] of this.#early) this.#enter(member, { kind, name })
    this.#early.clear()
  }

  #enter(member: Member, channel: Channel): void {
    const known = this.#channels.get(channel)
    const shared = known ?? { channel, confirmed: false, standing: false, members: new Set() }
    shared.members.add(member)
    member.enter(shared)
    if (known !== undefined) return
    this.#channels.set(channel, shared)
    this.#subscriber.subscribe(channel)
  }

  #confirm(channel: Channel): void {
    const shared = this.#channels.get(channel)
    if (shared === undefined) return
    shared.confirmed = shared.standing = true
    for (const member of this.#membersOf(channel)) member.tellConfirmed()
  }

  #interrupt(channel: Channel): void {
    const shared = this.#channels.get(channel)
    if (shared === undefined) return
    shared.standing = false
    for (const { listener } of this.#membersOf(channel)) listener.interrupted?.()
    this.#endIfUnused(shared)
  }

  #refuse(channel: Channel, error: Error): void {
    const members = this.#membersOf(channel)
    const shared = this.#channels.get(channel)
    if (shared !== undefined) shared.standing = false
    this.#channels.delete(channel) // so that the next to come asks again
    for (const { listener } of members) listener.refused(error)
  }

  /** The subscription ends a moment later: a listener that leaves has what it waited for, and is not held up by that. */
  #leave(member: Member): void {
    this.#early.delete(member)
    const { shared } = member
    if (shared?.members.delete(member) === true && shared.members.size === 0)
      setImmediate(() => {
        this.#endIfUnused(shared)
      })
  }

  #endIfUnused(shared: SharedChannel): void {
    const { channel, members } = shared
    if (members.size > 0 || this.#channels.get(channel) !== shared) return
    this.#channels.delete(channel)
    this.#subscriber.unsubscribe(channel)
  }

  /** A copy, because listeners come and go while they are notified. */
  #membersOf(channel: Channel): Member[] {
    return [...(this.#channels.get(channel)?.members ?? [])]
  }
}

/** A listener of a channel. */
class Member implements Subscription {
  readonly listener: ChannelListener
  readonly #subscriber: Subscriber
  readonly #onLeave: (member: Member) => void
  #shared: SharedChannel | undefined
  /** Whether messages have arrived for it before, so that it may have missed some when the channel is confirmed again. */
  #begun = false

  constructor(subscriber: Subscriber, listener: ChannelListener, onLeave: (member: Member) => void) {
    this.#subscriber = subscriber
    this.listener = listener
    this.#onLeave = onLeave
  }

  /** Undefined until it is known of which kind the channel is. */
  get shared(): SharedChannel | undefined {
    return this.#shared
  }

  get confirmed(): boolean {
    return this.#shared?.confirmed === true
  }

  get standing(): boolean {
    return this.#shared?.standing === true
  }

  get refusal(): Error | undefined {
    return this.#shared && this.#subscriber.refusalOf(this.#shared.channel)
  }

  enter(shared: SharedChannel): void {
    this.#shared = shared
    this.#begun = shared.standing
  }

  tellConfirmed(): void {
    if (this.#begun) {
      this.listener.gap()
      return
    }
    this.#begun = true
    this.listener.subscribed()
  }

  leave(): void {
    this.#onLeave(this)
  }
}
