/** One argument of a command, as it goes over the wire. */
export type Argument = string | number | Buffer

/** What Redis answers. Text always arrives as bytes; whoever asked knows what they mean. */
export type Reply = number | Buffer | null | readonly Reply[]

/** One command. The node that it belongs to follows from the keys among its arguments. */
export interface Command {
  readonly name: string
  readonly args: readonly Argument[]
}

/** A reply, and how many replicas had confirmed everything up to it. */
export interface SyncedReply {
  readonly reply: Reply
  readonly replicas: number
}

/** The way to Redis, whatever the servers' arrangement. Commands go out here, and nothing is ever sent twice. */
export interface Connection {
  /** The command by which scripts announce a change, so that {@link Connection.subscriber} hears it. */
  readonly publishCommand: 'publish' | 'spublish'
  /** Whether that command answers with the number of all listeners, and not of those at one node. */
  readonly countsAllListeners: boolean
  /** Sends one command to the node that owns its keys. */
  send(command: Command): Promise<Reply>
  /**
   * Sends one command, then waits for so many replicas to confirm it.
   *
   * It travels on a connection of its own, because a connection that waits for replicas answers nothing else meanwhile.
   */
  sendSynced(command: Command, replicas: number, timeoutMs: number): Promise<SyncedReply>
  /** The connection that only listens. */
  readonly subscriber: Subscriber
  /** The hash slot of a key; always 0 where there are no slots. */
  slotOf(key: string): number
  /** Gives back every socket and timer. What is still unanswered rejects. */
  close(): Promise<void>
}

/** The way news comes back. It keeps its subscriptions through reconnects, failovers and moved slots. */
export interface Subscriber {
  /** Says who hears; once, before the first subscription. */
  listen(listener: SubscriberListener): void
  /** Resolves when Redis has confirmed: from then on nothing is missed, except while the connection is down. */
  subscribe(channel: string): Promise<void>
  /** Ends a subscription. Nothing is heard of the channel any more, whether or not Redis has confirmed. */
  unsubscribe(channel: string): void
}

/** Who hears what a {@link Subscriber} receives. */
export interface SubscriberListener {
  /** A message arrived. */
  message(channel: string, message: string): void
  /** These channels were not listened to for a while, and are again: messages may have been missed. */
  resumed(channels: readonly string[]): void
}
