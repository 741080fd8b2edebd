import type { ObjectRequests } from '../../core/object-requests.js'
import { FIRST_CURSOR, pagesOf, type Page } from '../../core/pages.js'
import type { ScanSettings } from '../../core/arguments/scan-settings.js'
import { chunk } from '../../util/collections/chunk.js'
import { raceAbort } from '../../util/abort/race-abort.js'
import type { EntryBytes } from '../map/entry-codec.js'
import { MapReader } from '../map/map-reader.js'

/** Of how many keys the first values are read at the same time, so that a walk through many small ones does not wait for each. */
const AT_ONCE = 20

/** Reads some values of a key, where they are a set or a list. */
export type ValuesPage = (values: string, cursor: string, count: number) => Promise<Page<Buffer>>

/** Walks through the bytes of all entries of a multimap, a part of them at a time. */
export class MultimapReader {
  readonly #map: MapReader
  readonly #keyOf: (hash: Buffer) => string
  readonly #next: ValuesPage

  /**
   * @param requests - about the multimap
   * @param keyOf - the key of the values that have a hash
   * @param next - reads some of them
   */
  constructor(requests: ObjectRequests, keyOf: (hash: Buffer) => string, next: ValuesPage) {
    this.#map = new MapReader(requests)
    this.#keyOf = keyOf
    this.#next = next
  }

  async *entries(settings: ScanSettings): AsyncGenerator<readonly EntryBytes[], void, undefined> {
    const next = (cursor: string) => this.#map.entryPage(cursor, settings)
    for await (const page of pagesOf(next, settings.signal))
      for (const some of chunk(page, AT_ONCE)) yield* this.#entriesOf(some, settings)
  }

  async *#entriesOf(
    fields: readonly EntryBytes[],
    { count, signal }: ScanSettings,
  ): AsyncGenerator<readonly EntryBytes[], void, undefined> {
    const keys = fields.map(([, hash]) => this.#keyOf(hash)) // before any request, since a hash that names no values throws
    const first = keys.map((key) => this.#next(key, FIRST_CURSOR, count))
    const pages = await raceAbort(Promise.all(first), signal)
    for (const [index, [cursor, values]] of pages.entries()) {
      const [field] = fields[index] as EntryBytes
      const key = keys[index] as string
      const entriesOf = (some: readonly Buffer[]) => some.map((value) => [field, value] as const)
      yield entriesOf(values)
      if (cursor === FIRST_CURSOR) continue
      const rest = (following: string) =>
        this.#next(key, following === FIRST_CURSOR ? cursor : following, count)
      for await (const page of pagesOf(rest, signal)) yield entriesOf(page)
    }
  }
}
