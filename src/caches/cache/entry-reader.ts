import { decodeAt } from '../../codec/encoding.js'
import { isRedissonError } from '../../errors/redisson-error.js'
import type { CacheParts } from './cache-parts.js'
import type { Found, Read } from './cache-store.js'
import type { Ticket } from './local-level.js'
import { freshFor, lineOf, readHeader, type Header } from './record.js'
import type { Asking, KnownTimes } from './tag-times.js'

/** For how long an entry lasts that does not expire. */
const NO_END = -1

const NONE: readonly string[] = []

/** The times of tags, as Redis had them. */
export type KnownStamp = ReadonlyMap<string, KnownTimes>

/** An entry that is not old. */
export interface Entry<V> {
  readonly value: V | undefined
  readonly header: Header
  /** For how many milliseconds it is still fresh; 0 if it is stale. */
  readonly freshMs: number
  /** When the times of its tags were asked for, on the monotonic clock. */
  readonly knownAt: number
}

/** How an entry is asked for. */
export interface Reading {
  /** The tags that it may have; the times of others that it has are asked for afterwards. */
  readonly tags: readonly string[]
  readonly from: Asking
  /** To load what is not there: then a value that the codec cannot read counts as none, and old entries are left to the load. */
  readonly purpose: 'get' | 'load'
}

/** The same, and the times of those tags. */
export type Judging = Omit<Reading, 'tags'> & { readonly stamp: KnownStamp }

/** A record that can be read. */
interface RecordRead {
  readonly key: string
  readonly record: Buffer
  readonly header: Header & { readonly value: Buffer }
  readonly leftMs: number
  readonly purpose: Reading['purpose']
}

/** Reads entries, and judges whether they are fresh. What is fresh becomes a local entry, unless it was changed meanwhile. */
export class EntryReader<V> {
  readonly #parts: CacheParts<V>

  constructor(parts: CacheParts<V>) {
    this.#parts = parts
  }

  /**
   * The entry of a key, if there is one that is not old, and the times of the tags. Times that are not known are asked for as well: along with the
   * entry where all keys are in one slot, and otherwise at the same time.
   */
  async read(
    key: string,
    { tags, from, purpose }: Reading,
  ): Promise<readonly [Entry<V> | undefined, KnownStamp]> {
    const { local, times, keys } = this.#parts
    const ticket = local?.open(key)
    const askedAt = performance.now()
    try {
      const stamp = times.known(tags)
      const missing = stamp.size === tags.length ? NONE : tags.filter((tag) => !stamp.has(tag))
      const along = keys.areTogether ? missing : NONE
      const learn = times.asking(along)
      const asked = this.#ask(key, along, from)
      const found =
        along === missing ? await asked : (await Promise.all([asked, times.ask(missing, stamp, from)]))[0]
      learn(found[2], stamp)
      const judged = this.judge(key, found, { stamp, from, purpose })
      const entry = judged instanceof Promise ? await judged : judged // seldom: it has tags that the call does not name
      if (ticket !== undefined && entry !== undefined) this.keep(ticket, askedAt, entry)
      return [entry, stamp]
    } finally {
      if (ticket !== undefined) local?.close(ticket)
    }
  }

  /** Asks for an entry, and for times that are in its slot. */
  #ask(key: string, tags: readonly string[], from: Asking): Promise<Read> {
    const { store, keys } = this.#parts
    const { entry } = keys.of(key)
    const times = tags.map((tag) => keys.timesOf(tag))
    return from.read(entry, (how) => store.read(entry, times, how))
  }

  /** Keeps an entry in memory, if it is fresh. */
  keep(ticket: Ticket, askedAt: number, { value, freshMs, header, knownAt }: Entry<V>): void {
    if (freshMs > 0)
      this.#parts.local?.fill(ticket, askedAt, { value, freshMs, knownAt, tags: tagsOf(header) })
  }

  /** What a record is now. The times of tags are asked for that the call does not name. */
  judge(
    key: string,
    [record, leftMs]: Found,
    { stamp, from, purpose }: Judging,
  ): Promise<Entry<V> | undefined> | Entry<V> | undefined {
    const header = record && readHeader(record)
    if (record === undefined || header === undefined) return undefined
    const read = { key, record, header, leftMs, purpose }
    const others = header.stamp.size === 1 ? NONE : [...header.stamp.keys()].filter((tag) => !stamp.has(tag))
    if (others.length === 0) return this.#judge(read, stamp)
    return this.#parts.times.of(others, from).then((more) => this.#judge(read, new Map([...stamp, ...more])))
  }

  #judge({ key, record, header, leftMs, purpose }: RecordRead, now: KnownStamp): Entry<V> | undefined {
    const freshMs = freshFor(header, leftMs, now)
    if (freshMs === undefined) {
      // Nothing else ever removes it.
      if (leftMs === NO_END && purpose === 'get') this.#parts.store.purge(key, lineOf(record, header))
      return undefined
    }
    const knownAt = oldestOf(now, header.stamp.keys())
    if (header.isAbsent) return { value: undefined, header, freshMs, knownAt }
    const { name, codec } = this.#parts
    try {
      const value = decodeAt(codec, header.value, { object: name, key })
      return { value, header, freshMs, knownAt }
    } catch (error) {
      if (purpose === 'load' && isRedissonError(error, 'CODEC')) return undefined
      throw error
    }
  }
}

/** When the oldest of these times was asked for. */
export function oldestOf(stamp: KnownStamp, tags: Iterable<string>): number {
  let oldest = Infinity
  for (const tag of tags) oldest = Math.min(oldest, stamp.get(tag)?.askedAt ?? -Infinity)
  return oldest
}

function tagsOf({ stamp }: Header): readonly string[] {
  return stamp.size === 1 ? [] : [...stamp.keys()].filter((tag) => tag !== '')
}
