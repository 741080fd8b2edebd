import { FROM_MASTER } from '../../command/operation/command-executor.js'
import type { Argument } from '../../connection/connection.js'
import { localCacheAcknowledgements, localCacheLog, localCacheTopic } from '../../core/context/names.js'
import type { ObjectContext } from '../../core/context/object-context.js'
import { publish as publishMessage } from '../../topics/topic/topic.commands.js'
import { highwayHash128 } from '../../util/hash/highway-hash.js'
import { withoutAsyncContext } from '../../util/time/without-async-context.js'
import { bytesOf } from '../map/entry-codec.js'
import { identityOf } from '../shared/identity-of.js'
import { CacheChannel } from './cache-channel.js'
import { DISABLED_MESSAGE, readCacheMessage, type CacheMessage } from './cache-messages.js'
import { ChangeLog } from './change-log.js'
import { DisabledKeys } from './disabled-keys.js'
import { Flights, type Flight, type WideFlight } from './flights.js'
import type { LocalCachedMapSettings } from './local-cached-map-options.js'
import { LocalEntries, type LocalEntry } from './local-entries.js'
import { timeLeft } from './local-cached-map.scripts.js'
import { OwnMessages } from './own-messages.js'

/** What Redis says of a map that does not expire. */
const NEVER = -1

/** A key and its value, as they are in Redis, and what messages call the key. */
export interface CachedEntry {
  readonly key: Buffer
  readonly hash: string
  readonly value: Buffer | undefined
}

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

/** What a local cache is made with. */
export interface LocalCacheDeps {
  readonly context: ObjectContext
  readonly map: string
  readonly settings: Pick<
    LocalCachedMapSettings<unknown, unknown>,
    'limits' | 'sync' | 'reconnection' | 'storesMisses'
  >
  /** Tells the client that asks for it that this one has cleared its cache. */
  readonly confirm: (requestId: string) => void
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
  readonly #entries: LocalEntries
  readonly #flights = new Flights()
  readonly #own = new OwnMessages()
  readonly #disabled = new DisabledKeys()
  readonly #channel: CacheChannel
  readonly #log: ChangeLog | undefined
  /** How often everything was dropped. */
  #epoch = 0
  /** When the map expires, on the monotonic clock, if that is known: a message has a value alone. */
  #mapEndsAt: number | undefined
  #endCleaning: (() => void) | undefined
  #isDestroyed = false

  constructor(deps: LocalCacheDeps) {
    const { context, map, settings } = deps
    this.#deps = deps
    this.#entries = new LocalEntries(settings.limits)
    this.#log =
      settings.reconnection === 'LOAD' && this.isTold
        ? new ChangeLog(context.executor, { map, log: localCacheLog(map) })
        : undefined
    this.#channel = new CacheChannel({
      context,
      topic: localCacheTopic(map),
      message: (payload) => {
        this.#receive(payload)
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

  /** Whether it tells others of changes, and is told of theirs. */
  get isTold(): boolean {
    return this.#deps.settings.sync !== 'NONE'
  }

  /** Whether what is kept may be served. */
  get isLive(): boolean {
    if (this.#isDestroyed) return false
    if (!this.isTold) return true
    if (!this.#channel.stands) return false
    this.#log?.noteStanding()
    return this.#log?.isReading !== true
  }

  /** The entry of a key that may be served. */
  find(key: Argument): LocalEntry | undefined {
    this.#deps.context.closing.throwIfAborted()
    this.#open()
    return this.isLive ? this.#entries.get(identityOf(key)) : undefined
  }

  /** All entries that may be served and have a value. */
  *values(): Generator<LocalEntry & { readonly value: Buffer }, void, undefined> {
    this.#open()
    if (!this.isLive) return
    for (const entry of this.#entries.values())
      if (entry.value !== undefined) yield entry as LocalEntry & { readonly value: Buffer }
  }

  /** Resolves when what is read is kept. */
  async opened(): Promise<void> {
    if (this.isTold && !this.#isDestroyed) await this.#channel.opened()
    await this.#log?.read
  }

  /** A read of one key begins. */
  beginRead(hash: string): Flight {
    const flight = this.#flights.read(hash)
    if (!this.isLive) flight.isStale = true
    return flight
  }

  endRead(flight: Flight): void {
    this.#flights.end(flight)
  }

  /** A read of keys that are not known yet begins. */
  beginReads(): WideFlight {
    const flight = this.#flights.readMany()
    if (!this.isLive) flight.isStale = true
    return flight
  }

  endReads(flight: WideFlight): void {
    this.#flights.endMany(flight)
  }

  /**
   * Keeps what a call has read, or set.
   *
   * @param isStale - whether the key may have changed since
   * @param leftMs - how long after that the map expires
   */
  keep(
    entry: CachedEntry,
    { isStale, leftMs, startedAt }: { isStale: boolean; leftMs: number; startedAt: number },
  ): void {
    if (isStale || !this.isLive) return
    const mapEndsAt = leftMs < 0 ? Infinity : startedAt + leftMs
    this.#mapEndsAt = mapEndsAt
    if (entry.value === undefined && !this.#deps.settings.storesMisses) return
    this.#set({ ...entry, storedAt: performance.now(), mapEndsAt })
  }

  /** A change of some keys begins, of which no two are the same. */
  beginChange(hashes: readonly string[]): OpenChange {
    this.#open()
    const { isLive } = this
    const flights = hashes.map((hash) => this.#flights.change(hash))
    if (!isLive) for (const flight of flights) flight.isStale = true
    return this.#openChange(flights, isLive, hashes)
  }

  /** A change of all keys begins. */
  beginChangeOfAll(): OpenChange {
    this.#open()
    return this.#openChange([], this.isLive, 'all')
  }

  /** Redis has confirmed a change: these are the entries now. */
  endChange(change: OpenChange, entries: readonly CachedEntry[], leftMs: number): void {
    const { flights, startedAt } = change
    const isReceived = this.#isReceived(change)
    const stale = new Set<string>()
    for (const flight of flights) {
      if (flight.isStale) stale.add(flight.hash)
      this.#flights.end(flight)
      if (!isReceived) this.#entries.deleteHash(flight.hash)
    }
    if (this.updates) return
    for (const entry of entries)
      if (entry.value !== undefined) this.keep(entry, { isStale: stale.has(entry.hash), leftMs, startedAt })
  }

  endChangeOfAll(): void {
    this.dropAll()
  }

  /** Redis has changed nothing, and published nothing. */
  endUnchanged({ id, flights }: OpenChange): void {
    this.#own.settle(id)
    for (const flight of flights) this.#flights.end(flight)
  }

  /** It is not known whether Redis has made a change, or will. Its message is as good as one of others from now on. */
  endUnknown({ id, flights }: OpenChange): void {
    this.#own.settle(id)
    for (const flight of flights) {
      this.#flights.end(flight)
      this.#entries.deleteHash(flight.hash)
    }
  }

  /** Drops what is kept of a key. */
  drop(hash: string): void {
    this.#flights.staleAt(hash)
    this.#entries.deleteHash(hash)
  }

  /** Drops all that is kept. */
  dropAll(): void {
    this.#epoch += 1
    this.#mapEndsAt = undefined
    this.#flights.staleAll()
    this.#entries.clear()
  }

  destroy(): void {
    if (this.#isDestroyed) return
    this.#isDestroyed = true
    this.#channel.close()
    this.#endCleaning?.()
    this.#own.clear()
    this.dropAll()
  }

  /** Whether messages set values. */
  get updates(): boolean {
    return this.#deps.settings.sync === 'UPDATE'
  }

  #open(): void {
    if (this.isTold) this.#channel.open()
  }

  #openChange(flights: readonly Flight[], isLive: boolean, about: readonly string[] | 'all'): OpenChange {
    const sender = this.#own.next()
    const id = sender.toString('latin1')
    const isAwaited = isLive && this.isTold
    if (isAwaited && this.#own.expect(id, about) && this.updates) this.dropAll()
    return { sender, id, isAwaited, flights, epoch: this.#epoch, startedAt: performance.now() }
  }

  /** Whether the message of a change was received, and has set what is kept. */
  #isReceived({ id, isAwaited, epoch }: OpenChange): boolean {
    return this.updates && isAwaited && epoch === this.#epoch && !this.#own.isExpected(id)
  }

  #set(entry: LocalEntry): void {
    if (this.#disabled.has(entry.hash)) return
    this.#entries.set(entry)
    const { ttlMs, maxIdleMs } = this.#deps.settings.limits
    if (ttlMs ?? maxIdleMs ?? (entry.mapEndsAt < Infinity || undefined)) this.#clean()
  }

  /** Removes expired entries from time to time. */
  #clean(): void {
    if (this.#endCleaning !== undefined) return
    const entries = this.#entries
    const name = `${localCacheTopic(this.#deps.map)}:${this.#own.next().toString('hex')}`
    this.#endCleaning = this.#deps.context.eviction.hold(name, () => Promise.resolve(entries.purge()))
  }

  #begin(): void {
    this.#log?.begin()
    if (this.updates) this.#learnEnd()
  }

  /** Messages may have been missed. */
  #resume(): void {
    this.#own.clear()
    this.#disabled.clear()
    this.#flights.staleAll()
    this.#epoch += 1
    this.#mapEndsAt = undefined
    const { reconnection } = this.#deps.settings
    if (reconnection === 'CLEAR') this.#entries.clear()
    else this.#log?.catchUp(this)
    if (this.updates) this.#learnEnd()
  }

  #receive(payload: Buffer): void {
    let message: CacheMessage | undefined
    try {
      message = readCacheMessage(payload)
    } catch {
      this.dropAll() // whatever it meant
      return
    }
    if (message !== undefined) this.#handle(message)
  }

  #handle(message: CacheMessage): void {
    switch (message.type) {
      case 'clear':
        this.#handleClear(message)
        break
      case 'invalidate':
        if (this.#own.settle(message.sender) && !this.updates) break
        for (const hash of message.hashes) this.drop(hash)
        break
      case 'update':
        this.#handleUpdate(message)
        break
      case 'disable':
        this.#disable(message)
        break
      case 'enable':
        this.#disabled.enable(message.requestId)
        break
    }
  }

  #handleClear({ sender, requestId, isConfirmed }: CacheMessage & { readonly type: 'clear' }): void {
    const isOwn = this.#own.settle(sender)
    if (isOwn && !this.updates) return
    this.dropAll()
    if (this.updates) this.#learnEnd()
    if (isConfirmed && !isOwn) this.#deps.confirm(requestId)
  }

  #handleUpdate({ sender, entries }: CacheMessage & { readonly type: 'update' }): void {
    if (this.#own.settle(sender) && !this.updates) return
    const mapEndsAt = this.#mapEndsAt
    for (const [key, value] of entries) {
      const hash = hashOf(key)
      this.drop(hash)
      if (!this.updates || mapEndsAt === undefined || this.#own.isAwaited(hash) || !this.isLive) continue
      // Copies: the message may be a part of all that a connection has received.
      const copy = { key: Buffer.from(key), value: Buffer.from(value) }
      this.#set({ ...copy, hash, storedAt: performance.now(), mapEndsAt })
    }
  }

  /** Keeps nothing of what a transaction changes, until it has ended, and says so. */
  #disable(message: CacheMessage & { readonly type: 'disable' }): void {
    this.#disabled.disable(message)
    if (message.isWhole) this.dropAll()
    for (const hash of message.hashes) this.drop(hash)
    const { context, map } = this.#deps
    const channel = localCacheAcknowledgements(map, message.requestId)
    const call = { keys: { channel }, args: { message: DISABLED_MESSAGE } }
    void withoutAsyncContext(() => context.executor.run(publishMessage, call)).catch(() => undefined) // it waits for a while, and goes on
  }

  /** Finds out when the map expires, which messages do not say. */
  #learnEnd(): void {
    const { context, map } = this.#deps
    const flight = this.beginReads()
    const startedAt = performance.now()
    const asked = withoutAsyncContext(() =>
      context.executor.run(timeLeft, { keys: { map }, args: {} }, FROM_MASTER),
    )
    void asked
      .then((leftMs) => {
        if (!flight.isStale && this.isLive) this.#mapEndsAt = leftMs <= NEVER ? Infinity : startedAt + leftMs
      })
      .catch(() => undefined) // the next read tells it
      .finally(() => {
        this.endReads(flight)
      })
  }
}

/** @param field - the key, as a codec has made it */
export function entryOf(field: Argument, value: Buffer | undefined): CachedEntry {
  const key = bytesOf(field)
  return { key, value, hash: hashOf(key) }
}

function hashOf(key: Buffer): string {
  return highwayHash128(key).toString('latin1')
}
