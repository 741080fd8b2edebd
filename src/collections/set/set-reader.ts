import { demandTurns, FROM_MASTER } from '../../command/operation/command-executor.js'
import type { ObjectRequests } from '../../core/object-requests.js'
import { pagesOf, type Page } from '../../core/pages.js'
import { DEFAULT_COUNT, MOST_ENTRIES, type ScanSettings } from '../../core/arguments/scan-settings.js'
import { identityOf } from '../shared/identity-of.js'
import * as commands from './set.commands.js'
import * as scripts from './set.scripts.js'

const ALL = { pattern: '*', count: DEFAULT_COUNT }

/**
 * Reads the bytes of all values: of a small set at once, so that they are of one moment, of a large one in pages.
 *
 * All pages come from the master: the cursor of one node means nothing to another.
 */
export class SetReader {
  protected readonly requests: ObjectRequests

  constructor(requests: ObjectRequests) {
    this.requests = requests
  }

  async all(): Promise<readonly Buffer[]> {
    return (await this.few(MOST_ENTRIES)) ?? (await this.#allInPages())
  }

  pages(): AsyncIterable<readonly Buffer[]> {
    return pagesOf((cursor) => this.page(cursor, ALL))
  }

  page(cursor: string, { pattern, count }: Pick<ScanSettings, 'pattern' | 'count'>): Promise<Page<Buffer>> {
    return this.requests.ask(commands.scan, { cursor, pattern, count }, {}, FROM_MASTER)
  }

  /** All values; undefined if there are more than so many. */
  protected few(most: number): Promise<readonly Buffer[] | undefined> {
    return this.requests.ask(scripts.readAll, { most })
  }

  /** All values, of which one that comes twice is kept once. */
  async #allInPages(): Promise<readonly Buffer[]> {
    demandTurns(this.requests, `Reading more than ${String(MOST_ENTRIES)} values`)
    const values = new Map<string, Buffer>()
    for await (const page of this.pages()) for (const value of page) values.set(identityOf(value), value)
    return [...values.values()]
  }
}
