import { demandTurns } from '../../command/operation/command-executor.js'
import { DEFAULT_COUNT, MOST_ENTRIES } from '../../core/arguments/scan-settings.js'
import type { ObjectRequests } from '../../core/object-requests.js'
import { pagesOf, type Page } from '../../core/pages.js'
import { identityOf } from '../shared/identity-of.js'
import type { EntryBytes } from '../map/entry-codec.js'
import type { CacheRequests } from './cache-requests.js'

const ALL = '*'

/** Reads the bytes of all that a map cache has: of a small one at once, so that it is of one moment, of a large one in pages. */
export class CacheReader {
  readonly #requests: Pick<ObjectRequests, 'isBatch'>
  readonly #cache: CacheRequests

  constructor(requests: Pick<ObjectRequests, 'isBatch'>, cache: CacheRequests) {
    this.#requests = requests
    this.#cache = cache
  }

  /** All keys, each of them once. */
  async keys(): Promise<readonly Buffer[]> {
    const few = await this.#cache.readKeys(MOST_ENTRIES)
    if (few !== undefined) return few
    const page = (cursor: string) => this.#cache.keyPage(cursor, ALL, DEFAULT_COUNT)
    return await this.#all(page, (key) => key)
  }

  /** All entries, each key once; of one that comes twice, as it was read last. */
  async entries(): Promise<readonly EntryBytes[]> {
    const few = await this.#cache.readEntries(MOST_ENTRIES)
    if (few !== undefined) return few
    const page = (cursor: string) => this.#cache.entryPage(cursor, ALL, DEFAULT_COUNT)
    return await this.#all(page, ([key]) => key)
  }

  async #all<T>(
    page: (cursor: string) => Promise<Page<T>>,
    keyOf: (item: T) => Buffer,
  ): Promise<readonly T[]> {
    demandTurns(this.#requests, `Reading more than ${String(MOST_ENTRIES)} entries`)
    const items = new Map<string, T>()
    for await (const some of pagesOf(page)) for (const item of some) items.set(identityOf(keyOf(item)), item)
    return [...items.values()]
  }
}
