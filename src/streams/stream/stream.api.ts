import type { ObjectEvent, ObjectListener, RDumpable, RExpirable } from '../../api/object.js'
import type { ListenOptions, Subscription } from '../../topics/shared/subscription.api.js'
import type {
  StreamAutoClaim,
  StreamConsumerInfo,
  StreamFastAutoClaim,
  StreamGroup,
  StreamInfo,
  StreamMessage,
  StreamPendingEntry,
  StreamPendingInfo,
} from './stream-data.api.js'
import type { StreamConsumerOptions, StreamDelivery } from './stream-consumer.api.js'
import type {
  StreamAddOptions,
  StreamAutoClaimOptions,
  StreamClaimOptions,
  StreamGroupOptions,
  StreamPendingOptions,
  StreamRangeOptions,
  StreamReadGroupOptions,
  StreamReadOptions,
  StreamTrim,
} from './stream-options.api.js'

/**
 * Messages in the order in which they came, that stay until they are trimmed or removed. All clients of the same servers share it, in Node and in Java.
 *
 * Any number of readers read it, each from its own place. The consumers of a group share the messages: each message is delivered to one of them, and
 * stays pending until it is acknowledged. {@link RStream.consumer} does all of that, and is what most programs need.
 *
 * A message has fields: names and values, as a map has. A message that the codec cannot read stays in Redis, and the call rejects with a
 * {@link CodecError}; {@link RStream.consumer} hands it out, and only its `fields` throw.
 *
 * Calls that read are sent again if their reply is lost. So are `createGroup`, `createConsumer`, `removeGroup` and `updateGroupMessageId`. Others reject
 * with `mayHaveRun`, unless the stream was made with `exactlyOnce`. Messages that such a `readGroup` or claim has delivered are pending at the consumer.
 *
 * A stream exists from its first message or group on, until it is deleted: it may have no messages.
 *
 * @example
 * ```ts
 * const orders = client.getStream<string, number>('orders')
 * await orders.add({ item: 7, count: 2 })
 * for await (const message of orders.consumer('billing')) {
 *   console.log(message.fields.get('item')) // 7
 *   await message.ack()
 *   break
 * }
 * ```
 */
export interface RStream<K, V> extends RExpirable, RDumpable {
  /**
   * Adds a message at the end. Returns its id. O(1), and O(n) for n messages that are removed.
   *
   * @param fields - one at least: a `Map`, an iterable of pairs or, where names are texts, a plain object
   * @throws TypeError for no field, for `undefined` as a name or a value, and for `limit` together with `exact`
   * @throws {@link CommandError} for an id that is not above all that the stream has had
   */
  add(
    fields: StreamFields<K, V>,
    options?: StreamAddOptions & { readonly noMakeStream?: false | undefined },
  ): Promise<string>
  /** Adds a message, unless `noMakeStream` says that there has to be a stream, and there is none. Then it returns undefined. */
  add(fields: StreamFields<K, V>, options: StreamAddOptions): Promise<string | undefined>

  /** Returns the number of messages. O(1). */
  size(): Promise<number>

  /** Returns the messages of a range, the oldest first. O(n) for n messages. */
  range(options?: StreamRangeOptions): Promise<StreamMessage<K, V>[]>

  /** Returns the messages of a range, the newest first. O(n) for n messages. */
  rangeReversed(options?: StreamRangeOptions): Promise<StreamMessage<K, V>[]>

  /**
   * Returns the messages after an id, the oldest first. If there are none it waits, by one connection for all waiting calls of the client; none if
   * there are none in time. It removes nothing.
   */
  read(options?: StreamReadOptions): Promise<StreamMessage<K, V>[]>

  /**
   * Delivers messages to a consumer of a group, which has to acknowledge each. If there are none it waits, as {@link RStream.read} does.
   *
   * The consumer is made if it is not there. A call whose signal aborts delivers nothing, unless its request is under way: then the reply is waited for, for half a
   * second. What it brings later is pending at the consumer, as with a lost reply.
   *
   * @throws {@link NoSuchGroupError} if there is no such group
   */
  readGroup(group: string, consumer: string, options?: StreamReadGroupOptions): Promise<StreamMessage<K, V>[]>

  /**
   * Creates a group. Returns whether it did; false if there is such a group, which stays as it is.
   *
   * @throws {@link NoSuchObjectError} if there is no stream, unless `makeStream` is set
   */
  createGroup(group: string, options?: StreamGroupOptions): Promise<boolean>

  /** Removes a group with its consumers and pending messages. Returns whether there was one. */
  removeGroup(group: string): Promise<boolean>

  /**
   * Creates a consumer. Returns whether there was none.
   *
   * @throws {@link NoSuchGroupError} if there is no such group
   */
  createConsumer(group: string, consumer: string): Promise<boolean>

  /**
   * Removes a consumer. Returns how many messages were pending at it: nobody can claim them any more.
   *
   * @throws {@link NoSuchGroupError} if there is no such group
   */
  removeConsumer(group: string, consumer: string): Promise<number>

  /**
   * Sets the id after which a group receives messages.
   *
   * @param id - `0` for all messages of the stream, `$` for those that come later
   * @throws {@link NoSuchGroupError} if there is no such group
   */
  updateGroupMessageId(group: string, id: string): Promise<void>

  /** Acknowledges messages. Returns how many were pending. */
  ack(group: string, ...ids: readonly string[]): Promise<number>

  /**
   * Returns how many messages of a group are pending, and at whom.
   *
   * @throws {@link NoSuchGroupError} if there is no such group
   */
  getPendingInfo(group: string): Promise<StreamPendingInfo>

  /**
   * Returns which messages of a group are pending, the oldest first.
   *
   * @throws {@link NoSuchGroupError} if there is no such group
   */
  listPending(group: string, options?: StreamPendingOptions): Promise<StreamPendingEntry[]>

  /**
   * Returns the pending messages of a group, the oldest first. Those that were removed from the stream are left out.
   *
   * @throws {@link NoSuchGroupError} if there is no such group
   */
  pendingRange(group: string, options?: StreamPendingOptions): Promise<StreamMessage<K, V>[]>

  /**
   * Gives pending messages to another consumer. Returns those that it has got; each has been delivered once more.
   *
   * @throws {@link NoSuchGroupError} if there is no such group
   */
  claim(group: string, consumer: string, options: StreamClaimOptions): Promise<StreamMessage<K, V>[]>

  /** The same, but returns their ids alone, and they do not count as delivered once more. */
  fastClaim(group: string, consumer: string, options: StreamClaimOptions): Promise<string[]>

  /**
   * Looks for pending messages that nobody has dealt with for some time, and gives them to a consumer.
   *
   * @throws {@link NoSuchGroupError} if there is no such group
   */
  autoClaim(group: string, consumer: string, options: StreamAutoClaimOptions): Promise<StreamAutoClaim<K, V>>

  /** The same, but returns their ids alone, and they do not count as delivered once more. */
  fastAutoClaim(
    group: string,
    consumer: string,
    options: StreamAutoClaimOptions,
  ): Promise<StreamFastAutoClaim>

  /** Removes exactly the oldest messages that a trim says. Returns how many. O(n) for n of them. */
  trim(trim: Omit<StreamTrim, 'limit'>): Promise<number>

  /** Removes the oldest messages in whole nodes of memory, so that some more may stay. Returns how many. */
  trimNonStrict(trim: StreamTrim): Promise<number>

  /** Removes messages by their ids. Returns how many there were. */
  remove(...ids: readonly string[]): Promise<number>

  /** Returns what Redis says of the stream; undefined if there is none. */
  getInfo(): Promise<StreamInfo<K, V> | undefined>

  /** Returns the groups; none if there is no stream. */
  listGroups(): Promise<StreamGroup[]>

  /**
   * Returns the consumers of a group.
   *
   * @throws {@link NoSuchGroupError} if there is no such group
   */
  listConsumers(group: string): Promise<StreamConsumerInfo[]>

  /**
   * Iterates over the messages of a group, as one of its consumers, and waits for more. See {@link StreamConsumerOptions}.
   *
   * Each loop is a consumer of its own. The group is created if there is none. First come the messages that are pending at a consumer of this name, as after
   * a restart; then new ones. From time to time, the loop claims those whose consumers have died.
   *
   * A message is delivered until it is acknowledged: more than once if a consumer dies or takes its reply for lost. Whoever works on a message keeps it: while
   * the loop runs, no other consumer claims a message that it has handed out and that is not settled.
   *
   * The loop goes on through failovers and interruptions, and rejects with what does not pass by itself. It ends with `break`, with the signal, and when the
   * client shuts down. Messages that it was not asked for yet go back to the group at once. Those that it has handed out and that are not settled stay pending:
   * they can still be acknowledged, and are delivered again after `claimIdleMs`, or to a consumer of this name.
   */
  consumer(group: string, options?: StreamConsumerOptions): AsyncIterable<StreamDelivery<K, V>>

  /**
   * Listens for the events of {@link RObject.addListener}, and for those of a stream, which need `Kt` in `notify-keyspace-events`. Redis does not say which
   * message, group or consumer.
   */
  addListener(
    event: StreamEvent | ObjectEvent,
    listener: ObjectListener,
    options?: ListenOptions,
  ): Promise<Subscription>
}

/** The fields of a new message. */
export type StreamFields<K, V> =
  Iterable<readonly [K, V]> | (K extends string ? Readonly<Record<K, V>> : never)

/** What may happen to a stream. */
export type StreamEvent =
  'added' | 'removed' | 'trimmed' | 'groupCreated' | 'groupRemoved' | 'consumerCreated' | 'consumerRemoved'
