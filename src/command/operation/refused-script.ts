import { replyIn } from '../../connection/login/ioredis-errors.js'
import { CommandError } from '../../errors/reply-errors.js'
import type { Operation } from './operation.js'

/** What a server says that does not begin a script or a function. */
const REFUSALS = [
  'NOSCRIPT No matching script',
  'NOPERM (?:this user|User|No permissions)(?!.*ACL failure in script)',
  'NOAUTH Authentication required',
  "CROSSSLOT Keys in request don't hash",
  String.raw`ERR unknown command .?(?:eval|evalsha|fcall|EVAL|EVALSHA|FCALL)\b`, // one that only reads is asked for by another name
  'ERR Function not found',
  'ERR Can not (?:run|execute a) script ',
  String.raw`MOVED \d+ \S+$`,
  String.raw`ASK \d+ \S+$`,
  'TRYAGAIN Multiple keys request',
  'CLUSTERDOWN (?:The cluster is down|Hash slot not served)',
  String.raw`LOADING \w+ is loading`,
  'MASTERDOWN Link with MASTER is down',
  String.raw`BUSY \w+ is busy running`,
]

const REFUSED = new RegExp(`^(?:${REFUSALS.join('|')})`)

/** Where in a script it has failed. */
const INSIDE = / script: \S+, on @\w+:\d+\.?$/

/**
 * Whether a script or a function was refused as a whole, so that nothing of it has run. Its own errors may begin with the same word, so that more than the
 * word is compared.
 */
export function isRefusedScript({ message }: Error): boolean {
  return REFUSED.test(message) && !INSIDE.test(message)
}

/** Whether an error of an operation that looks like a refusal may be one of the program's own code, after it has written. */
export function mayFailInAnyWords({ ofProgram, repeat }: Operation<string, string, unknown>): boolean {
  return ofProgram === true && repeat === 'counting'
}

/** The error of a copy that runs the program's code: unless the server has refused it, the code has begun. */
export function errorOfCode(error: unknown, command: string): unknown {
  const cause = replyIn(error)
  if (cause === undefined || isRefusedScript(cause)) return error
  return new CommandError(command, { cause, mayHaveRun: true })
}
