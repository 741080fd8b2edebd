import type { LockLostError, LockLossReason } from '../errors/lock-errors.js'

/** Something happened to one connection. */
export interface ConnectionEvent {
  /** The server, as `host:port`. */
  readonly address: string
  /** Whether commands go out on it, or messages come in. */
  readonly purpose: 'commands' | 'messages'
}

/** A connection broke. It is made anew by itself. */
export interface DisconnectedEvent extends ConnectionEvent {
  /** What broke it, where that is known. */
  readonly cause: Error | undefined
}

/** A lock was lost while it was held: from here on somebody else may be inside. */
export interface LockLostEvent {
  /** The name of the lock. */
  readonly lock: string
  /** Who held it, as `clientId:threadId`. */
  readonly owner: string
  /** Who held it, without the client. */
  readonly threadId: string
  /** Why it was lost. */
  readonly reason: LockLossReason
  /** The error that {@link LockHold.signal} was aborted with. */
  readonly error: LockLostError
}

/** What a client tells its listeners. */
export interface RedissonEvents {
  /** A server was reached for the first time. */
  readonly connected: ConnectionEvent
  /** A connection broke. */
  readonly disconnected: DisconnectedEvent
  /** A connection that broke stands again. Messages in between were missed; every waiter looks again by itself. */
  readonly reconnected: ConnectionEvent
  /** A lock was lost while it was held. */
  readonly lockLost: LockLostEvent
}
