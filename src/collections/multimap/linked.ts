import { runCommand } from '../../command/operation/command.scripts.js'
import type { Operation, Parameter } from '../../command/operation/operation.js'
import type { PlainCommand } from '../../command/operation/command.js'
import { shaOf, type Script } from '../../command/operation/script.js'
import expiresAtLua from '../../core/lua/object/expires-at.lua'
import serverTimeLua from '../../core/lua/server-time.lua'
import linkLua from './lua/link.lua'
import otherHashLua from './lua/other-hash.lua'

/** An operation of any kind. */
type AnyScript<R> = Script<string, string, R>

/** The scripts that were made, by the operations that they run. */
const made = new WeakMap<Operation<string, string, unknown>, AnyScript<unknown>>()

const KEYS: readonly Parameter[] = [{ name: 'multimap', takes: 'value' }]
const ARGS: readonly Parameter[] = [
  { name: 'field', takes: 'value' },
  { name: 'hash', takes: 'value' },
]

/**
 * A script that changes the values of a key of a multimap as another one does, and keeps the field of the key in step: see `link.lua`.
 *
 * The first key of that script has to be the one with the values. The new one takes a key `multimap` and the arguments `field` and `hash` besides.
 */
export function linkedScript<K extends string, A extends string, R>(script: Script<K, A, R>): AnyScript<R> {
  return memoized(script, () => linked(script))
}

/** The same for a command: its keys are `keys`, and all that is sent of it are `words`. */
export function linkedCommand<K extends string, A extends string, R>(
  command: PlainCommand<K, A, R>,
): AnyScript<R> {
  const { name, reply, repeat, unchanged } = command
  return memoized(command, () => linked({ ...runCommand, name, reply, repeat, unchanged }))
}

function memoized<R>(operation: Operation<string, string, unknown>, make: () => AnyScript<R>): AnyScript<R> {
  const before = made.get(operation)
  if (before !== undefined) return before as AnyScript<R>
  const script = make()
  made.set(operation, script)
  return script
}

function linked<R>(script: AnyScript<R>): AnyScript<R> {
  const source = linkedSource(script.source)
  return Object.freeze({
    ...script,
    source,
    sha: shaOf(source),
    keys: [...script.keys, ...KEYS.map(({ name }) => name)],
    keyParameters: [...script.keyParameters, ...KEYS],
    args: [...script.args, ...ARGS.map(({ name }) => name)],
    argParameters: [...script.argParameters, ...ARGS],
  })
}

/** The change comes first, so that it has its own lines, and finds no local names of ours. */
export function linkedSource(change: string): string {
  return `local change = function(...) ${change}\nend\n${serverTimeLua}\n${expiresAtLua}\n${otherHashLua}\n${linkLua}`
}
