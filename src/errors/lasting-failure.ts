import { factOf, isError, messageOf } from '../util/thrown/thrown.js'
import { isRedissonError } from './redisson-error.js'
import { isTransient } from './transient.js'

/** Whether an error of work in the background goes away by itself, or with the client. */
export function isPassing(error: unknown): boolean {
  return isTransient(error) || isRedissonError(error, 'CLOSED')
}

/** A server repeats the arguments of a command that it does not know; they are left out. */
const ARGUMENTS = /, with args beginning with: .*/s

/** What an error says, to be reported to the process. Never throws. */
export function wordsOf(error: unknown): string {
  return messageOf(error).replace(ARGUMENTS, '')
}

/**
 * What the server, or a script, has said of a request; empty for any other error. The message of the error has the names of keys as well, which may have any
 * words.
 */
export function repliedWords(error: unknown): string {
  const isReply = isRedissonError(error, 'COMMAND') || isRedissonError(error, 'SCRIPT')
  const cause = isReply ? factOf(error, 'cause') : undefined
  return isError(cause) ? messageOf(cause) : ''
}

/** Whether a script has returned an error that begins with this word. Redis puts `ERR` before one that is a single word. */
export function hasReturned(error: unknown, word: string): boolean {
  const [first, second] = repliedWords(error).split(' ', 2)
  return isRedissonError(error, 'SCRIPT') && (first === 'ERR' ? second : first) === word
}
