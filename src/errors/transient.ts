import { isRedissonError } from './redisson-error.js'

/** Whether the same call may well succeed a moment later: Redis could not be asked, or was not ready. */
export function isTransient(error: unknown): boolean {
  return (
    isRedissonError(error, 'CONNECTION_LOST') ||
    isRedissonError(error, 'REPLY_TIMEOUT') ||
    isRedissonError(error, 'SERVER_NOT_READY')
  )
}
