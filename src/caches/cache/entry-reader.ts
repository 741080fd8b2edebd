import { decodeAt } from '../../codec/encoding.js'
import type { RunOptions } from '../../command/operation/command-executor.js'
import { isRedissonError } from '../../errors/redisson-error.js'
import type { CacheParts } from './cache-parts.js'
import type { Found } from './cache-store.js'
import { freshFor, readHeader, type Header, type Stamp } from './record.js'

/** An entry that is not old. */
export interface Entry<V> {
  readonly value: V | undefined
  readonly header: Header
  /** For how many milliseconds it is still fresh; 0 if it is stale. */
  readonly freshMs: number
}

/** What is read of a value that the codec cannot read: an error, or no entry. */
type Unreadable = 'throw' | 'none'

/** Reads entries, and judges whether they are fresh. */
export class EntryReader<V> {
  readonly #parts: CacheParts<V>

  constructor(parts: CacheParts<V>) {
    this.#parts = parts
  }

  /** The entry of a key; undefined if there is none, or it is old. What is fresh becomes a local entry. */
  async read(key: string): Promise<Entry<V> | undefined> {
    const { store, times } = this.#parts
    return await this.filling(key, async () => {
      const [found, stamp] = await Promise.all([store.read(key), times.of([''], {})])
      return await this.judge(key, found, stamp, {}, 'throw')
    })
  }

  /** Keeps what a request returns, if it is fresh and was not changed meanwhile. */
  async filling<T extends Entry<V> | undefined>(key: string, request: () => Promise<T>): Promise<T> {
    const { local } = this.#parts
    if (local === undefined) return await request()
    const ticket = local.open(key)
    const askedAt = performance.now()
    try {
      const entry = await request()
      if (entry !== undefined && entry.freshMs > 0) {
        const { value, freshMs, header } = entry
        local.fill(ticket, askedAt, {
          value,
          freshMs,
          tags: [...header.stamp.keys()].filter((tag) => tag !== ''),
        })
      }
      return entry
    } finally {
      local.close(ticket)
    }
  }

  /**
   * What a record is now.
   *
   * @param stamp - the times of tags that were asked for along with it; those of others are asked for
   */
  async judge(
    key: string,
    { record, leftMs }: Found,
    stamp: Stamp,
    how: RunOptions,
    unreadable: Unreadable,
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
