import { demandTurns, FROM_ANY_NODE, FROM_MASTER } from '../../command/operation/command-executor.js'
import type { ObjectRequests } from '../../core/object-requests.js'
import { pagesOf, type Page } from '../../core/pages.js'
import { MOST_ENTRIES, type ScanSettings } from '../../core/arguments/scan-settings.js'
import { identityOf } from '../shared/identity-of.js'
import type { EntryBytes } from './entry-codec.js'
import * as commands from './map.commands.js'
import { scanSettings } from './map-options.js'
import * as scripts from './map.scripts.js'

const LARGE = `Reading more than ${String(MOST_ENTRIES)} entries`

/**
 * Reads the bytes of all that a map has: of a small one at once, so that it is of one moment, of a large one in pages.
 *
 * All pages come from the master: the cursor of one node means nothing to another.
 */
export class MapReader {
  readonly #requests: ObjectRequests

  constructor(requests: ObjectRequests) {
    this.#requests = requests
  }

  async keys(): Promise<readonly Buffer[]> {
    return (await this.#readParts('hkeys')) ?? (await this.#allKeys())
  }

  async values(): Promise<readonly Buffer[]> {
    const few = await this.#readParts('hvals')
    return few ?? (await this.#allEntries()).map(([, value]) => value)
  }

  async entries(): Promise<readonly EntryBytes[]> {
    const few = await this.#requests.ask(scripts.readAllEntries, atOnce('hgetall'), {}, FROM_ANY_NODE)
    return few ?? (await this.#allEntries())
  }

  keyPage(cursor: string, { pattern, count }: ScanSettings): Promise<Page<Buffer>> {
    return this.#requests.ask(scripts.scanKeys, { cursor, pattern, count }, {}, FROM_MASTER)
  }

  entryPage(cursor: string, { pattern, count }: ScanSettings): Promise<Page<EntryBytes>> {
    return this.#requests.ask(commands.scan, { cursor, pattern, count }, {}, FROM_MASTER)
  }

  /** All keys, of which one that comes twice is kept once. */
  async #allKeys(): Promise<readonly Buffer[]> {
    demandTurns(this.#requests, LARGE)
    const keys = new Map<string, Buffer>()
    const settings = scanSettings({})
    for await (const page of pagesOf((cursor) => this.keyPage(cursor, settings)))
      for (const key of page) keys.set(identityOf(key), key)
    return [...keys.values()]
  }

  /** All entries; of one that comes twice, as it was read last. */
  async #allEntries(): Promise<readonly EntryBytes[]> {
    demandTurns(this.#requests, LARGE)
    const entries = new Map<string, EntryBytes>()
    const settings = scanSettings({})
    for await (const page of pagesOf((cursor) => this.entryPage(cursor, settings)))
      for (const entry of page) entries.set(identityOf(entry[0]), entry)
    return [...entries.values()]
  }

  #readParts(command: 'hkeys' | 'hvals'): Promise<readonly Buffer[] | undefined> {
    return this.#requests.ask(scripts.readAllParts, atOnce(command), {}, FROM_ANY_NODE)
  }
}

function atOnce<C extends 'hkeys' | 'hvals' | 'hgetall'>(command: C) {
  return { command, most: MOST_ENTRIES }
}
