import type { Bytes } from '../../reply.js'

/** The hash of a string as the Lua of Redis computes it. The order in which `pairs` walks a table depends on it. */
export function hashOf(text: Bytes): number {
  let hash = text.length
  for (let at = text.length; at > 0; at--) {
    hash = (hash ^ ((hash << 5) + (hash >>> 2) + text.charCodeAt(at - 1))) | 0
  }
  return hash >>> 0
}
