import { demandTurns, FROM_MASTER } from '../../command/operation/command-executor.js'
import type { ObjectRequests } from '../../core/object-requests.js'
import { pagesOf, type Page } from '../../core/pages.js'
import { DEFAULT_COUNT, MOST_ENTRIES, type ScanSettings } from '../../core/arguments/scan-settings.js'
import { identityOf } from '../shared/identity-of.js'
import * as commands from './scored-sorted-set.commands.js'
import * as scripts from './scored-sorted-set.scripts.js'

/** A value as it is in Redis, with its score. */
export type ScoredBytes = readonly [value: Buffer, score: number]

const ALL = { pattern: '*', count: DEFAULT_COUNT }

/**
 * Reads the bytes of all that a sorted set has: of a small one at once, so that it is of one moment, of a large one in pages.
 *
 * All pages come from the master: the cursor of one node means nothing to another.
 */
export class ScoredReader {
  readonly #requests: ObjectRequests

  constructor(requests: ObjectRequests) {
    this.#requests = requests
  }

  /** All entries, in the order of the set. */
  async all(): Promise<readonly ScoredBytes[]> {
    const few = await this.#requests.ask(scripts.readAll, { most: MOST_ENTRIES })
    return few ?? (await this.#allInPages())
  }

  pages(): AsyncIterable<readonly ScoredBytes[]> {
    return pagesOf((cursor) => this.page(cursor, ALL))
  }

  /** The pages without the scores. */
  async *valuePages(): AsyncGenerator<readonly Buffer[], void, undefined> {
    for await (const page of this.pages()) yield page.map(([value]) => value)
  }

  page(
    cursor: string,
    { pattern, count }: Pick<ScanSettings, 'pattern' | 'count'>,
  ): Promise<Page<ScoredBytes>> {
    return this.#requests.ask(commands.scan, { cursor, pattern, count }, {}, FROM_MASTER)
  }

  /** All entries; of one that comes twice, as it was read last. */
  async #allInPages(): Promise<readonly ScoredBytes[]> {
    demandTurns(this.#requests, `Reading more than ${String(MOST_ENTRIES)} values`)
    const entries = new Map<string, ScoredBytes>()
    for await (const page of this.pages()) for (const entry of page) entries.set(identityOf(entry[0]), entry)
    return [...entries.values()].sort(inOrder)
  }
}

/** By scores, and by bytes where these are equal, as Redis does. */
function inOrder([value, score]: ScoredBytes, [otherValue, otherScore]: ScoredBytes): number {
  if (score !== otherScore) return score < otherScore ? -1 : 1
  return Buffer.compare(value, otherValue)
}
