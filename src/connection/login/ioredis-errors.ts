import { ConnectionLostError, CredentialsError, ServerNotReadyError } from '../../errors/connection-errors.js'
import { NotSentError } from '../../errors/not-sent.js'
import { CommandError } from '../../errors/reply-errors.js'
import { RedissonError } from '../../errors/redisson-error.js'
import { withoutSecrets } from '../node/foreign-errors.js'
import type { Failures } from './failures.js'
import { refusedLogin } from './refused-login.js'

/**
 * The error codes of a server that loads, fails over, migrates, lacks replicas, has no memory left or cannot write to its disk.
 *
 * The command did not run. Neither did a script with such a command: Redis refuses one only before the script's first write.
 */
const NOT_READY_WORDS =
  'LOADING|READONLY|CLUSTERDOWN|TRYAGAIN|MASTERDOWN|BUSY|NOREPLICAS|MOVED|ASK|OOM|MISCONF'

/** Before version 7, what happens inside a script is reported as `ERR Error running script (…): @user_script: 1: -OOM …`. */
const IN_SCRIPT = '(?:ERR Error running script .*? -)?'

/** The prefix of the same errors if `EXEC` itself is refused. Nothing of its transaction has run. */
const IN_EXEC = '(?:EXECABORT Transaction discarded because of: )?'

const NOT_READY = new RegExp(`^${IN_EXEC}${IN_SCRIPT}(?:${NOT_READY_WORDS}) `)

const REPLICA = new RegExp(`^${IN_EXEC}${IN_SCRIPT}READONLY `)

/** The errors for a missing permission, or for an unknown command. They last. */
const FINAL_REFUSAL = /^(NOPERM|NOAUTH|ERR unknown command) /

/** The error code of a server that ends a blocked command because it has lost its role. Earlier commands have run. */
const UNBLOCKED = /^UNBLOCKED /

/** The error of a server that requires authentication first. */
const REFUSED = /^(NOAUTH|WRONGPASS) /

/** The name of ioredis's error for an error reply. */
const REPLY_ERROR = 'ReplyError'

/** The destination of a command. */
export interface Destination {
  /** The server, as `host:port`. */
  readonly address: string
  readonly failures: Failures
  /** Whether the command has left, so that it may have run. */
  readonly sent: boolean
}

/** Converts an error of ioredis into one of ours. Returns one of ours as it is. */
export function translateError(
  error: unknown,
  command: string,
  { address, failures, sent }: Destination,
): RedissonError {
  if (error instanceof CredentialsError)
    return new NotSentError(`Could not connect to Redis at ${address}: ${error.message}`, { cause: error })
  if (error instanceof RedissonError) return error
  const cause = withoutSecrets(error)
  if (cause.name === REPLY_ERROR) return translateReply(cause, command, address)
  if (cause.message.startsWith('Too many Cluster redirections')) return notReady(cause)
  const why = { cause: failures.causeOf(cause, address) }
  return sent
    ? new ConnectionLostError(`The connection to Redis at ${address} was lost before the reply`, why)
    : new NotSentError(`The connection to Redis at ${address} was lost before the request was sent`, why)
}

/** Returns whether an error is an error reply. Otherwise the connection broke before a reply. */
export function isReply(error: unknown): error is Error {
  return error instanceof Error && error.name === REPLY_ERROR
}

/** Returns the error reply that an error of ours is about, if any. */
export function replyIn(error: unknown): Error | undefined {
  return error instanceof RedissonError && isReply(error.cause) ? error.cause : undefined
}

/** Returns whether a server refuses to write because it is a replica, perhaps since a failover. */
export function saysReplica({ message }: Error): boolean {
  return REPLICA.test(message)
}

/** Returns whether a server will refuse a command the next time as well. */
export function isFinalRefusal({ message }: Error): boolean {
  return FINAL_REFUSAL.test(message)
}

/**
 * Converts the error reply of a server into an error of ours.
 *
 * @param needs - the rights that the user needs, if Redis does not name what it refuses
 */
export function translateReply(
  cause: Error,
  command: string,
  address: string,
  needs?: string,
): RedissonError {
  if (NOT_READY.test(cause.message)) return notReady(cause)
  if (UNBLOCKED.test(cause.message)) {
    return new ConnectionLostError(`Redis at ${address} lost its role before it replied`, { cause })
  }
  if (REFUSED.test(cause.message)) return refusedLogin(cause, { address })
  return new CommandError(command, { cause, needs })
}

function notReady(cause: Error): ServerNotReadyError {
  return new ServerNotReadyError(`Redis is not ready: ${cause.message}`, { cause })
}
