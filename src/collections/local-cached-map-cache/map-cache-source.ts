import {
  FROM_MASTER,
  type CommandExecutor,
  type RunOptions,
} from '../../command/operation/command-executor.js'
import { DEFAULT_COUNT } from '../../core/arguments/scan-settings.js'
import { mapCacheKeys } from '../../core/context/names.js'
import { chunk } from '../../util/collections/chunk.js'
import type { EntrySource, Found, FoundEntry } from '../local-cached-map/cached-reads.js'
import * as scripts from './local-cached-map-cache.scripts.js'

/** Reads the entries of a map cache, and for how long each may be kept. */
export class MapCacheSource implements EntrySource {
  readonly #executor: CommandExecutor
  readonly #keys: Readonly<Record<'map' | 'ttl' | 'idle' | 'access' | 'options', string>>

  constructor(executor: CommandExecutor, map: string) {
    this.#executor = executor
    this.#keys = { map, ...mapCacheKeys(map) }
  }

  async get(field: Buffer, options: RunOptions): Promise<Found> {
    const call = { keys: this.#keys, args: { field } }
    const how = { ...options, ...FROM_MASTER }
    const [value, leftMs, entryLeftMs] = await this.#executor.run(scripts.get, call, how)
    return { value, leftMs, entryLeftMs }
  }

  async getAll(fields: readonly Buffer[], options: RunOptions): Promise<readonly Found[]> {
    return (
      await Promise.all(chunk(fields, DEFAULT_COUNT).map((part) => this.#getSome(part, options)))
    ).flat()
  }

  async page(cursor: string, count: number): Promise<readonly [string, readonly FoundEntry[]]> {
    const call = { keys: this.#keys, args: { cursor, count } }
    const [next, entries, times, leftMs] = await this.#executor.run(scripts.page, call, FROM_MASTER)
    return [next, entries.map((entry, place) => ({ entry, leftMs, entryLeftMs: times[place] ?? 0 }))]
  }

  async #getSome(fields: readonly Buffer[], options: RunOptions): Promise<readonly Found[]> {
    const call = { keys: this.#keys, args: { fields } }
    const how = { ...options, ...FROM_MASTER }
    const [leftMs, values, times] = await this.#executor.run(scripts.getAll, call, how)
    return values.map((value, place) => ({ value, leftMs, entryLeftMs: times[place] ?? 0 }))
  }
}
