import { type Bytes, Refusal, type Reply } from '../reply.js'
import { compileMain } from './compile/functions.js'
import type { LuaHost } from './host.js'
import { asLuaError } from './library/caught.js'
import { library } from './library/library.js'
import { sha1 } from './library/redis.js'
import { listOf, toReply } from './replies.js'
import { call } from './run/calls.js'
import type { LuaError } from './run/errors.js'
import { Table } from './run/table.js'
import { asText } from './run/texts.js'
import { toText } from './library/basics.js'
import { NATIVE, Thread } from './run/thread.js'
import { restartIdentities } from './run/identities.js'
import { parseScript } from './syntax/parse.js'
import { resolve } from './syntax/resolve.js'

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
  const { chunk, source: text } = parseScript(source)
  const resolution = resolve(chunk)
  const main = compileMain(chunk, { source: text, resolution, scope: resolution.main, zeros: new Map() })
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

/** What Redis replies to an error that a script has raised. */
function refusalOf({ value, site }: LuaError, sha: string, thread: Thread): Refusal {
  const error = value instanceof Table ? value.get('err') : undefined
  const message = typeof error === 'string' ? error : `ERR ${asText(toText(value, thread)) ?? ''}`
  return new Refusal(`${message} script: ${sha}, on ${site.source}:${site.line}.`.replace(/[\r\n]/g, ' '))
}
