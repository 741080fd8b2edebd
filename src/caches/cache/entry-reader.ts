import { decodeAt } from '../../codec/encoding.js'
import type { RunOptions } from '../../command/operation/command-executor.js'
import { isRedissonError } from '../../errors/redisson-error.js'
import type { CacheParts } from './cache-parts.js'
import type { Found } from './cache-store.js'
import type { Ticket } from './local-level.js'
import { freshFor, readHeader, type Header, type Stamp } from './record.js'

/** An entry that is not old. */
export interface Entry<V> {
  readonly value: V | undefined
  readonly header: Header
  /** For how many milliseconds it is still fresh; 0 if it is stale. */
  readonly freshMs: number
}

/** How an entry is asked for. */
export interface Reading {
  /** The tags that it may have; the times of others that it has are asked for afterwards. */
  readonly tags: readonly string[]
  readonly how: RunOptions
  /** What is read of a value that the codec cannot read: an error, or no entry. */
  readonly unreadable: 'throw' | 'none'
}

/** The same, and the times of those tags. */
export type Judging = Omit<Reading, 'tags'> & { readonly stamp: Stamp }

/** Reads entries, and judges whether they are fresh. What is fresh becomes a local entry, unless it was changed meanwhile. */
export class EntryReader<V> {
  readonly #parts: CacheParts<V>

  constructor(parts: CacheParts<V>) {
    this.#parts = parts
  }

  /** The entry of a key, if there is one that is not old, and the times of the tags. */
  async read(
    key: string,
    { tags, how, unreadable }: Reading,
  ): Promise<readonly [Entry<V> | undefined, Stamp]> {
    const { local } = this.#parts
    const ticket = local?.open(key)
    const askedAt = performance.now()
    try {
      const [found, stamp] = await this.#ask(key, tags, how)
      const entry = await this.judge(key, found, { stamp, how, unreadable })
      if (ticket !== undefined && entry !== undefined) this.keep(ticket, askedAt, entry)
      return [entry, stamp]
    } finally {
      if (ticket !== undefined) local?.close(ticket)
    }
  }

  /** Asks for the entry and for the times that are not known, by one request where all are in one slot. */
  async #ask(key: string, tags: readonly string[], how: RunOptions): Promise<readonly [Found, Stamp]> {
    const { store, times, keys } = this.#parts
    const stamp = times.known(tags)
    if (stamp.size === tags.length) return [await store.read(key, [], how), stamp]
    if (!keys.areTogether) return await Promise.all([store.read(key, [], how), times.of(tags, how)])
    const missing = tags.filter((tag) => !stamp.has(tag))
    const learn = times.asking(missing)
    const read = await store.read(
      key,
      missing.map((tag) => keys.timesOf(tag)),
      how,
    )
    learn(read[2], stamp)
    return [read, stamp]
  }

  /** Keeps an entry in memory, if it is fresh. */
  keep(ticket: Ticket, askedAt: number, { value, freshMs, header }: Entry<V>): void {
    if (freshMs > 0) this.#parts.local?.fill(ticket, askedAt, { value, freshMs, tags: tagsOf(header) })
  }

  /** What a record is now. */
  async judge(
    key: string,
    [record, leftMs]: Found,
    { stamp, how, unreadable }: Judging,
  ): Promise<Entry<V> | undefined> {
    const header = record && readHeader(record)
    if (header === undefined) return undefined
    const others = [...header.stamp.keys()].filter((tag) => !stamp.has(tag))
    const now =
      others.length === 0 ? stamp : new Map([...stamp, ...(await this.#parts.times.of(others, how))])
    const freshMs = freshFor(header, leftMs, now)
    if (freshMs === undefined) return undefined
    if (header.isAbsent) return { value: undefined, header, freshMs }
    const { name, codec } = this.#parts
    try {
      return { value: decodeAt(codec, header.value, { object: name, key }), header, freshMs }
    } catch (error) {
      if (unreadable === 'none' && isRedissonError(error, 'CODEC')) return undefined
      throw error
    }
  }
}

function tagsOf({ stamp }: Header): readonly string[] {
  return stamp.size === 1 ? [] : [...stamp.keys()].filter((tag) => tag !== '')
}
