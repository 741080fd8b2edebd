import { type Bytes, Refusal, type Reply } from '../../reply.js'
import { compileScript, LuaSyntaxError } from '../script.js'
import { fewCommands } from './few-commands.js'

/** The key that scripts are given, with a string behind it. */
export const KEY = '{x}key'
export const VALUE = 'value'
export const ARGS: readonly Bytes[] = ['a', 'b']

/** What Redis writes before the message of a script that is no Lua. */
const COMPILING = 'ERR Error compiling script (new function): '

const server = fewCommands()

/** What the interpreter makes of a script. */
export function replyOf(script: Bytes): Reply {
  server.call(['set', KEY, VALUE])
  try {
    return compileScript(script).run(server, [KEY], ARGS)
  } catch (error) {
    if (error instanceof LuaSyntaxError) return new Refusal(COMPILING + error.message)
    throw error
  }
}

/** A reply without what cannot be the same: the sign of NaN, which JavaScript does not know, and addresses. */
export function comparable(reply: Reply): Reply {
  if (typeof reply === 'string') return withoutDifferences(reply)
  if (reply instanceof Refusal) return new Refusal(withoutDifferences(reply.text))
  return Array.isArray(reply) ? reply.map(comparable) : reply
}

function withoutDifferences(text: Bytes): Bytes {
  return text.replace(/-(?=nan)/gi, '').replace(/0x[0-9a-f]{12}/g, '0x')
}
