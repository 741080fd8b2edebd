/** A value as programs keep it. */
export interface Item {
  readonly id: number
  readonly name: string
  readonly tags: readonly string[]
  readonly price: number
  readonly open: boolean
}

/** About 80 bytes of JSON. */
export const ITEM: Item = {
  id: 4711,
  name: 'garden hose',
  tags: ['tools', 'garden'],
  price: 19.95,
  open: true,
}

/** What is read where there may be nothing. */
export type Maybe<T> = T | null | undefined

/** What a contender does with values. They are encoded and decoded by each call. */
export interface Values {
  readonly bucket?: Buckets
  readonly counter?: Counters
  readonly map?: Maps
  readonly list?: Lists
  readonly set?: Sets
  readonly sortedSet?: SortedSets
  readonly bloomFilter?: BloomFilters
  readonly topic?: Topics
  /** What is published is there until it is taken. */
  readonly blockingQueue?: Topics
  readonly reliableQueue?: ReliableQueues
  readonly stream?: Topics
  readonly cache?: Caches
  readonly keyLimits?: KeyLimits
}

export interface Buckets {
  set(name: string, item: Item): Promise<unknown>
  get(name: string): Promise<Maybe<Item>>
  /** Sets each bucket and reads it, all in one batch; resolves with what was read. */
  readonly setAndGetAll?: (names: readonly string[], item: Item) => Promise<readonly Maybe<Item>[]>
}

export interface Counters {
  increment(name: string): Promise<number>
  /** Counts that number of times in one batch; resolves with all results. */
  readonly incrementTimes?: (name: string, times: number) => Promise<readonly number[]>
}

export interface Maps {
  /** Puts without reading what was there. */
  fastPut(name: string, key: string, item: Item): Promise<unknown>
  /** Resolves with what was there. */
  put(name: string, key: string, item: Item): Promise<Maybe<Item>>
  get(name: string, key: string): Promise<Maybe<Item>>
  /** Resolves with the values of all keys that are there. */
  getAll(name: string, keys: readonly string[]): Promise<ReadonlyMap<string, Item>>
  /** Comes to each entry, with at most this number of them in one reply or so. */
  entries(name: string, count: number): AsyncIterable<readonly [string, Item]>
  /** Puts each key and reads it, all in one batch; resolves with what was read. */
  readonly putAndGetAll?: (
    name: string,
    keys: readonly string[],
    item: Item,
  ) => Promise<readonly Maybe<Item>[]>
}

export interface Lists {
  /** Adds at the end. */
  add(name: string, item: Item): Promise<unknown>
  get(name: string, index: number): Promise<Maybe<Item>>
  /** Resolves with what was there. */
  set(name: string, index: number, item: Item): Promise<Maybe<Item>>
  size(name: string): Promise<number>
}

export interface Sets {
  /** Resolves with whether the item is new. */
  add(name: string, item: Item): Promise<unknown>
  contains(name: string, item: Item): Promise<boolean>
  remove(name: string, item: Item): Promise<unknown>
}

export interface SortedSets {
  /** Gives the value a score. */
  add(name: string, score: number, value: string): Promise<unknown>
  /** Adds to a score; resolves with the sum. */
  addScore(name: string, value: string, delta: number): Promise<number>
  rank(name: string, value: string): Promise<Maybe<number>>
}

export interface BloomFilters {
  /** Makes a filter, unless there is one. */
  tryInit(name: string, expectedInsertions: number, falseProbability: number): Promise<unknown>
  /** Resolves with how many of the ids are new. */
  addAll(name: string, ids: readonly string[]): Promise<number>
  /** Resolves with how many of the ids are there. */
  countContained(name: string, ids: readonly string[]): Promise<number>
}

/** How many jobs are worked on at the same time. */
export const JOBS_AT_ONCE = 100

/** What is published is there until a worker is done with it. */
export interface ReliableQueues extends Topics {
  /** Adds many at once. */
  publishAll(name: string, items: readonly Item[]): Promise<unknown>
  /** Resolves with how many wait. */
  size(name: string): Promise<number>
}

export interface Topics {
  publish(name: string, item: Item): Promise<unknown>
  /** Resolves when every later message arrives, with what ends it. */
  listen(name: string, listener: (item: Item) => void): Promise<() => Promise<unknown>>
}

/** What each key may use: far more than is asked for, or one in an hour. */
export const KEY_LIMITS = {
  open: { limit: 1_000_000, perMs: 1_000, burst: 1_000_000 },
  full: { limit: 1, perMs: 3_600_000, burst: 1 },
} as const

export interface KeyLimits {
  /** Resolves with whether the key may do it. */
  consume(name: keyof typeof KEY_LIMITS, key: string): Promise<boolean>
}

/** How many values a cache has in memory at most. Each name has one. */
export const SIZES_IN_MEMORY = { large: 2_000, tiny: 1 } as const

export interface Caches {
  /** Resolves with what is in memory, in Redis, or loaded. */
  getOrLoad(name: keyof typeof SIZES_IN_MEMORY, key: string, load: () => Promise<Item>): Promise<Maybe<Item>>
}
