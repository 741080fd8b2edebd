import { demandName, hasSlots, keyOf } from '../../core/arguments/arguments.js'
import { prefixed } from '../../core/context/names.js'
import type { ObjectContext } from '../../core/context/object-context.js'

/** Stands between the name of a cache and a key. A name that had it could have keys in common with another one. */
const SEPARATOR = ':{'

/** The names in Redis of one cache. */
export class CacheKeys {
  readonly channel: string
  readonly #name: string
  readonly #areTogether: boolean

  /** @throws TypeError for a name that is none, or could have keys of another cache */
  constructor(context: ObjectContext, name: string) {
    this.#name = keyOf(context, name)
    if (this.#name.includes(SEPARATOR))
      throw new TypeError(`Expected \`name\` to have no '${SEPARATOR}' in it`)
    this.#areTogether = !hasSlots(context.topology) || this.#name.includes('{')
    this.channel = prefixed('ioredisson_cache', this.#name)
  }

  /** The entry of a key, and the mark of a load of it: they are in one slot. */
  of(key: string): { readonly entry: string; readonly mark: string } {
    demandPart('key', key)
    const entry = `${this.#name}${SEPARATOR}${key}}`
    return { entry, mark: `ioredisson_cache_load:${entry}` }
  }

  /** Whether all keys of the cache are in one slot. */
  get areTogether(): boolean {
    return this.#areTogether
  }

  /** When the entries of a tag were deleted and expired; of all entries for the empty tag. */
  timesOf(tag: string): string {
    return tag === ''
      ? prefixed('ioredisson_cache_clear', this.#name)
      : `ioredisson_cache_tag:${this.#name}${SEPARATOR}${tag}}`
  }
}

/** @throws TypeError for what is no name, or would make an empty hash tag: its keys would be in several slots */
export function demandPart(what: 'key' | 'tag', part: unknown): void {
  demandName(`\`${what}\` to be`, part)
  if ((part as string).startsWith('}')) throw new TypeError(`Expected \`${what}\` not to begin with '}'`)
}
