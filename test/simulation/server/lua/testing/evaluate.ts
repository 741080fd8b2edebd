import type { Bytes, Reply } from '../../reply.js'
import { compileScript } from '../script.js'
import { fewCommands } from './few-commands.js'
import { SHOWING } from './shown.js'

/** The reply to a script that is given two keys and two arguments. */
export function evaluate(script: Bytes): Reply {
  return compileScript(script).run(fewCommands(), ['k1', 'k2'], ['a1', 'a2'])
}

/** A text with all values that the body of a script returns, or with its error. */
export function shown(body: Bytes): Reply {
  return evaluate(`${SHOWING} return all((function() ${body}\nend)())`)
}
