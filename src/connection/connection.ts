import type { RedissonError } from '../errors/redisson-error.js'

/** An argument of a command, as it goes over the wire. */
export type Argument = string | number | Buffer

/** A key; bytes if it is no text in UTF-8. */
export type Key = string | Buffer

/**
 * A reply of Redis. Text always arrives as bytes; the caller knows what they mean.
 *
 * Numbers arrive as digits, so that no precision is lost. Over a connection of the program they may be numbers.
 */
export type Reply = number | string | Buffer | null | readonly Reply[]

/** The outcome of a command: its reply, or the error. */
export type Outcome = Reply | RedissonError

/** The state of a request that its caller and its sender share. All copies of the request have the same one. */
export interface Sending {
  /** Whether a copy was sent that may have run, as far as is known. */
  sent: boolean
  /** Whether nobody waits for it any more. Copies that were not sent by then are not sent. */
  over: boolean
  /** Where its last copy goes, as `host:port` or in words. */
  place: string
  /** Why its last copy has not run, if Redis has refused it for now and it is to be sent again. */
  refusal?: RedissonError
  /** Returns why its last copy is not sent, if the last attempt to connect has failed. */
  unreachable: () => RedissonError | undefined
}

/** A command. The node that it belongs to follows from the keys among its arguments. */
export interface Command {
  readonly name: string
  readonly args: readonly Argument[]
  /** The time from which it is not sent any more, on the monotonic clock. It may pass while the command waits for a connection. */
  readonly until?: number | undefined
  /**
   * Aborts when no reply is awaited any more. If the command was not sent by then, it is not sent, and rejects with a
   * {@link ClientClosedError}.
   */
  readonly endOfWaiting?: AbortSignal | undefined
  /** The state that its caller and its sender share. */
  readonly sending?: Sending | undefined
  /**
   * Whether it rejects at once while Redis cannot be reached: when the last attempt to connect has failed, or as soon as one fails.
   * Undefined for the client's setting.
   */
  readonly failFast?: boolean | undefined
  /** How long its reply may take, in milliseconds; undefined for the default. */
  readonly timeoutMs?: number | undefined
  /** Whether its sender may send another copy of it while it has no reply. */
  readonly isRepeatable?: boolean | undefined
  /** Whether it rejects with an `OvertakenError` as soon as it waits behind large replies, so that a copy can overtake it. */
  readonly overtakable?: boolean | undefined
  /** Whether it rejects if a cluster is not ready for it. Otherwise it is sent again, to any node, and later commands may overtake it. */
  readonly inOrder?: boolean | undefined
}

/** A reply, and how many replicas had confirmed everything up to it. */
export interface SyncedReply {
  readonly reply: Reply
  readonly replicas: number
}

/** A request that is sent now or in its turn, and the number of replicas that have confirmed it. */
export interface Confirmed<T> {
  readonly sent: Promise<T>
  /** Rejects if they could not be asked. */
  readonly replicas: Promise<number>
}

/** A connection to one node, for requests that cannot share one: transactions, and commands that replicas have to confirm. */
export interface Apart {
  /** Sends a command. Commands that are sent together arrive in this order. */
  send(command: Command): Promise<Reply>
  /**
   * Rejects if Redis refuses transactions, as for a user without the right: it would run each of their commands by itself. Redis is asked once.
   */
  demandAtomic(): Promise<void>
  /**
   * Runs commands whose keys are in one slot as one step. Resolves with the reply or the error of each.
   *
   * Rejects if none of them has run, or if it is not known whether they have.
   *
   * @param timeoutMs - how long the reply may take; undefined for the default
   */
  sendAtomic(commands: readonly Command[], timeoutMs?: number): Promise<readonly (Reply | Error)[]>
  /** Sends a request, at once or after those before it that wait for replicas. Then the replicas confirm it, if any have to. */
  confirmed<T>(send: () => Promise<T>): Confirmed<T>
}

/** The connection to Redis, for any topology. It never sends a command twice. */
export interface Connection {
  /** The command by which scripts publish a change, so that {@link Connection.subscriber} receives it. */
  readonly publishCommand: 'publish' | 'spublish'
  /** Whether that command returns the number of all listeners, and not of those at one node. */
  readonly countsAllListeners: boolean
  /** Whether there is a connection for commands at this moment: in a cluster, to each master that has slots. */
  readonly isConnected: boolean
  /**
   * Why the last attempt to connect has failed. Undefined while there is a connection, or while the first attempt since it broke is under way.
   */
  readonly outage: RedissonError | undefined
  /**
   * Returns a promise until it is known how messages travel, and undefined from then on. The promise rejects like a command whose reply
   * does not come in time. {@link Connection.publishCommand} is valid only afterwards.
   */
  opening(): Promise<void> | undefined
  /** Sends one command to the node that owns its keys. */
  send(command: Command): Promise<Reply>
  /**
   * Sends one command like {@link Connection.send}, but past data. If large requests or replies congest the connection, the command goes
   * over another one, if there can be one. So it may overtake commands that have no reply yet. On a connection of the program it is the
   * same as {@link Connection.send}.
   *
   * A repeatable command that large replies keep waiting later rejects with an `OvertakenError`: a copy of it goes past them.
   */
  sendAhead(command: Command): Promise<Reply>
  /**
   * Sends one read-only command to the owner of its keys or to a replica, as the settings say. A replica may still have what a write has
   * replaced. Commands that it cannot serve are sent to the owner.
   *
   * @param key - the first of its keys
   */
  read(command: Command, key: Key): Promise<Reply>
  /**
   * Sends commands whose keys are in one slot, in order. Resolves with the outcome of each, when all have settled. Never rejects.
   *
   * All of them go to one node. If that is not the right one, or the cluster is not ready for a command, the outcome is that error.
   * {@link Connection.send} would go on to another node, and later commands might overtake the command.
   *
   * @param key - one of their keys; undefined if none has a key, so that each may go to another node
   * @param timeoutMs - how long the replies may take; undefined for the default
   */
  sendAll(commands: readonly Command[], key: Key | undefined, timeoutMs?: number): Promise<readonly Outcome[]>
  /**
   * Sends one command, then waits for this many replicas to confirm it, for as long as the settings say.
   *
   * Its connection is used only for the same number of replicas, because it is blocked while it waits for them.
   */
  sendSynced(command: Command, replicas: number): Promise<SyncedReply>
  /**
   * Returns a connection to the node that owns a key, once it is ready. If replicas have to confirm, it is the one of
   * {@link Connection.sendSynced}.
   *
   * @param key - undefined for commands without a key, which any node can run
   */
  apart(key: Key | undefined, replicas: number): Promise<Apart>
  /** The names of the masters that have slots, as far as they are known. */
  readonly masters: readonly string[]
  /** Asks the servers which of them are {@link Connection.masters} now. Resolves even if none has replied. */
  refreshMasters(): Promise<void>
  /** Sends one command to a master of {@link Connection.masters}. Rejects if it is no longer one. */
  sendTo(master: string, command: Command): Promise<Reply>
  /**
   * Returns the object that stands for the connection to a master. It is another one after each reconnect, perhaps to another server.
   * Undefined if it is no longer a master.
   */
  sessionOf(master: string): object | undefined
  /** The connection that only listens. */
  readonly subscriber: Subscriber
  /**
   * Listens for changes of keys, by any client. A channel stands for the key of its name. A change interrupts the channel until Redis has
   * confirmed it again. It publishes no messages. Needs `CLIENT TRACKING` of Redis 6.
   *
   * Where Redis does not report changes, a channel is confirmed and interrupted at once. Where Redis refuses that for now, it is interrupted, and
   * requested again. {@link Subscriber.refusalOf} says why.
   */
  readonly keyChanges: Subscriber
  /** Returns the hash slot of a key; always 0 where there are no slots. */
  slotOf(key: Key): number
  /** Returns the last known owner of a key, as a name: that of a master in a cluster, and otherwise always the same. */
  ownerOf(key: Key): string
  /** Returns where a request for a key goes, as `host:port`, or in words where that is not known. */
  placeOf(key: Key): string
  /**
   * Until when a reply may still come, on the monotonic clock: large requests and replies may take their time as long as they make
   * progress. In the past if no reply is awaited.
   */
  readonly hopeUntil: number
  /** Releases every socket and timer. Requests without a reply reject. */
  close(): Promise<void>
}

/**
 * How messages are published: to a plain channel, which every node of a cluster passes on, or to a sharded one, which only the owner of its
 * slot knows. A pattern stands for all plain channels that it matches.
 */
export type ChannelKind = 'plain' | 'pattern' | 'sharded'

/** A channel to listen to. Channels of two kinds are different, even if they have the same name. */
export interface Channel {
  readonly kind: ChannelKind
  /** The channel's own name, or the pattern. */
  readonly name: string
}

/** Receives messages. It keeps its subscriptions through reconnects, failovers and moved slots. */
export interface Subscriber {
  /** The kind of channels to which scripts announce changes; undefined until it is known. The listener is notified then. */
  readonly announcements: Exclude<ChannelKind, 'pattern'> | undefined
  /** Sets the listener; once, before the first subscription. */
  listen(listener: SubscriberListener): void
  /** Subscribes to a channel, repeatedly if necessary. The listener is notified of the result. */
  subscribe(channel: Channel): void
  /** Ends a subscription. No message of the channel is passed on any more, whether or not Redis has confirmed. */
  unsubscribe(channel: Channel): void
  /** Returns why Redis does not confirm a requested channel, if Redis has said so or cannot be reached. */
  refusalOf(channel: Channel): Error | undefined
}

/** The listener of a {@link Subscriber}. */
export interface SubscriberListener {
  /** {@link Subscriber.announcements} is known now. */
  announcementsKnown(): void
  /**
   * A message arrived that Redis has sent after it had confirmed the channel.
   *
   * @param name - the channel to which it was published, which a pattern does not tell
   */
  message(channel: Channel, payload: Buffer, name: string): void
  /** Redis has confirmed a channel, for the first time or again. Every message arrives from now on, until it is interrupted. */
  subscribed(channel: Channel): void
  /** The channel is not subscribed any more for now. It may be called more than once, and for channels that were not confirmed. */
  interrupted(channel: Channel): void
  /** Redis refuses a channel for good, or has refused it for too long. It is not requested any more. */
  refused(channel: Channel, error: Error): void
}
