import { multimapValues } from '../../core/context/names.js'
import type { ObjectRequests } from '../../core/object-requests.js'
import { highwayHashName } from '../../util/hash/highway-hash.js'
import { newTtl } from '../map-cache-native/map-cache-native-options.js'
import { withEndsOfFields } from '../map-cache-native/unsupported.js'
import { linkBy, linkedSource, type Linking } from '../multimap/linked.js'
import beginKeyLua from './lua/begin-key.lua'
import endOfValuesLua from './lua/end-of-values.lua'
import endsOfKeysLua from './lua/ends-of-keys.lua'
import readLua from './lua/read.lua'
import * as scripts from './multimap-cache-native.scripts.js'

const endLua = [endsOfKeysLua, endOfValuesLua].join('\n')

/** The source of a script that changes the values of a key, which expire with it: see `link.lua`. */
export function changingSource(change: string): string {
  return linkedSource(change, endLua, beginKeyLua)
}

/** The source of a script that reads the values of a key as another one does, if there is such a key: see `read.lua`. */
export function readingSource(change: string): string {
  return [`local change = function(...) ${change}\nend`, beginKeyLua, readLua].join('\n')
}

/**
 * How the values of a key are kept in step with it: what the multimap does not name has ended, also where its values have not.
 *
 * As that may remove something, all is asked of the master.
 */
export const NATIVE: Linking = { changing: linkBy(changingSource), reading: linkBy(readingSource) }

/** Sets when a key ends. Returns whether it is there. */
export async function expireKey(requests: ObjectRequests, field: Buffer, ttlMs: number): Promise<boolean> {
  const hash = highwayHashName(field)
  const args = { field, hash, ttlMs: ttlMs === 0 ? 0 : newTtl({ ttlMs }) }
  const values = multimapValues(requests.key, hash)
  return await withEndsOfFields(requests.ask(scripts.expireKey, args, { values }))
}
