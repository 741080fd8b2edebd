import type { EntryCodecOptions, ObjectOptions } from '../../api/object-options.js'
import type { KeyedMapCodec } from '../../collections/map/map.api.js'

/** How a stream behaves. */
export interface StreamOptions<K, V> extends EntryCodecOptions<K, V>, ObjectOptions {}

/** The options of a stream whose field names are no texts: they need a codec. */
export interface KeyedStreamOptions<K, V> extends StreamOptions<K, V> {
  readonly codec: KeyedMapCodec<K, V>
}

/** Which of the oldest messages are removed. */
export interface StreamTrim {
  /** How many messages may stay at most. */
  readonly maxLen?: number | undefined
  /** The oldest id that may stay. */
  readonly minId?: string | undefined
  /**
   * How many messages one call removes at most. It takes an approximate trim.
   *
   * @defaultValue what Redis says, which is 10 000 unless it is configured
   */
  readonly limit?: number | undefined
}

/** How a message is added. */
export interface StreamAddOptions extends StreamTrim {
  /**
   * The id of the message, such as `1700000000000-0`, or `1700000000000-*` for the next number in that millisecond.
   *
   * @defaultValue the time of the server in milliseconds, and the next number in it
   */
  readonly id?: string | undefined
  /**
   * Whether a stream that is not there stays so, and nothing is added.
   *
   * @defaultValue false
   */
  readonly noMakeStream?: boolean | undefined
  /**
   * Whether exactly the messages are removed that `maxLen` or `minId` says. Otherwise some more may stay, which takes far less time.
   *
   * @defaultValue false
   */
  readonly exact?: boolean | undefined
}

/** Which messages of a stream are meant. Ids have the form `1700000000000-0`, and without the second part mean a whole millisecond. */
export interface StreamRange {
  /**
   * The oldest id.
   *
   * @defaultValue that of the oldest message
   */
  readonly from?: string | undefined
  /**
   * Whether a message with the id `from` belongs to them.
   *
   * @defaultValue true
   */
  readonly fromInclusive?: boolean | undefined
  /**
   * The newest id.
   *
   * @defaultValue that of the newest message
   */
  readonly to?: string | undefined
  /**
   * Whether a message with the id `to` belongs to them.
   *
   * @defaultValue true
   */
  readonly toInclusive?: boolean | undefined
}

/** Which messages of a range are read. */
export interface StreamRangeOptions extends StreamRange {
  /**
   * How many messages at most.
   *
   * @defaultValue as many as there are
   */
  readonly count?: number | undefined
}

/** How long a read waits for messages. */
export interface StreamWaiting {
  /**
   * How many messages at most.
   *
   * @defaultValue as many as there are
   */
  readonly count?: number | undefined
  /**
   * Milliseconds to wait for a message; `Infinity` for as long as it takes.
   *
   * @defaultValue 0
   */
  readonly waitMs?: number | undefined
  /** Ends the waiting, which rejects with the reason of the signal. */
  readonly signal?: AbortSignal | undefined
}

/** What is read of a stream. */
export interface StreamReadOptions extends StreamWaiting {
  /**
   * The id after which messages are read; `$` for those that are added after the call.
   *
   * @defaultValue `0`, all messages
   */
  readonly after?: string | undefined
}

/** What is read for a consumer of a group. */
export interface StreamReadGroupOptions extends StreamWaiting {
  /**
   * `>` for messages that no consumer of the group has received. With an id, the pending messages of this consumer after that id are returned, at once.
   *
   * @defaultValue `>`
   */
  readonly after?: string | undefined
  /**
   * Whether messages count as acknowledged when they are read. What a lost reply brings is lost then.
   *
   * @defaultValue false
   */
  readonly noAck?: boolean | undefined
}

/** How a group begins. */
export interface StreamGroupOptions {
  /**
   * The id after which the group receives messages: `0` for all of the stream, `$` for those that come later.
   *
   * @defaultValue `$`, as in Java
   */
  readonly from?: string | undefined
  /**
   * Whether a stream that is not there is made, without messages.
   *
   * @defaultValue false
   */
  readonly makeStream?: boolean | undefined
}

/** Which pending messages of a group are meant. */
export interface StreamPendingOptions extends StreamRange {
  /** Only those of this consumer. */
  readonly consumer?: string | undefined
  /** Only those that were delivered or claimed at least so many milliseconds ago. */
  readonly idleMs?: number | undefined
  /**
   * How many at most, from 1 to 5 000.
   *
   * @defaultValue 1 000
   */
  readonly count?: number | undefined
}

/** Which messages another consumer gets. */
export interface StreamClaimOptions {
  /** Only those that were delivered or claimed at least so many milliseconds ago. */
  readonly idleMs: number
  /** The ids of the messages. Those that are not pending are left out. */
  readonly ids: Iterable<string>
}

/** Which messages of other consumers are looked for. */
export interface StreamAutoClaimOptions {
  /** Only those that were delivered or claimed at least so many milliseconds ago. */
  readonly idleMs: number
  /**
   * The id from which the pending messages are looked through: `nextId` of the previous call.
   *
   * @defaultValue `0-0`, the beginning
   */
  readonly from?: string | undefined
  /**
   * How many messages at most, from 1 to 5 000.
   *
   * @defaultValue 100
   */
  readonly count?: number | undefined
}
