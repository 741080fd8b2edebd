import type { RunOptions } from '../../command/operation/command-executor.js'
import type { Argument } from '../../connection/connection.js'
import type { EntryBytes } from '../map/entry-codec.js'
import { entryOf, type CachedEntry } from './cache/cached-entry.js'
import type { Left, LocalCache } from './cache/local-cache.js'

/** What Redis has of a key. */
export interface Found extends Left {
  readonly value: Buffer | undefined
}

/** Reads entries from the master: a replica may return what a message has said to be over. */
export interface EntrySource {
  get(field: Buffer, options: RunOptions): Promise<Found>
  /** In the order of the fields. */
  getAll(fields: readonly Buffer[], options: RunOptions): Promise<readonly Found[]>
  page(cursor: string, count: number): Promise<readonly [next: string, entries: readonly FoundEntry[]]>
}

/** An entry that Redis has. */
export interface FoundEntry extends Left {
  readonly entry: EntryBytes
}

/** Reads entries, from the local cache where it has them. What is read from Redis is kept. */
export class CachedReads {
  readonly #cache: LocalCache
  readonly #source: EntrySource

  constructor(cache: LocalCache, source: EntrySource) {
    this.#cache = cache
    this.#source = source
  }

  async get(field: Argument, options: RunOptions = {}): Promise<Buffer | undefined> {
    const cache = this.#cache
    const found = cache.find(field)
    if (found !== undefined) return copyOf(found.value)
    const entry = entryOf(field, undefined)
    const startedAt = performance.now()
    const flight = cache.beginRead(entry.hash)
    try {
      const { value, ...left } = await this.#source.get(entry.key, options)
      cache.keep({ ...entry, value }, { ...left, isStale: flight.isStale, startedAt })
      return value
    } finally {
      cache.endRead(flight)
    }
  }

  async getAll(fields: readonly Argument[], options: RunOptions = {}): Promise<(Buffer | undefined)[]> {
    const cache = this.#cache
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
      const read = await this.#source.getAll(asked, options)
      for (const [place, [index, entry]] of [...missing].entries()) {
        const { value, ...left } = read[place] ?? NOTHING
        const isStale = flight.isStale || flight.stale.has(entry.hash)
        cache.keep({ ...entry, value }, { ...left, isStale, startedAt })
        values[index] = value
      }
      return values
    } finally {
      cache.endReads(flight)
    }
  }

  /** Reads some entries, and keeps them. */
  async preload(cursor: string, count: number): Promise<readonly [string, readonly unknown[]]> {
    const cache = this.#cache
    const startedAt = performance.now()
    const flight = cache.beginReads()
    try {
      const [next, found] = await this.#source.page(cursor, count)
      for (const { entry: bytes, ...left } of found) {
        const entry = entryOf(...bytes)
        const isStale = flight.isStale || flight.stale.has(entry.hash)
        cache.keep(entry, { ...left, isStale, startedAt })
      }
      return [next, found]
    } finally {
      cache.endReads(flight)
    }
  }
}

const NOTHING: Found = { value: undefined, leftMs: 0 }

/** A codec of bytes hands out what it is given, and the program may write into that. */
function copyOf(value: Buffer | undefined): Buffer | undefined {
  return value && Buffer.from(value)
}
