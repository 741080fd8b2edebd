import { LRUCache } from 'lru-cache'
import { LeastUsed } from './least-used.js'

/** For how long an entry may be kept. */
export interface Bounded {
  /** When it was stored, on the monotonic clock. */
  readonly storedAt: number
  /** When it ends at the latest, on the same clock; or Infinity. */
  readonly endsAt: number
}

/** How many entries are kept, and for how long. */
export interface LocalLimits {
  /** 0 for any number, and -1 for none. */
  readonly cacheSize: number
  readonly evictionPolicy: 'NONE' | 'LRU' | 'LFU'
  /** Undefined for no end. */
  readonly ttlMs: number | undefined
  readonly maxIdleMs: number | undefined
}

/** How often, at most, a full cache that takes no new entries looks for expired ones, in milliseconds. */
const PURGE_PAUSE_MS = 1_000

/** Each entry counts as 1: a limit of the size, unlike one of the number, has no memory set aside for as many. */
const EACH_COUNTS = { sizeCalculation: () => 1 }

/** Entries that this process keeps, by a text that identifies them, within limits of number and time. */
export class BoundedEntries<E extends Bounded> {
  readonly #limits: LocalLimits
  readonly #kept: LRUCache<string, E>
  readonly #leastUsed: LeastUsed | undefined
  #purgedAt = -Infinity

  /** @param removed - is notified of each entry that is not kept any more; not of one that another of the same identity has replaced */
  constructor(limits: LocalLimits, removed: (entry: E, identity: string) => void) {
    this.#limits = limits
    const { cacheSize, evictionPolicy, maxIdleMs } = limits
    this.#leastUsed = evictionPolicy === 'LFU' ? new LeastUsed() : undefined
    this.#kept = new LRUCache({
      ...EACH_COUNTS,
      maxSize: evictionPolicy === 'LRU' && cacheSize > 0 ? cacheSize : Number.MAX_SAFE_INTEGER,
      perf: { now: () => performance.now() },
      ttlResolution: 0, // otherwise a timer would keep the time
      updateAgeOnGet: maxIdleMs !== undefined,
      dispose: (entry, identity) => {
        this.#leastUsed?.delete(identity)
        removed(entry, identity)
      },
      noDisposeOnSet: true,
    })
  }

  get size(): number {
    return this.#kept.size
  }

  /** The entry of an identity, which is used by this. */
  get(identity: string): E | undefined {
    const entry = this.#kept.get(identity)
    if (entry === undefined) return undefined
    if (this.#isOver(entry)) {
      this.#kept.delete(identity)
      return undefined
    }
    this.#leastUsed?.use(identity)
    return entry
  }

  /** Whether an entry can be kept that is not kept yet. */
  hasRoom(): boolean {
    const { cacheSize, evictionPolicy } = this.#limits
    if (cacheSize < 0) return false
    if (evictionPolicy !== 'NONE' || cacheSize === 0 || this.size < cacheSize) return true
    this.#purgeNowAndThen()
    return this.size < cacheSize
  }

  /** Keeps an entry, in the place of another one where there is no room. Returns whether it is kept. */
  set(identity: string, entry: E): boolean {
    if (!this.#kept.has(identity) && !this.#makeRoom()) return false
    const lifeMs = this.#lifeOf(entry)
    if (lifeMs <= 0) {
      this.#kept.delete(identity)
      return false
    }
    this.#kept.set(identity, entry, lifeMs === Infinity ? {} : { ttl: lifeMs })
    this.#leastUsed?.use(identity)
    return true
  }

  delete(identity: string): void {
    this.#kept.delete(identity)
  }

  clear(): void {
    this.#kept.clear()
    this.#leastUsed?.clear()
  }

  /** All that has not expired. To look at them is no use of them. */
  *values(): Generator<E, void, undefined> {
    for (const entry of this.#kept.values()) if (!this.#isOver(entry)) yield entry
  }

  /** Removes what has expired. Returns how much that was. */
  purge(): number {
    const before = this.size
    this.#kept.purgeStale()
    for (const [identity, entry] of [...this.#kept.entries()])
      if (this.#isOver(entry)) this.#kept.delete(identity)
    return before - this.size
  }

  /** For how long an entry is kept, if nothing uses it. */
  #lifeOf(entry: E): number {
    const { maxIdleMs = Infinity } = this.#limits
    return Math.min(maxIdleMs, Math.ceil(this.#endOf(entry) - performance.now()))
  }

  #isOver(entry: E): boolean {
    return this.#endOf(entry) <= performance.now()
  }

  #endOf({ storedAt, endsAt }: E): number {
    return Math.min(endsAt, storedAt + (this.#limits.ttlMs ?? Infinity))
  }

  /** Whether there is room for an entry; the one that is used least often leaves for it. */
  #makeRoom(): boolean {
    if (!this.hasRoom()) return false
    const { cacheSize, evictionPolicy } = this.#limits
    const isFull = evictionPolicy === 'LFU' && cacheSize > 0 && this.size >= cacheSize
    const first = isFull ? this.#leastUsed?.first : undefined
    if (first !== undefined) this.#kept.delete(first)
    return true
  }

  #purgeNowAndThen(): void {
    const now = performance.now()
    if (now - this.#purgedAt < PURGE_PAUSE_MS) return
    this.#purgedAt = now
    this.purge()
  }
}
