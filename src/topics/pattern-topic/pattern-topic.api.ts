import type { Codec } from '../../api/codec.js'
import type { ListenOptions, MessagesOptions, Subscription } from '../shared/subscription.api.js'
import type { MessageListener } from '../topic/topic.api.js'

/** A message, and where it was published. */
export interface PatternMessage<M> {
  /** The name of the topic. */
  readonly channel: string
  /** What was published. */
  readonly message: M
}

/**
 * All topics whose names match a pattern, where `*` stands for any text, `?` for one character, and `[ab]` for one of those; `\` before one
 * of them takes its meaning away.
 *
 * As in Java, the pattern is matched with the names that topics have in Redis, and a `nameMapper` is not applied to it. Channels are
 * reported by the names that topics have in the program. Sharded topics match no pattern. Messages of one topic come in their order; those of
 * different topics have none.
 *
 * In a cluster every node knows all messages of topics, but only its own events of keys (`__keyevent@0__:*`).
 *
 * @example
 * ```ts
 * const topics = client.getPatternTopic<{ id: number }>('orders.*')
 * const subscription = await topics.addListener(({ id }, channel) => console.log(channel, id))
 * await client.getTopic('orders.new').publish({ id: 7 })
 * await subscription.unsubscribe()
 * ```
 */
export interface RPatternTopic<M> {
  /** The pattern. */
  readonly pattern: string
  /** The codec of the messages. */
  readonly codec: Codec<M>

  /**
   * Adds a listener that is called with each message and the name of its topic. Resolves once Redis has
   * confirmed the subscription: messages that are published from then on arrive.
   *
   * A message that the codec cannot read is an `error` of the {@link Subscription}, and does not reach the
   * listener.
   *
   * @throws {@link SubscriptionTimeoutError} if Redis does not confirm it in time
   * @throws {@link CommandError} if this user has no right to the pattern
   * @throws {@link ClientClosedError} if the client is shut down before
   */
  addListener(listener: MessageListener<M>, options?: ListenOptions): Promise<Subscription>

  /**
   * Iterates over the messages, each with the name of its topic. It subscribes when the first one is requested, and until the loop
   * ends.
   *
   * The loop throws the reason of its signal, and a {@link ClientClosedError} when the client is shut down.
   * It throws a {@link MessageOverflowError} if it is too slow, and a {@link CodecError} at a message that it
   * cannot read.
   *
   * @example
   * ```ts no-run
   * for await (const { channel, message } of client.getPatternTopic('orders.*').messages()) console.log(channel, message)
   * ```
   */
  messages(options?: MessagesOptions): AsyncIterable<PatternMessage<M>>

  /**
   * Ends the listeners with this function, that this client has added to the pattern by any object. Those that are added now end as well,
   * once they are confirmed.
   */
  removeListener(listener: MessageListener<M>): Promise<void>

  /** Ends all listeners of this client to the pattern, as {@link RPatternTopic.removeListener} does. Iterations go on. */
  removeAllListeners(): Promise<void>

  /**
   * Returns how many listeners this client has at the pattern, with those that are added now. Nothing is
   * sent.
   */
  countListeners(): number

  /**
   * Returns the names of the topics that match and have listeners, besides those of patterns. In a cluster
   * these are the topics that clients listen to at one of the nodes. One round trip, O(N) where N is the
   * number of topics with listeners.
   */
  getActiveTopics(): Promise<string[]>
}
