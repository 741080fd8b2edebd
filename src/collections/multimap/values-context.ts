import { multimapValues } from '../../core/names.js'
import type { ObjectContext } from '../../core/object-context.js'
import { ValuesExecutor, type Link } from './values-executor.js'

/** What the values of one key of a multimap are called, and where they are. */
export interface ValuesPlace {
  readonly name: string
  readonly key: string
  /** The name of the multimap. */
  readonly multimapName: string
  readonly link: Link
}

/** What the set or list of the values of one key is given. */
export interface ValuesContext extends ObjectContext {
  readonly place: ValuesPlace
}

export function valuesContext(context: ObjectContext, place: ValuesPlace): ValuesContext {
  return { ...context, executor: new ValuesExecutor(context.executor, place.link), place }
}

/** The rest of the name of a key's values, behind that of the multimap: see `highwayHashName()`. */
export const HASH = /^[A-Za-z0-9+/]{22}$/

/**
 * The key of the values that have this name, of this key or another one of the multimap; undefined for other names, which are mapped as any name is.
 *
 * It follows from the key of the multimap, which is mapped already.
 */
export function placedKey({ place }: ValuesContext, name: string): string | undefined {
  if (name === place.name) return place.key
  const { link, multimapName } = place
  const start = multimapValues(multimapName)
  if (typeof name !== 'string' || !name.startsWith(start)) return undefined
  const hash = name.slice(start.length)
  return HASH.test(hash) ? multimapValues(link.multimap, hash) : undefined
}
