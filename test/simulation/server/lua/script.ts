import { type Bytes, Refusal, type Reply } from '../reply.js'
import { compileChunk } from './compile/chunk.js'
import type { LuaHost } from './host.js'
import { asLuaError } from './library/caught.js'
import { errorTextOf } from './library/error-text.js'
import { library } from './library/library.js'
import { sha1 } from './library/redis.js'
import { listOf, toReply } from './replies.js'
import { call } from './run/calls.js'
import type { LuaError } from './run/errors.js'
import { NATIVE, Thread } from './run/thread.js'
import { restartIdentities } from './run/identities.js'

export type { LuaHost } from './host.js'
export { LuaSyntaxError } from './run/errors.js'

/** A script that can be run again and again. */
export interface CompiledScript {
  /** Runs the script, and converts what it returns as Redis does. An error that it raises is a refusal. */
  run(host: LuaHost, keys: readonly Bytes[], argv: readonly Bytes[]): Reply
}

/**
 * Compiles a script in Lua 5.1, with the libraries that Redis 7.0 gives it.
 *
 * @throws LuaSyntaxError
 */
export function compileScript(source: Bytes): CompiledScript {
  const main = compileChunk(source, { chunkName: '@user_script', globals: library.globals })
  let sha: string | undefined
  return {
    run(host, keys, argv) {
      restartIdentities()
      const thread = new Thread(host)
      library.enter(listOf(keys), listOf(argv))
      try {
        return toReply(call(main, [], thread.native, NATIVE)[0])
      } catch (error) {
        sha ??= sha1(source)
        return refusalOf(asLuaError(error, thread), sha, thread)
      }
    },
  }
}

/**
 * What Redis replies to an error that a script or function has raised.
 *
 * @param name - the hash of the script, or the name of the function
 */
export function refusalOf(error: LuaError, name: Bytes, thread: Thread): Refusal {
  const { source, line } = error.site
  const text = `${errorTextOf(error, thread)} script: ${name}, on ${source}:${line}.`
  return new Refusal(text.replace(/[\r\n]/g, ' '))
}
