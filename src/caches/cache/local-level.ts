import { LRUCache } from 'lru-cache'
import type { CacheLocalOptions } from '../../api/cache-settings.js'

/** An entry in memory. */
export interface LocalEntry<V> {
  readonly value: V | undefined
  readonly tags: readonly string[]
  /** Until when it is served, on the monotonic clock. */
  readonly until: number
  /** How many changes of tags were known when it was asked for. */
  readonly turn: number
}

/** What a request has returned. */
export interface Filling<V> {
  readonly value: V | undefined
  readonly tags: readonly string[]
  /** For how long the entry is fresh since the request was sent. */
  readonly freshMs: number
  /** When the times of its tags were asked for, on the monotonic clock. */
  readonly knownAt: number
}

/** The requests about a key whose replies may become a local entry, until the entry is changed. */
export interface Ticket {
  readonly key: string
  readonly turn: number
  /** How many of them have no reply. */
  requests: number
  /** Whether the entry may have been changed since they were sent. */
  isDirty: boolean
}

/** Each entry counts as 1: a limit of the size, unlike one of the number, has no memory set aside for as many. */
const EACH_COUNTS = { sizeCalculation: () => 1 }

/** How many changes of tags are remembered: then all entries are dropped. */
const MOST_TAGS = 10_000

/** The entries of a cache in memory, by key. */
export class LocalLevel<V> {
  readonly #entries: LRUCache<string, LocalEntry<V>>
  readonly #ttlMs: number
  readonly #open = new Map<string, Ticket>()
  /** When each tag changed last. */
  readonly #changes = new Map<string, number>()
  #turn = 0

  constructor({ maxEntries, ttlMs }: CacheLocalOptions) {
    this.#entries = new LRUCache({ ...EACH_COUNTS, maxSize: maxEntries })
    this.#ttlMs = ttlMs
  }

  get(key: string): LocalEntry<V> | undefined {
    const entry = this.#entries.get(key)
    if (entry === undefined) return undefined
    if (performance.now() < entry.until && !this.#isChanged(entry)) return entry
    this.#entries.delete(key)
    return undefined
  }

  /** Begins a request about a key. What changes meanwhile is not stored. */
  open(key: string): Ticket {
    const open = this.#open.get(key)
    if (open !== undefined) {
      open.requests += 1
      return open
    }
    const ticket = { key, turn: this.#turn, requests: 1, isDirty: false }
    this.#open.set(key, ticket)
    return ticket
  }

  close(ticket: Ticket): void {
    ticket.requests -= 1
    if (ticket.requests === 0 && !ticket.isDirty) this.#open.delete(ticket.key)
  }

  /**
   * Stores what a request has returned, unless it may have changed since.
   *
   * @param askedAt - when the request was sent, on the monotonic clock
   */
  fill(ticket: Ticket, askedAt: number, { value, tags, freshMs, knownAt }: Filling<V>): void {
    if (ticket.isDirty) return
    // What is known of its tags may be older than the entry, and both are out of date where a message is missing.
    const until = Math.min(Math.min(askedAt, knownAt) + this.#ttlMs, askedAt + freshMs)
    const entry = { value, tags, until, turn: ticket.turn }
    if (performance.now() < until && !this.#isChanged(entry)) this.#entries.set(ticket.key, entry)
  }

  /** An entry was changed. */
  drop(key: string): void {
    this.#entries.delete(key)
    const ticket = this.#open.get(key)
    if (ticket === undefined) return
    ticket.isDirty = true
    this.#open.delete(key) // a later request is about the entry as it is now
  }

  /** The entries of a tag were deleted or expired. */
  dropTag(tag: string): void {
    this.#turn += 1
    if (this.#changes.size >= MOST_TAGS) {
      this.#changes.clear()
      this.dropAll()
    }
    this.#changes.set(tag, this.#turn)
  }

  dropAll(): void {
    this.#entries.clear()
    for (const ticket of this.#open.values()) ticket.isDirty = true
    this.#open.clear()
  }

  #isChanged({ tags, turn }: Pick<LocalEntry<V>, 'tags' | 'turn'>): boolean {
    for (const tag of tags) if ((this.#changes.get(tag) ?? 0) > turn) return true
    return false
  }
}
