import type { Argument } from '../../connection/connection.js'
import {
  FROM_MASTER,
  type CommandExecutor,
  type RunOptions,
} from '../../command/operation/command-executor.js'
import * as commands from '../map/map.commands.js'
import type { AnyCall, Handlers } from './handlers.js'
import { entryOf, type CachedEntry } from './cache/cached-entry.js'
import type { LocalCache } from './cache/local-cache.js'
import * as scripts from './local-cached-map.scripts.js'

/**
 * Reads entries, from the local cache where it has them. What is read from Redis comes from the master, and is kept: a replica may return what
 * a message has said to be over.
 */
export class CachedReads {
  readonly handlers: Handlers
  readonly #executor: CommandExecutor
  readonly #cache: LocalCache

  constructor(executor: CommandExecutor, cache: LocalCache) {
    this.#executor = executor
    this.#cache = cache
    this.handlers = [
      [commands.get, (call, options) => this.#get(call, options)],
      [commands.getAll, (call, options) => this.#getAll(call, options)],
      [commands.contains, (call, options) => this.#contains(call, options)],
    ]
  }

  async #get({ keys: { map }, args: { field } }: AnyCall, options: RunOptions): Promise<Buffer | undefined> {
    const cache = this.#cache
    const found = cache.find(field as Argument)
    if (found !== undefined) return copyOf(found.value)
    const entry = entryOf(field as Argument, undefined)
    const startedAt = performance.now()
    const flight = cache.beginRead(entry.hash)
    try {
      const [value, leftMs] = await this.#executor.run(
        scripts.get,
        { keys: { map: map as string }, args: { field: entry.key } },
        { ...options, ...FROM_MASTER },
      )
      cache.keep({ ...entry, value }, { isStale: flight.isStale, leftMs, startedAt })
      return value
    } finally {
      cache.endRead(flight)
    }
  }

  async #getAll({ keys: { map }, args }: AnyCall, options: RunOptions): Promise<(Buffer | undefined)[]> {
    const cache = this.#cache
    const fields = args['fields'] as readonly Argument[]
    const values: (Buffer | undefined)[] = []
    const missing = new Map<number, CachedEntry>()
    for (const [index, field] of fields.entries()) {
      const found = cache.find(field)
      if (found === undefined) missing.set(index, entryOf(field, undefined))
      values[index] = found && copyOf(found.value)
    }
    if (missing.size === 0) return values
    const startedAt = performance.now()
    const flight = cache.beginReads()
    try {
      const asked = Array.from(missing.values(), ({ key }) => key)
      const [leftMs, read] = await this.#executor.run(
        scripts.getAll,
        { keys: { map: map as string }, args: { fields: asked } },
        { ...options, ...FROM_MASTER },
      )
      for (const [place, [index, entry]] of [...missing].entries()) {
        const isStale = flight.isStale || flight.stale.has(entry.hash)
        cache.keep({ ...entry, value: read[place] }, { isStale, leftMs, startedAt })
        values[index] = read[place]
      }
      return values
    } finally {
      cache.endReads(flight)
    }
  }

  async #contains({ keys: { map }, args: { field } }: AnyCall, options: RunOptions): Promise<boolean> {
    const found = this.#cache.find(field as Argument)
    if (found !== undefined) return found.value !== undefined
    const call = { keys: { map: map as string }, args: { field: field as Argument } }
    return await this.#executor.run(commands.contains, call, { ...options, ...FROM_MASTER })
  }
}

/** A codec of bytes hands out what it is given, and the program may write into that. */
function copyOf(value: Buffer | undefined): Buffer | undefined {
  return value && Buffer.from(value)
}
