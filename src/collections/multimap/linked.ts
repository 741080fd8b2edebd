import { runCommand } from '../../command/operation/command.scripts.js'
import type { PlainCommand } from '../../command/operation/command.js'
import { isScript, type Runnable } from '../../command/operation/script.js'
import expiresAtLua from '../../core/lua/object/expires-at.lua'
import serverTimeLua from '../../core/lua/server-time.lua'
import { extendedScript, memoized, type Added, type AnyScript, type Made } from '../shared/extended-script.js'
import beginKeyLua from './lua/begin-key.lua'
import endOfValuesLua from './lua/end-of-values.lua'
import expireValuesLua from './lua/expire-values.lua'
import linkLua from './lua/link.lua'
import otherHashLua from './lua/other-hash.lua'

const LINK: Added = { keys: ['multimap'], args: ['field', 'hash'] }

/** Makes of an operation on the values of a key a script that knows the multimap as well. */
export type Link = <K extends string, A extends string, R>(operation: Runnable<K, A, R>) => AnyScript<R>

/** How the values of a key and their multimap are kept in step. */
export interface Linking {
  /** What is made of operations that may change the values. */
  readonly changing: Link
  /** What is made of operations that only read them; undefined if these are sent as they are. */
  readonly reading?: Link
}

/**
 * Makes of operations scripts with another source. The keys of a command are `keys` then, and all that is sent of it are `words`.
 *
 * The first key has to be the one with the values. The new script takes a key `multimap` and the arguments `field` and `hash` besides.
 */
export function linkBy(sourceOf: (change: string) => string): Link {
  const made: Made = new WeakMap()
  return (operation) =>
    memoized(made, operation, () => {
      const script = isScript(operation) ? operation : scriptOf(operation)
      return extendedScript(script, sourceOf(script.source), LINK)
    })
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

/**
 * The source of a script that changes the values of a key of a multimap as another one does, and keeps the field of the key in step: see `link.lua`.
 *
 * The change comes first, so that it has its own lines, and finds no local names of ours.
 *
 * @param endLua - finds when the values expire, by `endOfValues()`
 * @param beginLua - prepares those of a key that the multimap does not name, by `beginKey()`
 */
export function linkedSource(change: string, endLua = endOfValuesLua, beginLua = beginKeyLua): string {
  const functions = [serverTimeLua, expiresAtLua, otherHashLua, endLua, expireValuesLua, beginLua]
  return [`local change = function(...) ${change}\nend`, ...functions, linkLua].join('\n')
}

/** Changes keep the field of the key in step, and the values are read as they are. */
export const LINKED: Linking = { changing: linkBy((change) => linkedSource(change)) }
