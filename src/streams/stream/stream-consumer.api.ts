import type { StreamMessage } from './stream-data.api.js'

/** A stream for messages that no consumer could deal with. */
export interface DeadLetterStream {
  /** The name of the stream, as the program gives it to `getStream()`. */
  readonly name: string
}

/** How a consumer receives messages. */
export interface StreamConsumerOptions {
  /**
   * The name of the consumer in Redis. No two loops may use the same at the same time. With a name that stays the same, a restarted process first receives what
   * it had not acknowledged.
   *
   * @defaultValue a name that no other consumer has; Redis forgets it when the loop ends with nothing pending
   */
  readonly name?: string | undefined
  /**
   * The id after which the group begins, if it has to be created: `0` for all messages of the stream, `$` for those that come later. A group that somebody
   * removes meanwhile is created again after the last new message that this loop has handed out.
   *
   * @defaultValue `0`
   */
  readonly from?: string | undefined
  /**
   * How long a message stays with a consumer that does not report it, in milliseconds, until another one claims it: 100 or more; `Infinity` to claim nothing.
   * A loop reports the messages that it works on three times in that time, so they may take longer. Consumers of a group should all have the same.
   *
   * The time begins before Redis sends a message. For large messages it has to be several times as long as the transfer of one of them: otherwise others claim
   * them, and deliveries count that no loop has seen. Where replies take nearly that long, the loop hands out no message. The process warns of that once for
   * each stream, with the code `REDISSON_SLOW_CLAIMS`.
   *
   * @defaultValue 60 000
   */
  readonly claimIdleMs?: number | undefined
  /**
   * How often a message is delivered at most, before it is moved to the `deadLetter`.
   *
   * @defaultValue as often as it takes
   */
  readonly maxDeliveries?: number | undefined
  /**
   * Where messages go that were delivered `maxDeliveries` times: another stream in the same slot, or its name. They keep their fields, and get the field `dead-letter`
   * besides: a {@link StreamDeadLetter}, as the codec of the values writes it. Where it cannot write or read that, the field is left out.
   *
   * A message that Redis refuses to move, such as one with thousands of fields, stays pending. The loop goes on, and warns once: `REDISSON_DEAD_LETTER_FAILED`.
   */
  readonly deadLetter?: string | DeadLetterStream | undefined
  /**
   * How many messages one request brings at most, from 1 to 5 000. They are held here until the loop asks for them.
   *
   * The first request brings one. Later ones bring about a megabyte, by the average size of the last messages.
   *
   * @defaultValue 100
   */
  readonly batch?: number | undefined
  /**
   * How many messages the loop hands out at most that are not settled. A loop that awaits each `ack()` has one, whatever this is.
   *
   * @defaultValue any number
   */
  readonly concurrency?: number | undefined
  /** Ends the loop, which throws the reason of the signal within a second. No message is taken after that. */
  readonly signal?: AbortSignal | undefined
}

/** Why a message is in a dead letter stream. */
export interface StreamDeadLetter {
  /** The stream that it was in, as it is called in Redis. */
  readonly stream: string
  /** The group whose consumers could not deal with it. */
  readonly group: string
  /** Its id in that stream. */
  readonly id: string
  /** Who has moved it. */
  readonly consumer: string
  /** How often it was delivered. */
  readonly deliveries: number
}

/** When a message is delivered again. */
export interface StreamNackOptions {
  /**
   * In how many milliseconds, up to `claimIdleMs`.
   *
   * @defaultValue 0
   */
  readonly delayMs?: number | undefined
}

/** A message that a consumer has to settle, by `ack()` or `nack()`. */
export interface StreamDelivery<K, V> extends Omit<StreamMessage<K, V>, 'fields'> {
  /**
   * Its fields, which are read when they are first asked for.
   *
   * @throws {@link CodecError} if the codec cannot read them; each time
   */
  readonly fields: Map<K, V>
  /** How often it was delivered, with this time. A delivery whose reply was lost counts. */
  readonly deliveries: number
  /**
   * Acknowledges it: it will not be delivered again, unless another consumer has claimed it already and has it in memory. Acknowledgements of one turn
   * of the event loop are one request. Also after the loop has ended.
   *
   * If it rejects, the message is not settled, and `ack()` may be called again.
   */
  ack(): Promise<void>
  /**
   * Gives it back, to be delivered again; or moves it to the dead letter stream, if this was its last delivery. Does nothing if another consumer has claimed it.
   *
   * Another process notices it the next time that it looks for messages to claim; this one at once.
   *
   * @throws RangeError for a delay that is not between 0 and `claimIdleMs`, and for any where that is `Infinity`
   */
  nack(options?: StreamNackOptions): Promise<void>
}
