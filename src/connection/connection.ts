import type { RedissonError } from '../errors/redisson-error.js'

/** One argument of a command, as it goes over the wire. */
export type Argument = string | number | Buffer

/** A key; bytes where it is no text in UTF-8. */
export type Key = string | Buffer

/**
 * A reply of Redis. Text always arrives as bytes; the caller knows what they mean.
 *
 * Numbers arrive as their digits, so that none loses one; over a connection of the program they may be numbers.
 */
export type Reply = number | string | Buffer | null | readonly Reply[]

/** What came of a command: its reply, or why it has none. */
export type Outcome = Reply | RedissonError

/** One request, as those who wait for it and those who send it know it together. All of its copies share this. */
export interface Sending {
  /** Whether a copy was sent that may have run, as far as is known. */
  sent: boolean
  /** Whether nobody waits for it any more: what was not sent by then is not sent. */
  over: boolean
  /** Where its last copy goes, as `host:port` or in words. */
  place: string
  /** Why its last copy has not run, where Redis has refused it for now and it is to be sent again. */
  refusal?: RedissonError
  /** Why its last copy is not sent, where the last attempt to connect has failed. */
  unreachable: () => RedissonError | undefined
}

/** One command. The node that it belongs to follows from the keys among its arguments. */
export interface Command {
  readonly name: string
  readonly args: readonly Argument[]
  /** From this moment on, on the monotonic clock, it is not sent any more. What waits for a connection may be overtaken by that. */
  readonly until?: number | undefined
  /** Aborts when no reply is waited for any more: what was not sent by then is not sent, and rejects with a {@link ClientClosedError}. */
  readonly endOfWaiting?: AbortSignal | undefined
  /** What its sender says of it, and whether its caller still waits. */
  readonly sending?: Sending | undefined
  /**
   * Whether it rejects at once while Redis cannot be reached: when the last attempt to connect has failed, or as soon as one fails. Undefined for
   * what the settings say.
   */
  readonly failFast?: boolean | undefined
  /** How long its reply may take, in milliseconds; undefined for what is usual. */
  readonly timeoutMs?: number | undefined
  /** Whether its sender may send another copy of it while it has no reply. */
  readonly isRepeatable?: boolean | undefined
  /** Whether it rejects with an `OvertakenError` as soon as it waits behind large replies, so that a copy can overtake it. */
  readonly overtakable?: boolean | undefined
  /** Whether it rejects where a cluster is not ready for it. Otherwise it is sent again, to any node, and what was sent later may overtake it. */
  readonly inOrder?: boolean | undefined
}

/** A reply, and how many replicas had confirmed everything up to it. */
export interface SyncedReply {
  readonly reply: Reply
  readonly replicas: number
}

/** What was sent, or is when its turn has come, and how many replicas have confirmed it. */
export interface Confirmed<T> {
  readonly sent: Promise<T>
  /** Rejects if they could not be asked. */
  readonly replicas: Promise<number>
}

/** A connection to one node, for what cannot share one: transactions, and commands that replicas have to confirm. */
export interface Apart {
  /** What is sent in one go arrives in this order. */
  send(command: Command): Promise<Reply>
  /**
   * Rejects if Redis refuses transactions, as to a user without the right: it would run each of their commands by itself. It is asked once.
   */
  demandAtomic(): Promise<void>
  /**
   * Runs commands whose keys are in one slot as one step. Resolves with what each of them returned, or its error.
   *
   * Rejects if none of them has run, or if nothing tells whether they have.
   *
   * @param timeoutMs - how long the reply may take; undefined for what is usual
   */
  sendAtomic(commands: readonly Command[], timeoutMs?: number): Promise<readonly (Reply | Error)[]>
  /** Has something sent, at once or after what waits for replicas before it, and then has them confirm it, if there are to be any. */
  confirmed<T>(send: () => Promise<T>): Confirmed<T>
}

/** The connection to Redis, for any topology. Commands go out here, and nothing is ever sent twice. */
export interface Connection {
  /** The command by which scripts publish a change, so that {@link Connection.subscriber} receives it. */
  readonly publishCommand: 'publish' | 'spublish'
  /** Whether that command returns the number of all listeners, and not of those at one node. */
  readonly countsAllListeners: boolean
  /** Whether there is a connection for commands at this moment: in a cluster, to each master that has slots. */
  readonly isConnected: boolean
  /** Why the last attempt to connect has failed; undefined while there is a connection, or while the first attempt since it broke is under way. */
  readonly outage: RedissonError | undefined
  /**
   * Undefined as soon as it is known how messages travel, and until then what is to be waited for: it rejects as a command does
   * whose reply does not come in time. What announces a change is asked for {@link Connection.publishCommand} after that.
   */
  opening(): Promise<void> | undefined
  /** Sends one command to the node that owns its keys. */
  send(command: Command): Promise<Reply>
  /**
   * Sends one command like {@link Connection.send}, but past data: where the connection is congested by large requests or replies, it
   * goes over another one, if there can be one. So it may overtake what was sent before and has no reply yet. Never over a second
   * connection of the program.
   *
   * A repeatable one that large replies keep waiting later rejects with an `OvertakenError`: a copy of it goes past them.
   */
  sendAhead(command: Command): Promise<Reply>
  /**
   * Sends one command that only reads to a node that has its keys: to the owner or to a replica, as the settings say. A replica may still
   * have what a write has replaced. What it cannot serve is sent to the owner.
   *
   * @param key - the first of its keys
   */
  read(command: Command, key: Key): Promise<Reply>
  /**
   * Sends commands whose keys are in one slot, in their order. Resolves with what came of each, when all have settled. Never rejects.
   *
   * All of them go to one node. Where that is not the right one, or a cluster is not ready for a command, that is its error. A single command
   * is sent on to another node then, and what was sent later may overtake it.
   *
   * @param key - one of their keys; undefined where none has a key, so that each may go to another node
   * @param timeoutMs - how long the replies may take; undefined for what is usual
   */
  sendAll(commands: readonly Command[], key: Key | undefined, timeoutMs?: number): Promise<readonly Outcome[]>
  /**
   * Sends one command, then waits for that many replicas to confirm it, for as long as the settings say.
   *
   * It travels on a connection that others use only for the same number of replicas, because one that waits for them is blocked meanwhile.
   */
  sendSynced(command: Command, replicas: number): Promise<SyncedReply>
  /**
   * A connection to the node that owns a key, once it is ready: the same one if replicas have to confirm what goes over it.
   *
   * @param key - undefined for what has no key, which any node can run
   */
  apart(key: Key | undefined, replicas: number): Promise<Apart>
  /** The masters that have slots, each by a name; as far as is known. */
  readonly masters: readonly string[]
  /** Asks the servers which of them are {@link Connection.masters} now. Resolves also where none has replied. */
  refreshMasters(): Promise<void>
  /** Sends one command to a master of {@link Connection.masters}. Rejects if it is none any more. */
  sendTo(master: string, command: Command): Promise<Reply>
  /**
   * What commands to a master travel over: another object each time it was connected, perhaps to another server. Undefined if it is no
   * master any more.
   */
  sessionOf(master: string): object | undefined
  /** The connection that only listens. */
  readonly subscriber: Subscriber
  /**
   * Listens for changes of keys, by any client. A channel stands for the key of its name, and a message says that it may have changed
   * since the channel was confirmed, or since the last message. Needs `CLIENT TRACKING` of Redis 6.
   */
  readonly keyChanges: Subscriber
  /** The hash slot of a key; always 0 where there are no slots. */
  slotOf(key: Key): number
  /**
   * Until when a reply may still come, on the monotonic clock: as long as data moves, large requests and replies take their time. In the past
   * where none is waited for.
   */
  readonly hopeUntil: number
  /** Releases every socket and timer. What is still unanswered rejects. */
  close(): Promise<void>
}

/**
 * How messages are published: at a channel, which every node of a cluster passes on; or at a sharded one, which only the owner of its slot
 * knows. A pattern stands for all channels of the first kind that it matches.
 */
export type ChannelKind = 'plain' | 'pattern' | 'sharded'

/** Where messages are listened for. Channels of two kinds are two, even if they have the same name. */
export interface Channel {
  readonly kind: ChannelKind
  /** The channel's own name, or the pattern. */
  readonly name: string
}

/** The way messages come back. It keeps its subscriptions through reconnects, failovers and moved slots. */
export interface Subscriber {
  /** The kind of channels at which scripts announce changes; undefined until it is known, which the listener is notified of. */
  readonly announcements: Exclude<ChannelKind, 'pattern'> | undefined
  /** Sets the listener; once, before the first subscription. */
  listen(listener: SubscriberListener): void
  /** Subscribes to a channel, repeatedly if necessary. The listener is notified of the result. */
  subscribe(channel: Channel): void
  /** Ends a subscription. No message of the channel is passed on any more, whether or not Redis has confirmed. */
  unsubscribe(channel: Channel): void
  /** Why Redis does not confirm a channel that is asked for, where it said so or cannot be reached. */
  refusalOf(channel: Channel): Error | undefined
}

/** The listener of a {@link Subscriber}. */
export interface SubscriberListener {
  /** It is known now of which kind {@link Subscriber.announcements} are. */
  announcementsKnown(): void
  /**
   * A message arrived, which Redis has sent after it had confirmed the channel.
   *
   * @param name - the channel where it was published, which a pattern does not contain
   */
  message(channel: Channel, payload: Buffer, name: string): void
  /** Redis has confirmed a channel, for the first time or again. Every message arrives from now on, until it is interrupted. */
  subscribed(channel: Channel): void
  /** The channel is not subscribed any more for now. It may be called more than once, and for channels that were not confirmed. */
  interrupted(channel: Channel): void
  /** Redis refuses a channel for good, or has refused it for too long. It is not asked for any more. */
  refused(channel: Channel, error: Error): void
}
