import {
  FROM_MASTER,
  type CommandExecutor,
  type RunOptions,
} from '../../command/operation/command-executor.js'
import type { Argument } from '../../connection/connection.js'
import * as commands from '../map/map.commands.js'
import type { CachedReads, EntrySource, Found, FoundEntry } from './cached-reads.js'
import type { LocalCache } from './cache/local-cache.js'
import type { Handlers } from './handlers.js'
import * as scripts from './local-cached-map.scripts.js'

/** Reads the entries of a map, and when the map expires. */
export class MapEntrySource implements EntrySource {
  readonly #executor: CommandExecutor
  readonly #keys: { readonly map: string }

  constructor(executor: CommandExecutor, map: string) {
    this.#executor = executor
    this.#keys = { map }
  }

  async get(field: Buffer, options: RunOptions): Promise<Found> {
    const call = { keys: this.#keys, args: { field } }
    const [value, leftMs] = await this.#executor.run(scripts.get, call, { ...options, ...FROM_MASTER })
    return { value, leftMs }
  }

  async getAll(fields: readonly Buffer[], options: RunOptions): Promise<readonly Found[]> {
    const call = { keys: this.#keys, args: { fields } }
    const [leftMs, values] = await this.#executor.run(scripts.getAll, call, { ...options, ...FROM_MASTER })
    return values.map((value) => ({ value, leftMs }))
  }

  async page(cursor: string, count: number): Promise<readonly [string, readonly FoundEntry[]]> {
    const call = { keys: this.#keys, args: { cursor, count } }
    const [next, entries, leftMs] = await this.#executor.run(scripts.page, call, FROM_MASTER)
    return [next, entries.map((entry) => ({ entry, leftMs }))]
  }
}

/** What reads entries of a map in the place of its commands. */
export function cachedReadsOfMap(executor: CommandExecutor, cache: LocalCache, reads: CachedReads): Handlers {
  return [
    [commands.get, ({ args }, options) => reads.get(args['field'] as Argument, options)],
    [commands.getAll, ({ args }, options) => reads.getAll(args['fields'] as readonly Argument[], options)],
    [
      commands.contains,
      async ({ keys: { map }, args: { field } }, options) => {
        const found = cache.find(field as Argument)
        if (found !== undefined) return found.value !== undefined
        const call = { keys: { map: map as string }, args: { field: field as Argument } }
        return await executor.run(commands.contains, call, { ...options, ...FROM_MASTER })
      },
    ],
  ]
}
