import type { RawClient } from '../../../differential/raw-client.js'
import { type Bytes, Refusal, type Reply } from '../../reply.js'
import type { LuaHost } from '../host.js'
import { RandomNumbers } from '../run/random-numbers.js'
import { compileScript } from '../script.js'
import type { Run } from './library-scripts.js'

/** What a run has done: the commands with their replies, and what came of it. */
export interface Recording {
  readonly commands: readonly (readonly Reply[])[]
  readonly outcome: Outcome
}

type Outcome = { readonly reply: Reply } | { readonly error: string }

/** Comes before a script in its first line, and notes each command and its reply. */
const BEFORE = [
  'local done, real = {}, redis',
  'local function noted(...)',
  'local words, reply = {}, real.pcall(...)',
  "for i = 1, select('#', ...) do local word = select(i, ...)",
  "words[i] = type(word) == 'number' and string.format('%.17g', word) or word",
  "if type(words[i]) ~= 'string' then return reply end end", // it has not been sent
  'done[#done + 1] = {words, reply} return reply end',
  'local redis = setmetatable({ pcall = noted, call = function(...) local reply = noted(...)',
  "if type(reply) == 'table' and reply.err then error(reply) end return reply end }, { __index = real })",
  'local ok, result = pcall(function() ',
].join(' ')

const AFTER = "\nend) return { ok and 'ok' or 'error', { result or false }, done }"

/** Runs a script on a real server. */
export async function record(real: RawClient, source: Bytes, { keys, argv }: Run): Promise<Recording> {
  const reply = await real.command('EVAL', BEFORE + source + AFTER, String(keys.length), ...keys, ...argv)
  if (!Array.isArray(reply)) throw new Error(`A script could not be recorded: ${JSON.stringify(reply)}`)
  const [state, results, commands] = reply as [string, Reply[], (readonly Reply[])[]]
  const [result = null] = results
  return {
    commands,
    outcome: state === 'ok' ? { reply: result } : { error: typeof result === 'string' ? result : '' },
  }
}

/** Runs a script in the interpreter, whose commands are given the replies that were recorded. */
export function replay(source: Bytes, { keys, argv }: Run, { commands }: Recording): Recording {
  const done: Reply[][] = []
  const host: LuaHost = {
    random: new RandomNumbers(),
    call(args) {
      const reply = commands[done.length]?.[1] ?? null
      done.push([args, reply])
      return reply
    },
  }
  return { commands: done, outcome: outcomeOf(compileScript(source).run(host, keys, argv)) }
}

/** An error that a script raises says which script it was, and one that it returns does not. */
function outcomeOf(reply: Reply): Outcome {
  if (!(reply instanceof Refusal)) return { reply }
  const [, message] =
    /^(?:ERR (?=user_script))?(.*) script: [0-9a-f]{40}, on @user_script:\d+\.$/s.exec(reply.text) ?? []
  return message === undefined ? { reply } : { error: message }
}
