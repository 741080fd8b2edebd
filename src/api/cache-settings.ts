/** How long an entry is good for. Every duration is in milliseconds. */
export interface CacheEntryOptions {
  /**
   * For how long an entry is fresh; 0 for as long as it is not removed.
   *
   * @defaultValue 0
   */
  readonly ttlMs?: number | undefined
  /**
   * For how long an entry is kept after `ttlMs`. It is stale then: {@link RCache.getOrLoad} returns it while one process loads it anew.
   *
   * @defaultValue 0
   */
  readonly staleMs?: number | undefined
  /**
   * By which share of itself `ttlMs` is shortened at most, at random, so that entries that were stored together do not end together. From 0 to 1.
   *
   * @defaultValue 0
   */
  readonly jitter?: number | undefined
  /**
   * Tags of the entry: {@link RCache.deleteTag} and {@link RCache.expireTag} are about all entries that have one. Entries with tags last for 31 days
   * at most, and are stale for as long at most.
   *
   * @defaultValue none
   */
  readonly tags?: readonly string[] | undefined
}

/** How a value is loaded. Every duration is in milliseconds. */
export interface CacheLoadOptions extends CacheEntryOptions {
  /**
   * For how long it is kept that there is no value, where the loader returns `undefined`; 0 to ask the loader again.
   *
   * @defaultValue 0
   */
  readonly negativeTtlMs?: number | undefined
  /**
   * How early a fresh entry may be loaded anew, so that it does not end while it is much read: the β of XFetch. 1 suits most; a larger number loads
   * earlier. The time that the last load took counts too. 0 for never.
   *
   * @defaultValue 0
   */
  readonly earlyRefresh?: number | undefined
  /**
   * For how long a call waits for a load where there is a stale value, which it returns then. The load goes on.
   *
   * @defaultValue 0
   */
  readonly softTimeoutMs?: number | undefined
  /**
   * For how long a call waits at most. It rejects with a {@link CacheTimeoutError} then, and the load goes on. `Infinity` for no limit.
   *
   * @defaultValue Infinity
   */
  readonly hardTimeoutMs?: number | undefined
  /**
   * For how long a call waits for Redis. Redis counts as down then, and the loader is called at once, once for all calls of this process. A call with a
   * shorter limit than the cache does not decide that for the others: it loads alone, and Redis is asked for as long as the cache's limit is.
   *
   * @defaultValue 200
   */
  readonly redisTimeoutMs?: number | undefined
}

/** Entries in the memory of the process. */
export interface CacheLocalOptions {
  /** How many entries there are at most: those that were used least lately are dropped. */
  readonly maxEntries: number
  /** For how long an entry is served from memory at most, in milliseconds. */
  readonly ttlMs: number
  /**
   * How old the times may be at which tags were deleted or expired, and at which the cache was cleared, in milliseconds. 0 to ask Redis at
   * each read that goes there.
   *
   * @defaultValue that of `ttlMs`
   */
  readonly tagTtlMs?: number | undefined
}

/** How a cache keeps and loads its entries. */
export interface CacheSettings extends CacheLoadOptions {
  /**
   * Keeps entries in the memory of this process as well.
   *
   * @defaultValue none are kept
   */
  readonly local?: CacheLocalOptions | undefined
}
