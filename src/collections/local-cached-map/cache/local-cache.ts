import type { Argument } from '../../../connection/connection.js'
import { localCacheLog, localCacheTopic } from '../../../core/context/names.js'
import { databaseOf } from '../../../core/context/database.js'
import type { ObjectContext } from '../../../core/context/object-context.js'
import { identityOf } from '../../shared/identity-of.js'
import { CacheChannel } from './cache-channel.js'
import { CacheReception } from './cache-reception.js'
import { ownBytesOf, type CachedEntry } from './cached-entry.js'
import { ChangeLog } from './change-log.js'
import type { Flight, WideFlight } from './flights.js'
import { KeptEntries } from './kept-entries.js'
import type { LocalCachedMapSettings } from '../local-cached-map-options.js'
import type { LocalEntry } from './local-entries.js'
import { OwnMessages } from './own-messages.js'

/** A change that is under way. */
export interface OpenChange {
  /** The id of its message. */
  readonly sender: Buffer
  readonly id: string
  readonly isAwaited: boolean
  readonly flights: readonly Flight[]
  readonly epoch: number
  readonly startedAt: number
}

/** How many milliseconds are left when Redis replies; each less than 0 for no end. */
export interface Left {
  /** Until the map expires. */
  readonly leftMs: number
  /** For how long the entry may be kept, where it has an end of its own. */
  readonly entryLeftMs?: number
}

/** What a local cache is made with. */
export interface LocalCacheDeps {
  readonly context: ObjectContext
  readonly map: string
  readonly settings: Pick<
    LocalCachedMapSettings<unknown, unknown>,
    'limits' | 'sync' | 'reconnection' | 'storesMisses'
  >
  /** Tells the client that asks for it, and uses this database, that this one has cleared its cache. */
  readonly confirm: (requestId: string, database: number) => void
}

/**
 * What this process keeps of one map, and what it must not keep.
 *
 * Nothing is kept of a read if its key has changed since the read began, or may have: each such call is a flight, which messages and own changes
 * make stale. While messages may be missed, nothing is served, and nothing is kept.
 *
 * With INVALIDATE, a change sets the local value when Redis has confirmed it, unless another change of the key was heard of, or was under way here.
 * With UPDATE only messages set values, those of this process as well: their order is that in which Redis has made the changes. A message of others is not
 * used while one of this process about the same key is still to come.
 */
export class LocalCache {
  readonly #deps: LocalCacheDeps
  readonly #kept: KeptEntries
  readonly #own: OwnMessages
  readonly #reception: CacheReception
  readonly #channel: CacheChannel
  readonly #log: ChangeLog | undefined
  #isDestroyed = false

  constructor(deps: LocalCacheDeps) {
    const { context, map, settings } = deps
    this.#deps = deps
    const database = databaseOf(context.config)
    this.#own = new OwnMessages(database)
    const id = this.#own.next().toString('hex')
    this.#kept = new KeptEntries({ context, map, limits: settings.limits, id })
    this.#reception = new CacheReception({
      ...deps,
      kept: this.#kept,
      own: this.#own,
      database,
      updates: this.updates,
      isLive: () => this.isLive,
    })
    this.#log =
      settings.reconnection === 'LOAD' && this.isShared
        ? new ChangeLog(context.executor, { map, log: localCacheLog(map) })
        : undefined
    this.#channel = new CacheChannel({
      context,
      topic: localCacheTopic(map),
      message: (payload) => {
        this.#reception.receive(payload)
      },
      begun: () => {
        this.#begin()
      },
      resumed: () => {
        this.#resume()
      },
      ended: () => {
        this.dropAll()
      },
    })
  }

  /** Whether changes are published to other caches, and received from them. */
  get isShared(): boolean {
    return this.#deps.settings.sync !== 'NONE'
  }

  /** Whether what is kept may be served. */
  get isLive(): boolean {
    if (this.#isDestroyed) return false
    if (!this.isShared) return true
    if (!this.#channel.stands) return false
    this.#log?.noteStanding()
    return this.#log?.isReading !== true
  }

  /** The entry of a key that may be served. */
  find(key: Argument): LocalEntry | undefined {
    this.#deps.context.closing.throwIfAborted()
    this.#open()
    return this.isLive ? this.#kept.get(identityOf(key)) : undefined
  }

  /** All entries that may be served and have a value. */
  *values(): Generator<LocalEntry & { readonly value: Buffer }, void, undefined> {
    this.#open()
    if (!this.isLive) return
    for (const entry of this.#kept.values())
      if (entry.value !== undefined) yield entry as LocalEntry & { readonly value: Buffer }
  }

  /** Resolves when what is read is kept. */
  async opened(): Promise<void> {
    if (this.isShared && !this.#isDestroyed) await this.#channel.opened()
    await this.#log?.read
  }

  /** A read of one key begins. */
  beginRead(hash: string): Flight {
    const flight = this.#kept.flights.read(hash)
    if (!this.isLive) flight.isStale = true
    return flight
  }

  endRead(flight: Flight): void {
    this.#kept.flights.end(flight)
  }

  /** A read of keys that are not known yet begins. */
  beginReads(): WideFlight {
    const flight = this.#kept.flights.readMany()
    if (!this.isLive) flight.isStale = true
    return flight
  }

  endReads(flight: WideFlight): void {
    this.#kept.flights.endMany(flight)
  }

  /**
   * Keeps what a call has read, or set.
   *
   * @param isStale - whether the key may have changed since
   */
  keep(
    entry: CachedEntry,
    { isStale, leftMs, entryLeftMs = -1, startedAt }: Left & { isStale: boolean; startedAt: number },
  ): void {
    if (isStale || !this.isLive) return
    const mapEndsAt = leftMs < 0 ? Infinity : startedAt + leftMs
    const endsAt = entryLeftMs < 0 ? mapEndsAt : Math.min(mapEndsAt, startedAt + entryLeftMs)
    this.#kept.mapEndsAt = mapEndsAt
    if (entry.value === undefined && !this.#deps.settings.storesMisses) return
    const { hash } = entry
    this.#kept.set({ ...ownBytesOf(entry), hash, storedAt: performance.now(), endsAt })
  }

  /** A change of some keys begins, of which no two are the same. */
  beginChange(hashes: readonly string[]): OpenChange {
    this.#open()
    const { isLive } = this
    const flights = hashes.map((hash) => this.#kept.flights.change(hash))
    if (!isLive) for (const flight of flights) flight.isStale = true
    return this.#openChange(flights, isLive, hashes)
  }

  /** A change of all keys begins. */
  beginChangeOfAll(): OpenChange {
    this.#open()
    return this.#openChange([], this.isLive, 'all')
  }

  /** Redis has confirmed a change: these are the entries now. */
  endChange(change: OpenChange, entries: readonly CachedEntry[], left: Left): void {
    const { flights, startedAt } = change
    const isReceived = this.#isReceived(change)
    const stale = new Set<string>()
    for (const flight of flights) {
      if (flight.isStale) stale.add(flight.hash)
      this.#kept.flights.end(flight)
      if (!isReceived) this.#kept.deleteHash(flight.hash)
    }
    if (this.updates) return
    for (const entry of entries)
      if (entry.value !== undefined) this.keep(entry, { ...left, isStale: stale.has(entry.hash), startedAt })
  }

  endChangeOfAll(): void {
    this.clear()
  }

  /** Redis has changed nothing, and published nothing. */
  endUnchanged({ id, flights }: OpenChange): void {
    this.#own.settle(id)
    for (const flight of flights) this.#kept.flights.end(flight)
  }

  /** It is not known whether Redis has made a change, or will. Its message is as good as one of others from now on. */
  endUnknown({ id, flights }: OpenChange): void {
    this.#own.settle(id)
    for (const flight of flights) {
      this.#kept.flights.end(flight)
      this.#kept.deleteHash(flight.hash)
    }
  }

  /** Drops what is kept of a key. */
  drop(hash: string): void {
    this.#kept.drop(hash)
  }

  /** Drops all that is kept. */
  dropAll(): void {
    this.#kept.dropAll()
  }

  /** The same, and messages go on to set values, where they do. */
  clear(): void {
    this.dropAll()
    this.#learnEnd()
  }

  /** Whether messages that this process publishes come to this cache as well. */
  get hearsOwn(): boolean {
    return this.isShared && !this.#isDestroyed
  }

  destroy(): void {
    if (this.#isDestroyed) return
    this.#isDestroyed = true
    this.#channel.close()
    this.#own.clear()
    this.#kept.destroy()
  }

  /** Whether messages set values. */
  get updates(): boolean {
    return this.#deps.settings.sync === 'UPDATE'
  }

  #open(): void {
    if (this.isShared) this.#channel.open()
  }

  #openChange(flights: readonly Flight[], isLive: boolean, about: readonly string[] | 'all'): OpenChange {
    const sender = this.#own.next()
    const id = sender.toString('latin1')
    const isAwaited = isLive && this.isShared
    if (isAwaited && this.#own.expect(id, about) && this.updates) this.dropAll()
    return { sender, id, isAwaited, flights, epoch: this.#kept.epoch, startedAt: performance.now() }
  }

  /** Whether the message of a change was received, and has set what is kept. */
  #isReceived({ id, isAwaited, epoch }: OpenChange): boolean {
    return this.updates && isAwaited && epoch === this.#kept.epoch && !this.#own.isExpected(id)
  }

  #begin(): void {
    this.#log?.begin()
    this.#learnEnd()
  }

  /** Messages may have been missed. */
  #resume(): void {
    this.#own.clear()
    if (this.#deps.settings.reconnection === 'CLEAR') this.dropAll()
    else this.#kept.staleAll()
    this.#log?.catchUp(this)
    this.#learnEnd()
  }

  /** Finds out when the map expires, as soon as what is read is kept. */
  #learnEnd(): void {
    const reading = this.#log?.read
    if (reading === undefined) this.#reception.learnEnd()
    else
      void reading.then(() => {
        this.#reception.learnEnd()
      })
  }
}
