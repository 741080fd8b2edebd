import { runCommand } from '../../command/operation/command.scripts.js'
import type { PlainCommand } from '../../command/operation/command.js'
import type { Script } from '../../command/operation/script.js'
import expiresAtLua from '../../core/lua/object/expires-at.lua'
import serverTimeLua from '../../core/lua/server-time.lua'
import { extendedScript, memoized, type Added, type AnyScript, type Made } from '../shared/extended-script.js'
import linkLua from './lua/link.lua'
import otherHashLua from './lua/other-hash.lua'

const made: Made = new WeakMap()

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

function linked<R>(script: AnyScript<R>): AnyScript<R> {
  return extendedScript(script, linkedSource(script.source), LINK)
}

/** The change comes first, so that it has its own lines, and finds no local names of ours. */
export function linkedSource(change: string): string {
  return `local change = function(...) ${change}\nend\n${serverTimeLua}\n${expiresAtLua}\n${otherHashLua}\n${linkLua}`
}
