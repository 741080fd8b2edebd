import type { Codec } from '../../api/codec.js'
import type { ObjectEvent, ObjectListener, RExpirable } from '../../api/object.js'
import type { ListenOptions, Subscription, SubscriptionEvents } from '../shared/subscription.api.js'

/** What is known of a message that a listener gets. */
export interface MessageDelivery {
  /** The id of the message in its stream, such as `1700000000000-0`. Ids grow. */
  readonly id: string
  /** When it was published, by the clock of the server. */
  readonly publishedAt: Date
  /** How often it was delivered to this subscriber, with this time: 1 for the first. It may count one too few after a crash or a lost reply. */
  readonly deliveries: number
  /** Aborts when the subscription ends, and when another process may have become active for the subscriber. */
  readonly signal: AbortSignal
}

/**
 * Takes a message of a reliable topic.
 *
 * The message is acknowledged when this has returned, and its promise is fulfilled. The next message comes after that. When it throws or rejects, the
 * message is delivered again: see {@link ReliableListenOptions}.
 */
export type ReliableListener<M> = (message: M, delivery: MessageDelivery) => unknown

/**
 * Where a new subscriber begins: with all messages that are still there, with those that are published from now on, with those since a moment, or with the
 * one after an id. A moment is a `Date` or a number of milliseconds since 1970. One in the future means now.
 */
export type StartPosition = 'beginning' | 'now' | Date | number | `${number}-${number}`

/** Options of a subscriber. */
export interface ReliableListenOptions extends ListenOptions {
  /**
   * The name of a subscriber that lasts: its place survives restarts, and messages are kept for it until it acknowledges them. Any number of processes may
   * listen with the same name. One of them is active, and another one takes over when it ends.
   *
   * @defaultValue a subscriber of its own, which ends with the subscription
   */
  readonly subscriber?: string | undefined
  /**
   * Where the subscriber begins. One that exists already goes on where it was.
   *
   * @defaultValue 'beginning'
   */
  readonly from?: StartPosition | undefined
  /**
   * How often a message is delivered at most, from 1; `Infinity` for as often as needed. One whose listener has failed as often is given up.
   * A message that was read and not passed to the listener before `unsubscribe()` does not count as delivered.
   *
   * @defaultValue 5
   */
  readonly maxDeliveries?: number | undefined
  /**
   * How long after a failure a message is delivered again, in milliseconds: a number, or a function of how often it was delivered. The messages behind it wait.
   * The default applies where the function throws or returns no such number, which is reported by `error`.
   *
   * @defaultValue 1 s after the first failure, twice as long after each other one, but no more than a minute
   */
  readonly retryDelayMs?: number | ((deliveries: number) => number) | undefined
  /**
   * The name of a reliable topic that gets the messages that are given up. In a cluster it has to be in the same slot.
   *
   * @defaultValue none: they are dropped
   */
  readonly deadLetterTopic?: string | undefined
}

/** A message that was given up. */
export interface DroppedMessage {
  /** Its id. */
  readonly id: string
  /** How often it was delivered. */
  readonly deliveries: number
  /** `unreadable` if the codec cannot read it, `deliveries` if its listener has failed too often, or its process has ended meanwhile. */
  readonly reason: 'unreadable' | 'deliveries'
  /** The name of the reliable topic that has it now; undefined if there is none. */
  readonly deadLetterTopic: string | undefined
}

/** What a {@link ReliableSubscription} reports, by the name of the event. */
export interface ReliableSubscriptionEvents extends SubscriptionEvents {
  /**
   * Messages may have been missed: the subscriber was removed, by {@link RReliableTopic.removeSubscriber}, with the topic, or because its process did not renew
   * it in time. It goes on where it was, with what is still there.
   */
  gap: undefined
  /**
   * The function that takes messages has thrown or rejected, a message could not be read, or none can be read for now. The subscription goes on. Without a
   * listener the first is an uncaught exception, and the others are warnings of the process.
   */
  error: Error
  /** A message was given up, and is acknowledged. */
  dropped: DroppedMessage
}

/** A listener of a reliable topic. It lasts until it is ended, through reconnects, failovers and moved slots. */
export interface ReliableSubscription extends AsyncDisposable {
  /**
   * Ends it. No listener is called any more. A subscriber without a name is removed. One with a name stays, and another process may become active for it
   * as soon as a listener that runs now has ended, for which this does not wait. A second call has no effect. Never rejects.
   */
  unsubscribe(): Promise<void>
  /** Adds a listener of an event. */
  on<K extends keyof ReliableSubscriptionEvents>(
    event: K,
    listener: (event: ReliableSubscriptionEvents[K]) => void,
  ): this
  /** Ends what {@link ReliableSubscription.on} began. */
  off<K extends keyof ReliableSubscriptionEvents>(
    event: K,
    listener: (event: ReliableSubscriptionEvents[K]) => void,
  ): this
}

/**
 * A topic whose messages are stored until each subscriber has acknowledged them. All clients of the same servers share it, in Node and in Java.
 *
 * The messages are a stream of Redis, and each subscriber has its own place in it. So a subscriber that is slow, loses its connection or restarts misses
 * nothing, and holds up no other. Messages come one by one, in the order in which Redis has received them. Each is delivered once, and again after a crash, a
 * failover or an error: listeners have to bear that.
 *
 * A listener without a name is a subscriber of its own. It begins with all that is still there, and ends with its process: a process that was killed is
 * removed after `reliableTopicWatchdogTimeout`. A named subscriber lasts until {@link RReliableTopic.removeSubscriber}, and so do
 * the messages that it has not acknowledged.
 *
 * Messages that all subscribers have acknowledged are removed, unless {@link RReliableTopic.setHistory} keeps them. While there is no subscriber, messages stay
 * for the first to come.
 *
 * Any number of subscriptions wait over the same two connections. `publish()` can be part of a batch, so that a message is
 * published in one step with other changes. Listening is not for batches: it rejects with a {@link NotInBatchError}.
 *
 * @example
 * ```ts
 * const orders = client.getReliableTopic<{ id: number }>('orders:placed')
 * await using billing = await orders.addListener(({ id }) => console.log(id), { subscriber: 'billing' })
 * await orders.publish({ id: 7 })
 * ```
 */
export interface RReliableTopic<M> extends RExpirable {
  /** The codec of the messages. */
  readonly codec: Codec<M>

  /**
   * Stores a message. Returns how many subscribers the topic has. One round trip; O(n) for n subscribers.
   *
   * It is sent once. If its reply is lost, the call rejects, and its error has `mayHaveRun`, unless the topic was made with `exactlyOnce`.
   *
   * @param message - anything that the codec can write, but `undefined`
   * @throws TypeError for `undefined`
   * @throws {@link CodecError} if the codec cannot write the message; nothing is sent then
   */
  publish(message: M): Promise<number>

  /** Adds a listener of an event of the object. See {@link RObject.addListener}. */
  addListener(event: ObjectEvent, listener: ObjectListener, options?: ListenOptions): Promise<Subscription>
  /**
   * Adds a subscriber. Resolves when Redis has its place: each message that is published from then on reaches the listener.
   *
   * @param listener - takes the messages
   * @throws TypeError or RangeError for options that are unknown or wrong
   * @throws {@link WrongTypeError} if the name belongs to another kind of object
   * @throws {@link ClientClosedError} if the client is shut down before
   */
  addListener(listener: ReliableListener<M>, options?: ReliableListenOptions): Promise<ReliableSubscription>

  /** Ends the subscriptions with this function, that this client has made by any object of the same name. Named subscribers stay. */
  removeListener(listener: ReliableListener<M>): Promise<void>

  /** Ends all subscriptions of this client to the topic, as {@link RReliableTopic.removeListener} does. */
  removeAllListeners(): Promise<void>

  /** Returns how many subscriptions this client has to the topic, with those that are added now. Nothing is sent. */
  countListeners(): number

  /**
   * Returns how many subscribers there are, without those whose process did not renew them in time. A named one counts also while no process listens. One round
   * trip; O(n) for n subscribers.
   */
  countSubscribers(): Promise<number>

  /** Returns how many messages are stored. O(1). */
  size(): Promise<number>

  /**
   * Moves a named subscriber: messages that are still there are delivered again, or skipped. Returns whether there is one of that name. A process that is active for
   * it goes on there after the message that it has now, at the latest within five seconds.
   */
  seek(subscriber: string, from: StartPosition): Promise<boolean>

  /**
   * Removes a named subscriber, with its place. Returns whether there was one. A process that listens with this name makes it anew: end that first.
   */
  removeSubscriber(subscriber: string): Promise<boolean>

  /**
   * Sets for how long messages are kept that all subscribers have acknowledged, for subscribers that come later. Older ones are removed also while there is
   * no subscriber. Redisson for Java counts this as one more subscriber, and keeps these messages as well.
   *
   * @param keepMs - milliseconds; 0 for not at all, as it is without this call
   * @throws RangeError for a number below 0, and for one that is not whole
   */
  setHistory(keepMs: number): Promise<void>

  /** Returns what {@link RReliableTopic.setHistory} has set; 0 if nothing was. */
  getHistory(): Promise<number>
}
