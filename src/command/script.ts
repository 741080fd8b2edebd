import { createHash } from 'node:crypto'
import type { Argument } from '../connection/connection.js'
import type { Decoder } from './replies.js'

/**
 * A script in Lua, and the names of what it takes.
 *
 * A name that begins with three dots is the last one, and stands for a list.
 */
export interface Script<K extends string, A extends string, R> {
  /** Its file, without the ending: `lock/acquire`. */
  readonly name: string
  readonly source: string
  readonly sha: string
  readonly keys: readonly K[]
  readonly args: readonly A[]
  readonly reply: Decoder<R>
  /**
   * Whether it counts, so that a second run would change more than the first.
   *
   * Such a script takes one argument more, the last: `rememberMs`. Unless that is 0, it has to remember under its key
   * `request` for so long what it answered, to answer the same to copies of the request and to change nothing.
   */
  readonly counts: boolean
}

/** What one run of a script is given, by name. */
export interface ScriptCall<K extends string, A extends string> {
  readonly keys: Named<K, string>
  readonly args: Named<A, Argument>
}

/** A record with one value for each name, and a list for a name with three dots. */
export type Named<N extends string, V> = {
  readonly [P in N as P extends `...${infer List}` ? List : P]: P extends `...${string}` ? readonly V[] : V
}

interface Definition<K extends string, A extends string, R> {
  /** The texts of its files: first those with local functions, then its own. */
  readonly lua: string | readonly string[]
  readonly keys: readonly K[]
  readonly args: readonly A[]
  readonly reply: Decoder<R>
  readonly counts: boolean
}

/** Gives a Lua file its typed face. The order of keys and arguments is known only here, and in the file's first lines. */
export function defineScript<const K extends string, const A extends string, R>(
  name: string,
  { lua, ...rest }: Definition<K, A, R>,
): Script<K, A, R> {
  const source = typeof lua === 'string' ? lua : lua.join('\n')
  return Object.freeze({ name, source, sha: createHash('sha1').update(source).digest('hex'), ...rest })
}

/** What `EVAL` takes: the code, or its hash; how many keys there are; then all values, in the order of the script's names. */
export function argumentsOf<K extends string, A extends string>(
  code: string,
  { keys, args }: Pick<Script<K, A, unknown>, 'keys' | 'args'>,
  call: ScriptCall<K, A>,
): Argument[] {
  const values: Argument[] = [code, 0]
  append(values, keys, call.keys)
  values[1] = values.length - 2
  append(values, args, call.args)
  return values
}

function append(
  list: Argument[],
  names: readonly string[],
  values: Readonly<Record<string, Argument | readonly Argument[]>>,
): void {
  for (const name of names) {
    if (!name.startsWith('...')) list.push(values[name] as Argument)
    else for (const value of values[name.slice(3)] as readonly Argument[]) list.push(value)
  }
}
