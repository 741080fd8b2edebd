import { multimapValues } from '../../core/context/names.js'
import type { ObjectContext } from '../../core/context/object-context.js'
import type { Linking } from './linked.js'
import { ValuesExecutor, type NamedBy } from './values-executor.js'

/** What the values of one key of a multimap are called, and where they are. */
export interface ValuesPlace {
  readonly name: string
  readonly key: string
  /** The name of the multimap. */
  readonly multimapName: string
  readonly namedBy: NamedBy
}

/** What the set or list of the values of one key is given. */
export interface ValuesContext extends ObjectContext {
  readonly place: ValuesPlace
}

export function valuesContext(context: ObjectContext, place: ValuesPlace, linking: Linking): ValuesContext {
  return { ...context, executor: new ValuesExecutor(context.executor, place.namedBy, linking), place }
}

/**
 * What the name of values ends with where the `nameMapper` makes their key of no name. No other object takes such a name: it is no text that has
 * bytes.
 */
const UNMAPPED = '\ud800'

/** The name of which the `nameMapper` makes this key of values, so that all objects mean the same by it; or else one that they refuse. */
export function valuesName(
  { config }: ObjectContext,
  key: string,
  multimapName: string,
  hash: string,
): string {
  try {
    const name = config.unmapName(key)
    if (config.mapName(name) === key) return name
  } catch {
    // A mapper may refuse a key that it has not made.
  }
  return multimapValues(multimapName, hash) + UNMAPPED
}

/** The rest of the name of a key's values, behind that of the multimap: see `highwayHashName()`. */
export const HASH = /^[A-Za-z0-9+/]{22}$/

/**
 * The key of the values that have this name, of this key or another one of the multimap; undefined for names of which the `nameMapper` makes the key.
 */
export function placedKey({ place }: ValuesContext, name: string): string | undefined {
  if (name === place.name) return place.key
  const { namedBy, multimapName } = place
  const start = multimapValues(multimapName)
  if (typeof name !== 'string' || !name.startsWith(start) || !name.endsWith(UNMAPPED)) return undefined
  const hash = name.slice(start.length, -UNMAPPED.length)
  return HASH.test(hash) ? multimapValues(namedBy.multimap, hash) : undefined
}
