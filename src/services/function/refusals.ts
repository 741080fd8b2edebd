import { mayHaveTakenEffect } from '../../errors/after-effect.js'
import { repliedWords } from '../../errors/lasting-failure.js'
import { isRedissonError } from '../../errors/redisson-error.js'
import { NoSuchObjectError, ObjectExistsError } from '../../errors/object-errors.js'
import { UnsupportedCommandError } from '../../errors/topic-errors.js'
import { isUnknown } from '../shared/code-failures.js'

const EXISTS = /^ERR (Library|Function) '?(\w+)'? already exists$/
const LOADED = /^ERR Library .* already exists$/
const NO_LIBRARY = /^ERR Library not found$/
const NO_FUNCTION = /^ERR Function not found$/

/** What a server says of bytes that are no dump of functions, or one of a later version. */
const UNREADABLE = /DUMP payload|given type is not a function/i

/** Whether a server has the libraries already that were to be loaded there. */
export function isLoaded(error: unknown): boolean {
  return LOADED.test(wordsOf(error))
}

/** Whether a server has no library any more that was to be deleted there. */
export function isDeleted(error: unknown): boolean {
  return NO_LIBRARY.test(wordsOf(error))
}

/**
 * Says in the words of this library why a server refused to change libraries.
 *
 * @param library - the one that was named; empty where none was
 */
export function libraryRefusal(error: unknown, library: string): unknown {
  const words = wordsOf(error)
  const options = { cause: error, mayHaveRun: mayHaveTakenEffect(error) }
  const [, kind, name] = EXISTS.exec(words) ?? []
  if (kind !== undefined && name !== undefined)
    return new ObjectExistsError(name, `a ${kind.toLowerCase()}`, options)
  if (isDeleted(error)) return new NoSuchObjectError(library, 'library', options)
  if (UNREADABLE.test(words)) {
    const expected = '`state` to be the bytes of dump(), at a server of this version or an earlier one'
    return new RangeError(`Expected ${expected}`, { cause: error })
  }
  return unsupported(error, 'function')
}

/**
 * Says why a server refused to call a function. What a function says itself stays as it is, unless a server would say just that.
 *
 * @param command - by which it was called, in small letters
 */
export function callRefusal(error: unknown, name: string, command: string): unknown {
  if (NO_FUNCTION.test(wordsOf(error))) return new NoSuchObjectError(name, 'function', { cause: error })
  return unsupported(error, command)
}

function unsupported(error: unknown, command: string): unknown {
  if (!isUnknown(error, command)) return error
  return new UnsupportedCommandError('getFunction()', 'Redis 7', {
    cause: error,
    mayHaveRun: mayHaveTakenEffect(error),
  })
}

/** What the server has said; empty where the error is another. */
function wordsOf(error: unknown): string {
  return isRedissonError(error, 'COMMAND') ? repliedWords(error) : ''
}
