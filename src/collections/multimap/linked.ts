import { runCommand } from '../../command/operation/command.scripts.js'
import type { Operation, Parameter } from '../../command/operation/operation.js'
import type { PlainCommand } from '../../command/operation/command.js'
import { shaOf, type Script } from '../../command/operation/script.js'
import expiresAtLua from '../../core/lua/object/expires-at.lua'
import serverTimeLua from '../../core/lua/server-time.lua'
import linkLua from './lua/link.lua'
import otherHashLua from './lua/other-hash.lua'

/** An operation of any kind. */
export type AnyScript<R> = Script<string, string, R>

/** Scripts that were made, by the operations that they run. */
export type Made = WeakMap<Operation<string, string, unknown>, AnyScript<unknown>>

const made: Made = new WeakMap()

/** The names that a script takes besides. */
interface Added {
  readonly keys: readonly string[]
  readonly args: readonly string[]
}

const LINK: Added = { keys: ['multimap'], args: ['field', 'hash'] }

/**
 * A script that changes the values of a key of a multimap as another one does, and keeps the field of the key in step: see `link.lua`.
 *
 * The first key of that script has to be the one with the values. The new one takes a key `multimap` and the arguments `field` and `hash` besides.
 */
export function linkedScript<K extends string, A extends string, R>(script: Script<K, A, R>): AnyScript<R> {
  return memoized(made, script, () => linked(script))
}

/** The same for a command: its keys are `keys`, and all that is sent of it are `words`. */
export function linkedCommand<K extends string, A extends string, R>(
  command: PlainCommand<K, A, R>,
): AnyScript<R> {
  return memoized(made, command, () => linked(scriptOf(command)))
}

/** A script that runs a command: its keys are `keys`, and all that is sent of it are `words`. */
export function scriptOf<K extends string, A extends string, R>({
  name,
  reply,
  repeat,
  unchanged,
}: PlainCommand<K, A, R>): AnyScript<R> {
  return { ...runCommand, name, reply, repeat, unchanged }
}

/** What was made of an operation, or else is made now. */
export function memoized<R>(
  before: Made,
  operation: Operation<string, string, unknown>,
  make: () => AnyScript<R>,
): AnyScript<R> {
  const known = before.get(operation)
  if (known !== undefined) return known as AnyScript<R>
  const script = make()
  before.set(operation, script)
  return script
}

/** The same script with another source, which takes more keys and arguments behind its own. */
export function extendedScript<R>(script: AnyScript<R>, source: string, { keys, args }: Added): AnyScript<R> {
  return Object.freeze({
    ...script,
    source,
    sha: shaOf(source),
    keys: [...script.keys, ...keys],
    keyParameters: [...script.keyParameters, ...keys.map(asValue)],
    args: [...script.args, ...args],
    argParameters: [...script.argParameters, ...args.map(asValue)],
  })
}

function asValue(name: string): Parameter {
  return { name, takes: 'value' }
}

function linked<R>(script: AnyScript<R>): AnyScript<R> {
  return extendedScript(script, linkedSource(script.source), LINK)
}

/** The change comes first, so that it has its own lines, and finds no local names of ours. */
export function linkedSource(change: string): string {
  return `local change = function(...) ${change}\nend\n${serverTimeLua}\n${expiresAtLua}\n${otherHashLua}\n${linkLua}`
}
