import type { Bytes, Reply } from '../reply.js'
import { compileChunk } from './compile/chunk.js'
import type { LuaHost } from './host.js'
import { asLuaError } from './library/caught.js'
import { errorTextOf } from './library/error-text.js'
import { FunctionGlobals } from './library/function-globals.js'
import { errorWith } from './library/redis.js'
import { registrationOf, type Registration } from './library/register-function.js'
import { listOf, toReply } from './replies.js'
import { call } from './run/calls.js'
import { NATIVE, Thread } from './run/thread.js'
import { type Func, NO_VALUES } from './run/values.js'
import { refusalOf } from './script.js'

/** A function that a library has registered. */
export interface LibraryFunction extends Omit<Registration, 'callback'> {
  /** Runs the function, and converts what it returns as Redis does. An error that it raises is a refusal. */
  run(host: LuaHost, keys: readonly Bytes[], args: readonly Bytes[]): Reply
}

/** What the code of a library raises while it is loaded. The message is that of Redis. */
export class LoadError extends Error {}

/**
 * Runs the code of a library, and returns the functions that it registers.
 *
 * @throws LuaSyntaxError, LoadError
 */
export function loadFunctions(code: Bytes, host: LuaHost): readonly LibraryFunction[] {
  const globals = new FunctionGlobals()
  const main = compileChunk(code, { chunkName: '@user_function', globals: globals.table })
  const thread = new Thread(host)
  const functions = new Map<Bytes, LibraryFunction>()
  globals.whileLoading(
    (args, registering) => {
      const registration = registrationOf(args, registering)
      if (functions.has(registration.name))
        throw errorWith('Function already exists in the library', registering)
      functions.set(registration.name, functionOf(registration))
      return NO_VALUES
    },
    () => {
      try {
        call(main, [], thread.native, NATIVE)
      } catch (error) {
        throw new LoadError(errorTextOf(asLuaError(error, thread), thread), { cause: error })
      }
    },
  )
  return [...functions.values()]
}

function functionOf({ callback, ...registration }: Registration): LibraryFunction {
  const { name } = registration
  return { ...registration, run: (host, keys, args) => run(callback, name, { host, keys, args }) }
}

interface Invocation {
  readonly host: LuaHost
  readonly keys: readonly Bytes[]
  readonly args: readonly Bytes[]
}

function run(callback: Func, name: Bytes, { host, keys, args }: Invocation): Reply {
  const thread = new Thread(host)
  try {
    return toReply(call(callback, [listOf(keys), listOf(args)], thread.native, NATIVE)[0])
  } catch (error) {
    return refusalOf(asLuaError(error, thread), name, thread)
  }
}
