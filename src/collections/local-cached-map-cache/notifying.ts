import { boolean, bytes, integer, list, tuple } from '../../command/operation/replies.js'
import { heedingRefusals, publishing } from '../../command/operation/publishing.js'
import type { Script } from '../../command/operation/script.js'
import serverTimeLua from '../../core/lua/server-time.lua'
import { extendedScript, memoized, type AnyScript, type Made } from '../shared/extended-script.js'
import keepableLua from './lua/shared/keepable.lua'
import notifyingLua from './lua/notifying.lua'

/**
 * The reply to a change: what the change returns, whether an entry was changed, when the map expires, for how long the entry may be kept, and the keys
 * of those that were removed to make room for it.
 */
export type Notified<R> = readonly [
  result: R,
  isChanged: boolean,
  leftMs: number,
  entryLeftMs: number,
  evicted: readonly Buffer[],
]

/** The arguments that such a script takes besides, in their order. */
const ADDED_ARGS = ['channel', 'message', 'publish']

const made: Made = new WeakMap()

/** A script that changes a map cache as another one does, and notifies the local caches in the same step: see `notifying.lua`. */
export function notifyingScript<K extends string, A extends string, R>(
  script: Script<K, A, R>,
): AnyScript<Notified<R>> {
  return memoized(made, script, () => notifying(script))
}

function notifying<R>(script: AnyScript<R>): AnyScript<Notified<R>> {
  const reply = heedingRefusals(tuple(script.reply, boolean, integer, integer, list(bytes)))
  return extendedScript({ ...script, reply }, notifyingSource(script.source), { keys: [], args: ADDED_ARGS })
}

/** The change comes first, so that it has its own lines, and finds no local names of ours. It is given what it calls Redis by. */
export function notifyingSource(change: string): string {
  const tell = publishing(`${serverTimeLua}\n${keepableLua}\n${notifyingLua}`)
  return `local change = function(redis) ${change}\nend\n${tell}`
}
