import { LRUCache } from 'lru-cache'
import { identityOf } from '../../shared/identity-of.js'
import { LeastUsed } from './least-used.js'

/** One entry of a map, as this process keeps it. */
export interface LocalEntry {
  readonly key: Buffer
  /** What messages call the key. */
  readonly hash: string
  /** Undefined for a key of which it is known that it has no value. */
  readonly value: Buffer | undefined
  /** When it was stored, on the monotonic clock. */
  readonly storedAt: number
  /** When it ends at the latest, on the same clock, as the map or the entry expires; or Infinity. */
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

type Kept = LRUCache<string, LocalEntry>

/** Each entry counts as 1: a limit of the size, unlike one of the number, has no memory set aside for as many. */
const EACH_COUNTS = { sizeCalculation: () => 1 }

/**
 * The entries of a map that this process keeps. They are found by the bytes of their keys; a message, which has only a hash, removes the one
 * that has it. Of two keys of the same hash only the last is kept.
 */
export class LocalEntries {
  readonly #limits: LocalLimits
  readonly #kept: Kept
  /** The identity of the key that has a hash. */
  readonly #byHash = new Map<string, string>()
  readonly #leastUsed: LeastUsed | undefined
  #purgedAt = -Infinity

  constructor(limits: LocalLimits) {
    this.#limits = limits
    const { cacheSize, evictionPolicy, maxIdleMs } = limits
    this.#leastUsed = evictionPolicy === 'LFU' ? new LeastUsed() : undefined
    this.#kept = new LRUCache({
      ...EACH_COUNTS,
      maxSize: evictionPolicy === 'LRU' && cacheSize > 0 ? cacheSize : Number.MAX_SAFE_INTEGER,
      perf: { now: () => performance.now() },
      ttlResolution: 0, // otherwise a timer would keep the time
      updateAgeOnGet: maxIdleMs !== undefined,
      dispose: ({ hash }, identity) => {
        if (this.#byHash.get(hash) === identity) this.#byHash.delete(hash)
        this.#leastUsed?.delete(identity)
      },
      noDisposeOnSet: true,
    })
  }

  get size(): number {
    return this.#kept.size
  }

  /** The entry of a key, which is used by this. */
  get(identity: string): LocalEntry | undefined {
    const entry = this.#kept.get(identity)
    if (entry === undefined) return undefined
    if (this.#isOver(entry)) {
      this.#kept.delete(identity)
      return undefined
    }
    this.#leastUsed?.use(identity)
    return entry
  }

  /** Keeps an entry, in the place of another one where there is no room. */
  set(entry: LocalEntry): void {
    const { cacheSize } = this.#limits
    const identity = identityOf(entry.key)
    const other = this.#byHash.get(entry.hash)
    if (other !== undefined && other !== identity) this.#kept.delete(other)
    if (cacheSize < 0 || !this.#makeRoom(identity)) return
    const lifeMs = this.#lifeOf(entry)
    if (lifeMs <= 0) {
      this.#kept.delete(identity)
      return
    }
    this.#kept.set(identity, entry, lifeMs === Infinity ? {} : { ttl: lifeMs })
    this.#byHash.set(entry.hash, identity)
    this.#leastUsed?.use(identity)
  }

  /** Removes the entry whose key has this hash. */
  deleteHash(hash: string): void {
    const identity = this.#byHash.get(hash)
    if (identity !== undefined) this.#kept.delete(identity)
  }

  clear(): void {
    this.#kept.clear()
    this.#byHash.clear()
    this.#leastUsed?.clear()
  }

  /** All that has not expired. To look at them is no use of them. */
  *values(): Generator<LocalEntry, void, undefined> {
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
  #lifeOf(entry: LocalEntry): number {
    const { maxIdleMs = Infinity } = this.#limits
    return Math.min(maxIdleMs, Math.ceil(this.#endOf(entry) - performance.now()))
  }

  #isOver(entry: LocalEntry): boolean {
    return this.#endOf(entry) <= performance.now()
  }

  #endOf({ storedAt, endsAt }: LocalEntry): number {
    return Math.min(endsAt, storedAt + (this.#limits.ttlMs ?? Infinity))
  }

  /** Whether there is room for an entry; the one that is used least often leaves for it. */
  #makeRoom(identity: string): boolean {
    const { cacheSize, evictionPolicy } = this.#limits
    if (evictionPolicy === 'LRU' || cacheSize === 0 || this.#kept.has(identity)) return true
    if (this.size < cacheSize) return true
    const first = this.#leastUsed?.first
    if (first !== undefined) return this.#kept.delete(first)
    this.#purgeNowAndThen()
    return this.size < cacheSize
  }

  #purgeNowAndThen(): void {
    const now = performance.now()
    if (now - this.#purgedAt < PURGE_PAUSE_MS) return
    this.#purgedAt = now
    this.purge()
  }
}
