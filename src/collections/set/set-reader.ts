import { demandTurns, FROM_ANY_NODE, type CommandExecutor } from '../../command/command-executor.js'
import { pagesOf, type Page } from '../../core/pages.js'
import { DEFAULT_COUNT, MOST_ENTRIES, type ScanSettings } from '../../core/scan-settings.js'
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
  readonly #executor: CommandExecutor
  readonly #set: string

  constructor(executor: CommandExecutor, set: string) {
    this.#executor = executor
    this.#set = set
  }

  async all(): Promise<readonly Buffer[]> {
    const call = { keys: { set: this.#set }, args: { most: MOST_ENTRIES } }
    const few = await this.#executor.run(scripts.readAll, call, FROM_ANY_NODE)
    return few ?? (await this.#allInPages())
  }

  pages(): AsyncIterable<readonly Buffer[]> {
    return pagesOf((cursor) => this.page(cursor, ALL))
  }

  page(cursor: string, { pattern, count }: Pick<ScanSettings, 'pattern' | 'count'>): Promise<Page<Buffer>> {
    const call = { keys: { set: this.#set }, args: { cursor, pattern, count } }
    return this.#executor.run(commands.scan, call)
  }

  /** All values, of which one that comes twice is kept once. */
  async #allInPages(): Promise<readonly Buffer[]> {
    demandTurns(this.#executor, `Reading more than ${String(MOST_ENTRIES)} values`)
    const values = new Map<string, Buffer>()
    for await (const page of this.pages()) for (const value of page) values.set(identityOf(value), value)
    return [...values.values()]
  }
}
