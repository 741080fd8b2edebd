/** A message of a stream. */
export interface StreamMessage<K, V> {
  /** Its id, such as `1700000000000-0`. */
  readonly id: string
  /** Its fields, in their order. Of several with the same name, the last counts. */
  readonly fields: Map<K, V>
}

/** What a group has delivered and nobody has acknowledged. */
export interface StreamPendingInfo {
  /** How many messages. */
  readonly total: number
  /** The oldest pending id; undefined if there is none. */
  readonly lowestId: string | undefined
  /** The newest pending id; undefined if there is none. */
  readonly highestId: string | undefined
  /** How many messages each consumer has that has any. */
  readonly consumers: Map<string, number>
}

/** A message that was delivered and not acknowledged. */
export interface StreamPendingEntry {
  /** The id of the message. */
  readonly id: string
  /** Who has it. */
  readonly consumer: string
  /** Milliseconds since it was delivered or claimed last. */
  readonly idleMs: number
  /** How often it was delivered. */
  readonly deliveries: number
}

/** Where a search for claimable messages goes on, and what it could not claim because it is removed from the stream. */
export interface StreamClaimPage {
  /** `0-0` at the end. */
  readonly nextId: string
  /** Pending messages that are not in the stream any more, and are pending no more. Redis tells them from 7.0 on. */
  readonly deletedIds: string[]
}

/** What {@link RStream.autoClaim} has claimed. */
export interface StreamAutoClaim<K, V> extends StreamClaimPage {
  /** The messages, the oldest first. */
  readonly messages: StreamMessage<K, V>[]
}

/** What {@link RStream.fastAutoClaim} has claimed. */
export interface StreamFastAutoClaim extends StreamClaimPage {
  /** The ids of the messages, the oldest first. */
  readonly ids: string[]
}

/** What Redis says of a stream. */
export interface StreamInfo<K, V> {
  /** How many messages there are. */
  readonly length: number
  /** How many keys the tree has in which Redis keeps the messages. */
  readonly radixTreeKeys: number
  /** How many nodes that tree has. */
  readonly radixTreeNodes: number
  /** How many groups there are. */
  readonly groups: number
  /** The newest id ever, also of a message that was removed. */
  readonly lastGeneratedId: string
  /** The oldest message; undefined if there is none. */
  readonly firstEntry: StreamMessage<K, V> | undefined
  /** The newest message; undefined if there is none. */
  readonly lastEntry: StreamMessage<K, V> | undefined
}

/** What Redis says of a group. */
export interface StreamGroup {
  /** Its name. */
  readonly name: string
  /** How many consumers it has. */
  readonly consumers: number
  /** How many messages are pending at all of them. */
  readonly pending: number
  /** The id after which it receives messages. */
  readonly lastDeliveredId: string
  /** How many messages it has read; undefined where Redis cannot tell, and before 7.0. */
  readonly entriesRead: number | undefined
  /** How many messages it has yet to read; undefined where Redis cannot tell, and before 7.0. */
  readonly lag: number | undefined
}

/** What Redis says of a consumer. */
export interface StreamConsumerInfo {
  /** Its name. */
  readonly name: string
  /** How many messages are pending at it. */
  readonly pending: number
  /** Milliseconds since it has asked for messages. */
  readonly idleMs: number
  /** Milliseconds since it has received any; undefined for never, and before Redis 7.2. */
  readonly inactiveMs: number | undefined
}
