import { createHash } from 'node:crypto'
import type { Argument } from '../../connection/connection.js'
import type { PlainCommand } from './command.js'
import type { Call, Definition, Operation, OwnKey } from './operation.js'
import { append, ownKeyOf, scriptParameters, type Sent } from './parameters.js'
import { heedingRefusals, publishing } from './publishing.js'

/** The key under which a script may remember its reply. */
export const REQUEST = 'request'

/** The text of a script of which only the hash is known. */
export const UNKNOWN_SOURCE = ''

/** The text of a script, and the hash by which servers know it. */
export interface Code {
  readonly source: string
  readonly sha: string
}

/** A script in Lua, and the names of what it takes. Its name is its file, without the ending: `lock/acquire`. */
export interface Script<K extends string, A extends string, R, Own extends K = K>
  extends Operation<K, A, R, Own>, Code {
  /**
   * Whether it remembers its reply itself, so that it can be repeated although it counts.
   *
   * Such a script has a key `request` and takes one argument more, the last: `rememberMs`. Unless that is 0, it has to keep its
   * reply under that key for this time, to return the same for copies of the request and to change nothing.
   */
  readonly remembers: boolean
  /** Whether the server shall refuse it if it writes. */
  readonly readOnly?: boolean
}

/** What an executor runs. */
export type Runnable<K extends string, A extends string, R, Own extends K = K> =
  PlainCommand<K, A, R, Own> | Script<K, A, R, Own>

interface ScriptDefinition<Keys extends readonly string[], A extends string, R> extends Omit<
  Definition<Keys[number], A, R>,
  'keys'
> {
  readonly keys: Keys
  /** The text that handles the ordinary way, before any function is made: it binds keys and arguments to names for the others as well. */
  readonly first?: string
  /** The texts of its files: those with local functions, then its own. */
  readonly lua: string | readonly string[]
  readonly readOnly?: boolean
}

/**
 * Gives a Lua file its typed face. The order of keys and arguments is known only here, and in the file's first lines.
 *
 * A script that has an argument `publish`, the command to publish by, does so with `tell()` of `lua/tell.lua`. One that has an argument `attempt`
 * is given the number of the copy, from 1.
 */
export function defineScript<const Keys extends readonly string[], const A extends string, R>(
  name: string,
  { first, lua, reply, ...rest }: ScriptDefinition<Keys, A, R>,
): Script<Keys[number], A, R, OwnKey<Keys>> {
  const publishes = rest.args.some((arg) => arg === 'publish')
  const body = typeof lua === 'string' ? lua : lua.join('\n')
  const others = publishes ? publishing(body) : body
  const source = first === undefined ? others : `${first}\n${others}`
  const keyParameters = scriptParameters(rest.keys)
  return Object.freeze({
    name,
    source,
    sha: shaOf(source),
    remembers: rest.repeat === 'counting' && rest.keys.some((key) => key === REQUEST),
    ownKey: ownKeyOf(keyParameters) as OwnKey<Keys> | undefined,
    keyParameters,
    argParameters: scriptParameters(rest.args),
    reply: publishes ? heedingRefusals(reply) : reply,
    ...rest,
  })
}

/** A script of which only the hash is known: a server that does not know it refuses to run it. */
export function knownScript<const Keys extends readonly string[], const A extends string, R>(
  name: string,
  sha: string,
  definition: Omit<ScriptDefinition<Keys, A, R>, 'lua'>,
): Script<Keys[number], A, R, OwnKey<Keys>> {
  return { ...defineScript(name, { lua: '', ...definition }), source: UNKNOWN_SOURCE, sha }
}

export function isScript<K extends string, A extends string, R>(
  operation: Runnable<K, A, R>,
): operation is Script<K, A, R> {
  return 'source' in operation
}

/** The hash by which servers know a script. */
export function shaOf(source: string): string {
  return createHash('sha1').update(source).digest('hex')
}

/** The commands that a script names in its text, in capitals. Those that it is given with its arguments are not among them. */
export function commandsIn(source: string): readonly string[] {
  const calls = source.matchAll(/redis\.p?call\('(\w+)'/g)
  return [...new Set([...calls].map(([, command = '']) => command.toUpperCase()))].sort()
}

/**
 * What `EVAL` takes: the code, or its hash; how many keys there are; then all values, in the order of the script's names.
 *
 * The command to publish by is what it is when a copy is sent: a lazy client may not have known it when it was called. It is left empty
 * where no one listens. The number of the copy lets a script distinguish a copy that comes late from one that follows a lost reply.
 */
export function argumentsOf<K extends string, A extends string>(
  code: string,
  { keyParameters, argParameters }: Operation<K, A, unknown>,
  call: Call<K, A>,
  { publish, attempt }: Sent,
): Argument[] {
  const values: Argument[] = [code, 0]
  append(values, keyParameters, call.keys)
  values[1] = values.length - 2
  append(values, argParameters, call.args, { publish: call.silent === true ? '' : publish, attempt })
  return values
}
