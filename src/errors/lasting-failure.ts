import { isRedissonError } from './redisson-error.js'
import { isTransient } from './transient.js'

/** Whether an error of work in the background goes away by itself, or with the client. */
export function isPassing(error: unknown): boolean {
  return isTransient(error) || isRedissonError(error, 'CLOSED')
}

/** A server repeats the arguments of a command that it does not know; they are left out. */
const ARGUMENTS = /, with args beginning with: .*/s

/** What an error says, to be reported to the process. */
export function wordsOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).replace(ARGUMENTS, '')
}
