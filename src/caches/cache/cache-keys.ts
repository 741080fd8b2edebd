import { demandName, hasSlots, keyOf } from '../../core/arguments/arguments.js'
import { prefixed } from '../../core/context/names.js'
import type { ObjectContext } from '../../core/context/object-context.js'
import { inspectWord } from '../../util/inspect-short.js'

/** Stands between the name of a cache and a key. It is in no key, so that no two caches have an entry in common. */
const SEPARATOR = ':{'

/** What begins so has keys that are those at which caches were cleared. */
const RESERVED = /^ioredisson_cache_clear(?::|$)/

/** The names in Redis of one cache. */
export class CacheKeys {
  readonly channel: string
  readonly #name: string
  readonly #areTogether: boolean

  constructor(context: ObjectContext, name: string) {
    this.#name = keyOf(context, name)
    if (RESERVED.test(this.#name))
      throw new RangeError(
        `Expected the name of a cache not to be that of the times of other caches, got ${inspectWord(this.#name)}`,
      )
    this.#areTogether = !hasSlots(context.topology) || this.#name.includes('{')
    this.channel = prefixed('ioredisson_cache', this.#name)
  }

  /** The entry of a key, and the mark of a load of it: they are in one slot. */
  of(key: string): { readonly entry: string; readonly mark: string } {
    demandPart('key', key)
    const entry = `${this.#name}${SEPARATOR}${escaped(key)}}`
    return { entry, mark: `${entry}:load` } // no entry ends so
  }

  /** Whether all keys of the cache are in one slot. */
  get areTogether(): boolean {
    return this.#areTogether
  }

  /** When the entries of a tag were deleted and expired; of all entries for the empty tag. */
  timesOf(tag: string): string {
    return tag === ''
      ? prefixed('ioredisson_cache_clear', this.#name)
      : `${this.#name}${SEPARATOR}${escaped(tag)}}:tag`
  }
}

/** @throws TypeError for what is no name */
export function demandPart(what: 'key' | 'tag', part: unknown): void {
  demandName(`\`${what}\` to be`, part)
}

/** What would be a separator, an empty hash tag, or one of the escapes themselves. */
const SPECIAL = /:\{|^\}|(?:^|:)%/g

const ESCAPES: Readonly<Record<string, string>> = { ':{': ':%7B', '}': '%7D', '%': '%25', ':%': ':%25' }

/** A key or a tag as it stands in a name in Redis. No two are the same there. */
function escaped(part: string): string {
  return part.replace(SPECIAL, (special) => ESCAPES[special] ?? special)
}
