import { failure, failureWithoutLine, LuaError } from '../run/errors.js'
import type { Thread } from '../run/thread.js'

/** An error as a script sees it. One that is none of a script's is thrown on. */
export function asLuaError(error: unknown, thread: Thread): LuaError {
  if (error instanceof LuaError) return error
  if (!(error instanceof RangeError)) throw error
  if (error.message.startsWith('Maximum call stack')) return failure(thread, 'stack overflow')
  if (/^Invalid (?:string|array) length/.test(error.message))
    return failureWithoutLine(thread, 'not enough memory')
  throw error
}
