import { isRefusedScript } from '../../command/operation/refused-script.js'
import { isRedissonError } from '../../errors/redisson-error.js'
import { ScriptError } from '../../errors/reply-errors.js'

/**
 * What an error means where the program's own code has run: it is that of the code, whichever of its commands was refused, and does not say
 * that nothing was written before.
 *
 * @param name - what was called
 */
export function codeFailure(error: unknown, name: string): unknown {
  if (!isRedissonError(error, 'COMMAND') && !isRedissonError(error, 'WRONG_TYPE')) return error
  const cause = error.cause as Error
  return new ScriptError(name, { mayHaveRun: error.mayHaveRun || !isRefusedScript(cause), cause })
}

/**
 * Whether a server does not know the command itself; code that asks for a command which is unknown gets another error.
 *
 * @param command - in small letters
 */
export function isUnknown(error: unknown, command: string): error is Error {
  if (!isRedissonError(error) || !(error.cause instanceof Error)) return false
  const [, named = ''] = /^ERR unknown command .?(\w+)/i.exec(error.cause.message) ?? []
  return named.toLowerCase() === command
}
