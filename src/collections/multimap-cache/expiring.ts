import type { PlainCommand } from '../../command/operation/command.js'
import type { Script } from '../../command/operation/script.js'
import serverTimeLua from '../../core/lua/server-time.lua'
import { scriptOf } from '../multimap/linked.js'
import otherHashLua from '../multimap/lua/other-hash.lua'
import { extendedScript, memoized, type AnyScript, type Made } from '../shared/extended-script.js'
import expiringLua from './lua/expiring.lua'
import sweepLua from './lua/sweep.lua'

/** The keys that such a script takes besides, in their order. */
export const ADDED_KEYS = ['endsOfKeys', 'prefixOfValues', 'wholeMultimap'] as const

const made: Made = new WeakMap()

/** A script that does what another one does, once no key of a multimap is left that has ended: see `expiring.lua`. */
export function expiringScript<K extends string, A extends string, R>(script: Script<K, A, R>): AnyScript<R> {
  return memoized(made, script, () => expiring(script))
}

/** The same for a command: its keys are `keys`, and all that is sent of it are `words`. */
export function expiringCommand<K extends string, A extends string, R>(
  command: PlainCommand<K, A, R>,
): AnyScript<R> {
  return memoized(made, command, () => expiring(scriptOf(command)))
}

function expiring<R>(script: AnyScript<R>): AnyScript<R> {
  return extendedScript(script, expiringSource(script.source), { keys: ADDED_KEYS, args: [] })
}

/** The change comes first, so that it has its own lines, and finds no local names of ours. It is given what it calls Redis by. */
export function expiringSource(change: string): string {
  return `local change = function(redis) ${change}\nend\n${serverTimeLua}\n${otherHashLua}\n${sweepLua}\n${expiringLua}`
}
