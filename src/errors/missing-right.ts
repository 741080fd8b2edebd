import { inspect } from 'node:util'

/** What Redis says where a user lacks a right, of which it names a command at most. */
const LACKS = /^NOPERM |ACL failure in script|The user executing the script can't/

/** Redis names the command that it refuses. */
const NAMED = /run the '/

/** Redis refuses a key, which it may not name. */
const OF_KEY = /\bkeys?\b/

/** How many names are shown. A call of many values may be several requests, of which one is refused: the number is that of its names. */
const SHOWN = 30

/** What a request needs rights for. */
export interface Needs {
  readonly keys: readonly string[]
  /** The commands of a script, as far as its text shows them. */
  readonly commands: readonly string[]
  readonly channels?: readonly string[]
}

/**
 * What a refused request needs, of the kind that the user lacks: Redis tells the kind, and not which one.
 *
 * @returns undefined where the user lacks no right, or where Redis has named it
 */
export function neededFor({ message }: Error, { keys, commands, channels = [] }: Needs): string | undefined {
  if (!LACKS.test(message) || NAMED.test(message)) return undefined
  if (OF_KEY.test(message)) return listed('key', keys.map(quoted))
  if (/\bchannels?\b/.test(message)) return listed('channel', channels.map(quoted))
  return listed('command', commands)
}

/** Returns whether Redis refuses a user a key, and may grant it others: in an error reply, or in the error of ours that it is the cause of. */
export function isForOneKey(error: Error): boolean {
  const { message } = error.cause instanceof Error ? error.cause : error
  return LACKS.test(message) && OF_KEY.test(message) && !NAMED.test(message)
}

function listed(kind: string, names: readonly string[]): string | undefined {
  if (names.length === 0) return undefined
  const shown = names.slice(0, SHOWN).join(', ')
  const others = names.length > SHOWN ? `, … ${String(names.length)} in this request` : ''
  return `${kind}${names.length > 1 ? 's' : ''} ${shown}${others}`
}

function quoted(name: string): string {
  return inspect(name, { breakLength: Infinity, maxStringLength: 80 })
}
