import type { Codec } from '../../api/codec.js'
import type { ListenOptions, MessagesOptions, Subscription } from '../shared/subscription.api.js'

/**
 * Takes a message, and the name of the topic where it was published.
 *
 * Messages of one topic come in the order in which Redis has received them. The next one does not wait for a promise that is returned.
 * What this throws, or rejects with, is an `error` of the {@link Subscription}, or an uncaught exception where that is not listened for. It
 * stops no other listener, and not this one either.
 */
export type MessageListener<M> = (message: M, channel: string) => unknown

/**
 * A channel over which clients send each other messages, in Node and in Java.
 *
 * Each listener gets a message once; it is not stored. While the connection of a listener is interrupted it misses messages, and is
 * notified by `gap` before the next one. In a cluster every node passes messages on to all others: see {@link RShardedTopic}.
 *
 * @example
 * ```ts
 * const topic = client.getTopic<{ id: number }>('orders')
 * const subscription = await topic.addListener(({ id }) => console.log(id))
 * await topic.publish({ id: 7 })
 * await subscription.unsubscribe()
 * ```
 */
export interface RTopic<M> {
  /** The name of the topic. */
  readonly name: string
  /** The codec of the messages. */
  readonly codec: Codec<M>

  /**
   * Sends a message to all current listeners. One round trip; O(N) where N is the number of listening clients.
   *
   * It is sent once. If its reply is lost, the call rejects, and its error has `mayHaveRun`, unless the topic was made with `exactlyOnce`.
   *
   * @param message - anything that the codec can write, but `undefined`
   * @returns how many clients Redis has sent it to. A client counts once for the topic, however many listeners it has, and once more for
   * each of its patterns that match. In a cluster it is the number of those that are connected to one of the nodes; the others get the
   * message as well
   * @throws TypeError for `undefined`
   * @throws {@link CodecError} if the codec cannot write the message; nothing is sent then
   * @throws {@link CommandError} if this user has no right to the channel
   */
  publish(message: M): Promise<number>

  /**
   * Adds a listener that is called with each message. Resolves once Redis has confirmed the subscription:
   * messages that are published from then on arrive.
   *
   * The listeners of a client share one subscription for each topic. A message that the codec cannot read is
   * an `error` of the {@link Subscription}, and does not reach the listener.
   *
   * @throws {@link SubscriptionTimeoutError} if Redis does not confirm it in time
   * @throws {@link CommandError} if this user has no right to the channel
   * @throws {@link ClientClosedError} if the client is shut down before
   * @example
   * ```ts
   * await using subscription = await client.getTopic('orders').addListener((order) => console.log(order))
   * subscription.on('gap', () => console.log('orders may have been missed'))
   * ```
   */
  addListener(listener: MessageListener<M>, options?: ListenOptions): Promise<Subscription>

  /**
   * Iterates over the messages. It subscribes when the first one is requested, and until the loop ends.
   *
   * The loop throws the reason of its signal, and a {@link ClientClosedError} when the client is shut down.
   * It throws a {@link MessageOverflowError} if it is too slow, and a {@link CodecError} at a message that it
   * cannot read.
   *
   * @example
   * ```ts no-run
   * for await (const order of client.getTopic<{ id: number }>('orders').messages({ overflow: 'dropOldest' })) {
   *   console.log(order.id)
   * }
   * ```
   */
  messages(options?: MessagesOptions): AsyncIterable<M>

  /**
   * Ends the listeners with this function, that this client has added to the topic by any object of the same name. Those that are
   * added now end as well, once they are confirmed.
   */
  removeListener(listener: MessageListener<M>): Promise<void>

  /** Ends all listeners of this client to the topic, as {@link RTopic.removeListener} does. Iterations go on. */
  removeAllListeners(): Promise<void>

  /**
   * Returns how many listeners this client has at the topic, with those that are added now. Nothing is sent.
   */
  countListeners(): number

  /**
   * Returns how many clients listen to the topic, without those that listen by a pattern. In a cluster it is
   * the number of those that are connected to one of the nodes. One round trip, O(1).
   */
  countSubscribers(): Promise<number>
}
