import { isRedissonError, type RedissonError } from './redisson-error.js'

/** Whether the same call may succeed a moment later: Redis could not be reached, or was not ready. */
export function isTransient(error: unknown): error is RedissonError {
  return (
    isRedissonError(error, 'CONNECTION_LOST') ||
    isRedissonError(error, 'REPLY_TIMEOUT') ||
    isRedissonError(error, 'SERVER_NOT_READY')
  )
}

/** Whether the same call may succeed later, if only once Redis lets this client in again. */
export function mayPass(error: unknown): boolean {
  return isTransient(error) || isRedissonError(error, 'AUTHENTICATION')
}

/** What servers say of states that last until somebody does something. */
const LASTS = /^(?:ERR Error running script .*? -)?(?:OOM|MISCONF|NOREPLICAS) /

/** Whether Redis has refused a request for what seldom passes within seconds: it is full, cannot write to its disk, or has too few replicas. */
export function isLasting(error: unknown): boolean {
  if (!isRedissonError(error, 'SERVER_NOT_READY')) return false
  return error.cause instanceof Error && LASTS.test(error.cause.message)
}

/**
 * Returns whether no node of a cluster has run a request. Perhaps its slot is moving and its keys are at two
 * nodes: then each key can be reached, but not all at once.
 */
export function isBetweenNodes(error: unknown): error is RedissonError {
  if (!isRedissonError(error, 'SERVER_NOT_READY')) return false
  return (
    error.cause instanceof Error && /^(?:TRYAGAIN|Too many Cluster redirections)/.test(error.cause.message)
  )
}

/** Whether a node of a cluster has not run a request because another one serves its key. */
export function isRedirection(error: unknown): boolean {
  if (!isRedissonError(error, 'SERVER_NOT_READY')) return false
  return error.cause instanceof Error && /^(?:MOVED|ASK) /.test(error.cause.message)
}

/** Whether a release may not have reached Redis, so that it has to be sent again. */
export function isUnconfirmed(error: unknown): boolean {
  return mayHaveRun(error) || mayPass(error)
}

/** Whether a copy of a request was sent without a reply. */
export function mayHaveBeenSent(error: unknown): error is RedissonError {
  if (!isRedissonError(error, 'CONNECTION_LOST') && !isRedissonError(error, 'REPLY_TIMEOUT')) return false
  return error.mayHaveRun
}

/** Whether no copy of a request was sent, because there was no connection for it. */
export function wasNotSent(error: unknown): boolean {
  if (isRedissonError(error, 'AUTHENTICATION')) return true
  if (!isRedissonError(error, 'CONNECTION_LOST') && !isRedissonError(error, 'REPLY_TIMEOUT')) return false
  return !error.mayHaveRun
}

/** Whether a request may have run although it failed: there is no reply, none that can be read, or the client was closed before there was one. */
export function mayHaveRun(error: unknown): boolean {
  if (isRedissonError(error, 'CLOSED') || isRedissonError(error, 'ABORTED') || isTransient(error))
    return error.mayHaveRun
  return isRedissonError(error, 'UNEXPECTED_REPLY')
}
