import { localCacheTopic } from '../../../core/context/names.js'
import type { ObjectContext } from '../../../core/context/object-context.js'
import { DisabledKeys } from './disabled-keys.js'
import { Flights } from './flights.js'
import type { LocalLimits } from './bounded-entries.js'
import { LocalEntries, type LocalEntry } from './local-entries.js'

/** What {@link KeptEntries} are made with. */
export interface KeptEntriesDeps {
  readonly context: Pick<ObjectContext, 'eviction'>
  readonly map: string
  readonly limits: LocalLimits
  /** Of this object alone. */
  readonly id: string
}

/** The entries that are kept, and the calls whose results may be kept. */
export class KeptEntries {
  readonly flights = new Flights()
  readonly disabled = new DisabledKeys()
  /** When the map expires, on the monotonic clock, if that is known: a message has a value alone. */
  mapEndsAt: number | undefined
  readonly #deps: KeptEntriesDeps
  readonly #entries: LocalEntries
  #epoch = 0
  #endCleaning: (() => void) | undefined

  constructor(deps: KeptEntriesDeps) {
    this.#deps = deps
    this.#entries = new LocalEntries(deps.limits)
  }

  /** How often all calls that were under way have become stale. */
  get epoch(): number {
    return this.#epoch
  }

  get(identity: string): LocalEntry | undefined {
    return this.#entries.get(identity)
  }

  values(): Iterable<LocalEntry> {
    return this.#entries.values()
  }

  set(entry: LocalEntry): void {
    if (this.disabled.has(entry.hash)) return
    this.#entries.set(entry)
    const { ttlMs, maxIdleMs } = this.#deps.limits
    if (ttlMs !== undefined || maxIdleMs !== undefined || entry.endsAt < Infinity) this.#clean()
  }

  deleteHash(hash: string): void {
    this.#entries.deleteHash(hash)
  }

  /** Drops what is kept of a key, which has changed. */
  drop(hash: string): void {
    this.flights.staleAt(hash)
    this.#entries.deleteHash(hash)
  }

  /** Drops all that is kept. */
  dropAll(): void {
    this.staleAll()
    this.#entries.clear()
  }

  /** Keeps nothing of what is under way. */
  staleAll(): void {
    this.#epoch += 1
    this.mapEndsAt = undefined
    this.flights.staleAll()
  }

  destroy(): void {
    this.#endCleaning?.()
    this.dropAll()
  }

  /** Removes expired entries from time to time. */
  #clean(): void {
    if (this.#endCleaning !== undefined) return
    const { context, map, id } = this.#deps
    const entries = this.#entries
    const name = `${localCacheTopic(map)}:${id}`
    this.#endCleaning = context.eviction.hold(name, () => Promise.resolve(entries.purge()))
  }
}
