import { ConnectionLostError, ServerNotReadyError } from '../errors/connection-errors.js'
import { CommandError } from '../errors/reply-errors.js'
import { RedissonError } from '../errors/redisson-error.js'

/** What a server says while it loads, fails over, migrates or lacks replicas. The command did not run. */
const NOT_READY = /^(LOADING|READONLY|CLUSTERDOWN|TRYAGAIN|MASTERDOWN|BUSY|NOREPLICAS|MOVED|ASK) /

/** A server that ends a blocked command because it has lost its role says so; what came before it has run. */
const UNBLOCKED = /^UNBLOCKED /

/** ioredis's words for a server that answered with an error. */
const REPLY_ERROR = 'ReplyError'

/** Turns an error of ioredis into one of ours; one of ours stays as it is. */
export function translateError(error: unknown, command: string): RedissonError {
  if (error instanceof RedissonError) return error
  const cause = error instanceof Error ? error : new Error(String(error))
  if (cause.name === REPLY_ERROR) return translateReply(cause, command)
  if (cause.message.startsWith('Too many Cluster redirections')) return notReady(cause)
  return new ConnectionLostError(`The connection was lost before Redis answered ${command}`, { cause })
}

function translateReply(cause: Error, command: string): RedissonError {
  if (NOT_READY.test(cause.message)) return notReady(cause)
  if (UNBLOCKED.test(cause.message)) {
    return new ConnectionLostError(`The server lost its role before it answered ${command}`, { cause })
  }
  return new CommandError(command, { cause })
}

function notReady(cause: Error): ServerNotReadyError {
  return new ServerNotReadyError(`Redis is not ready: ${cause.message}`, { cause })
}
