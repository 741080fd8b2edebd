import { isRedissonError, type RedissonError } from '../../errors/redisson-error.js'
import { NoSuchGroupError } from './stream.errors.js'

const NO_GROUP = /\bNOGROUP /
const NO_KEY = /requires the key to exist|no such key/

/** Whether Redis has said that there is no stream. */
export function isMissingKey(error: unknown): boolean {
  return saidOf(error).some((words) => NO_KEY.test(words))
}

/** Whether Redis has said that there is no group, or no stream that could have one. */
export function isMissingGroup(error: unknown): boolean {
  return saidOf(error).some((words) => NO_GROUP.test(words) || NO_KEY.test(words))
}

/** The result of a request about a group. */
export async function ofGroup<T>(result: Promise<T>, stream: string, group: string): Promise<T> {
  try {
    return await result
  } catch (cause) {
    throw isMissingGroup(cause) ? new NoSuchGroupError(stream, group, { cause }) : cause
  }
}

/** Whether Redis has refused a request with an error of its own. */
export function isRefused(error: unknown): error is RedissonError {
  return (
    isRedissonError(error, 'COMMAND') ||
    isRedissonError(error, 'SCRIPT') ||
    isRedissonError(error, 'WRONG_TYPE')
  )
}

function saidOf(error: unknown): string[] {
  return isRefused(error) && error.cause instanceof Error ? [error.cause.message] : []
}
