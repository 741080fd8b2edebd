import {
  ITEM,
  type Item,
  type KEY_LIMITS,
  type Lists,
  type Maybe,
  type SIZES_IN_MEMORY,
  type Values,
} from '../../contenders/values.js'

/** What is called again and again. */
export interface Plan {
  /** The n-th call. */
  readonly call: (n: number) => Promise<unknown>
  /**
   * Whether a call may have resolved with that.
   *
   * @defaultValue with anything
   */
  readonly isRight?: (result: never) => boolean
  /**
   * How many of all calls had no effect.
   *
   * @defaultValue none
   */
  readonly missing?: (calls: number) => Promise<number>
}

/** How many operations a batch has. */
export const BATCH = 1_000

/** The number of buckets, or keys of a map, that are used in turn. */
const NAMES = BATCH / 2

const buckets = Array.from({ length: NAMES }, (_, index) => `bench:bucket:${String(index)}`)
const keys = Array.from({ length: NAMES }, (_, index) => `key:${String(index)}`)
const items = Array.from({ length: NAMES }, (_, index): Item => ({ ...ITEM, id: index }))
const MAP = 'bench:map'
const LIST = 'bench:list'
/** It grows for as long as adds are measured. */
const LONG_LIST = 'bench:long-list'
const SET = 'bench:set'
const NUMBER = 'bench:number'
const SORTED_SET = 'bench:sorted-set'
const LARGE_MAP = 'bench:large-map'
const FILTER = 'bench:bloom-filter'
/** They grow for as long as is measured. */
const JOBS = 'bench:jobs'
const MANY_JOBS = 'bench:many-jobs'

const hotKeys = Array.from({ length: BATCH }, (_, index) => `hot:${String(index)}`)

/** How many values a call is about that reads many. */
export const MANY_VALUES = 10_000

const manyKeys = Array.from({ length: MANY_VALUES }, (_, index) => `key:${String(index)}`)

/** The ids that are added to a filter and looked for, some for each call. */
const ids = Array.from({ length: 100 }, (_, call) =>
  Array.from({ length: BATCH }, (_, index) => `id:${String(call)}:${String(index)}`),
)

/** All that is measured of values but messages, each prepared by what it reads. */
export const plans = {
  'bucket.set': (values) => {
    const bucket = demandObjects(values.bucket)
    return Promise.resolve({
      call: (n) => bucket.set(inTurn(buckets, n), ITEM),
      missing: (calls) => notThere(buckets, calls, (name) => bucket.get(name)),
    })
  },
  'bucket.get': async (values) => {
    const bucket = demandObjects(values.bucket)
    await Promise.all(buckets.map((name) => bucket.set(name, ITEM)))
    return { call: (n) => bucket.get(inTurn(buckets, n)), isRight: isItem }
  },
  'bucket.batch': (values) => {
    const setAndGetAll = demandObjects(values.bucket?.setAndGetAll)
    return Promise.resolve({ call: () => setAndGetAll(buckets, ITEM), isRight: areItems })
  },

  'counter.increment': async (values) => {
    const counter = demandObjects(values.counter)
    const before = await counter.increment(NUMBER)
    return {
      call: () => counter.increment(NUMBER),
      missing: async (calls) => before + calls + 1 - (await counter.increment(NUMBER)),
    }
  },
  'counter.batch': async (values) => {
    const counter = demandObjects(values.counter)
    const incrementTimes = demandObjects(counter.incrementTimes)
    const before = await counter.increment(NUMBER)
    return {
      call: () => incrementTimes(NUMBER, BATCH),
      isRight: (numbers: readonly number[]) => numbers.length === BATCH && numbers.every(Number.isInteger),
      missing: async (calls) => before + calls * BATCH + 1 - (await counter.increment(NUMBER)),
    }
  },

  'map.fastPut': (values) => {
    const map = demandObjects(values.map)
    return Promise.resolve({
      call: (n) => map.fastPut(MAP, inTurn(keys, n), ITEM),
      missing: (calls) => notThere(keys, calls, (key) => map.get(MAP, key)),
    })
  },
  'map.put': async (values) => {
    const map = demandObjects(values.map)
    await Promise.all(keys.map((key) => map.fastPut(MAP, key, ITEM)))
    return { call: (n) => map.put(MAP, inTurn(keys, n), ITEM), isRight: isItem }
  },
  'map.get': async (values) => {
    const map = demandObjects(values.map)
    await Promise.all(keys.map((key) => map.fastPut(MAP, key, ITEM)))
    return { call: (n) => map.get(MAP, inTurn(keys, n)), isRight: isItem }
  },
  'map.getAll': async (values) => {
    const map = demandObjects(values.map)
    for (let at = 0; at < manyKeys.length; at += BATCH)
      await Promise.all(manyKeys.slice(at, at + BATCH).map((key) => map.fastPut(LARGE_MAP, key, ITEM)))
    return {
      call: () => map.getAll(LARGE_MAP, manyKeys),
      isRight: (found: ReadonlyMap<string, Item>) =>
        found.size === MANY_VALUES && isItem(found.get(manyKeys[0] as string)),
    }
  },
  'map.batch': (values) => {
    const putAndGetAll = demandObjects(values.map?.putAndGetAll)
    return Promise.resolve({ call: () => putAndGetAll(MAP, keys, ITEM), isRight: areItems })
  },

  'list.add': async (values) => {
    const list = demandObjects(values.list)
    const before = await list.size(LONG_LIST)
    return {
      call: () => list.add(LONG_LIST, ITEM),
      missing: async (calls) => before + calls - (await list.size(LONG_LIST)),
    }
  },
  'list.get': async (values) => {
    const list = demandObjects(values.list)
    await fill(list)
    return { call: (n) => list.get(LIST, n % NAMES), isRight: isItem }
  },
  'list.set': async (values) => {
    const list = demandObjects(values.list)
    await fill(list)
    return { call: (n) => list.set(LIST, n % NAMES, ITEM), isRight: isItem }
  },
  'set.add': (values) => {
    const set = demandObjects(values.set)
    return Promise.resolve({
      call: (n) => set.add(SET, inTurn(items, n)),
      missing: async (calls) => {
        const written = items.slice(0, calls)
        const found = await Promise.all(written.map((item) => set.contains(SET, item)))
        return found.filter((isThere) => !isThere).length
      },
    })
  },
  'set.contains': async (values) => {
    const set = demandObjects(values.set)
    await Promise.all(items.map((item) => set.add(SET, item)))
    return { call: (n) => set.contains(SET, inTurn(items, n)), isRight: (isThere: boolean) => isThere }
  },
  'set.remove': (values) => {
    const set = demandObjects(values.set)
    return Promise.resolve({ call: (n) => set.remove(SET, inTurn(items, n)) })
  },
  'sorted-set.add': (values) => {
    const set = demandObjects(values.sortedSet)
    return Promise.resolve({
      call: (n) => set.add(SORTED_SET, n % NAMES, inTurn(keys, n)),
      missing: async (calls) => {
        const written = keys.slice(0, calls)
        const ranks = await Promise.all(written.map((key) => set.rank(SORTED_SET, key)))
        return ranks.filter((rank) => !Number.isInteger(rank)).length
      },
    })
  },
  'sorted-set.addScore': async (values) => {
    const set = demandObjects(values.sortedSet)
    const before = await set.addScore(SORTED_SET, 'counted', 1)
    return {
      call: () => set.addScore(SORTED_SET, 'counted', 1),
      missing: async (calls) => before + calls + 1 - (await set.addScore(SORTED_SET, 'counted', 1)),
    }
  },
  'sorted-set.rank': async (values) => {
    const set = demandObjects(values.sortedSet)
    await Promise.all(keys.map((key, index) => set.add(SORTED_SET, index, key)))
    return { call: (n) => set.rank(SORTED_SET, inTurn(keys, n)), isRight: (rank) => Number.isInteger(rank) }
  },
  'bloom-filter.addAll': async (values) => {
    const filter = demandObjects(values.bloomFilter)
    await filter.tryInit(FILTER, 1_000_000, 0.01)
    return {
      call: (n) => filter.addAll(FILTER, idsOf(n)),
      isRight: (added: number) => added <= BATCH,
      missing: async (calls) => {
        const written = ids.slice(0, calls)
        const found = await Promise.all(written.map((each) => filter.countContained(FILTER, each)))
        return found.filter((count) => count !== BATCH).length
      },
    }
  },
  'bloom-filter.countContained': async (values) => {
    const filter = demandObjects(values.bloomFilter)
    await filter.tryInit(FILTER, 1_000_000, 0.01)
    for (const each of ids) await filter.addAll(FILTER, each)
    return {
      call: (n) => filter.countContained(FILTER, idsOf(n)),
      isRight: (found: number) => found === BATCH,
    }
  },

  'reliable-queue.publish': async (values) => {
    const queue = demandObjects(values.reliableQueue)
    const before = await queue.size(JOBS)
    return {
      call: () => queue.publish(JOBS, ITEM),
      missing: async (calls) => before + calls - (await queue.size(JOBS)),
    }
  },
  'reliable-queue.publishAll': async (values) => {
    const queue = demandObjects(values.reliableQueue)
    const before = await queue.size(MANY_JOBS)
    const jobs = Array.from({ length: BATCH }, () => ITEM)
    return {
      call: () => queue.publishAll(MANY_JOBS, jobs),
      missing: async (calls) => before + calls * BATCH - (await queue.size(MANY_JOBS)),
    }
  },

  'cache.hit': (values) => cached(values, 'large'),
  'cache.miss': (values) => cached(values, 'tiny'),

  'key-limits.grant': (values) => limited(values, 'open', true),
  'key-limits.refusal': (values) => limited(values, 'full', false),
} as const satisfies Record<string, (values: Values) => Promise<Plan>>

export type PlanName = keyof typeof plans

/** @throws Error if the contender has no such objects */
export function demandObjects<T>(objects: T | undefined): T {
  if (objects === undefined)
    throw new Error('Expected a contender that has such objects, got one that has none')
  return objects
}

/** Adds to a list until it has a value for each index that is used. */
async function fill(list: Lists): Promise<void> {
  for (let size = await list.size(LIST); size < NAMES; size += 1) await list.add(LIST, ITEM)
}

/** Reads what all have loaded before, from a cache that has all in memory, or next to none of it. */
async function cached({ cache }: Values, name: keyof typeof SIZES_IN_MEMORY): Promise<Plan> {
  const caches = demandObjects(cache)
  let loads = 0
  const load = () => {
    loads += 1
    return Promise.resolve(ITEM)
  }
  for (const key of hotKeys) await caches.getOrLoad(name, key, load)
  for (const key of hotKeys) await caches.getOrLoad(name, key, load)
  const before = loads
  return {
    call: (n) => caches.getOrLoad(name, hotKeys[n % BATCH] as string, load),
    isRight: isItem,
    missing: () => Promise.resolve(loads - before),
  }
}

/** Asks for many keys, of which all have asked once before. */
async function limited(
  { keyLimits }: Values,
  name: keyof typeof KEY_LIMITS,
  expected: boolean,
): Promise<Plan> {
  const limits = demandObjects(keyLimits)
  await Promise.all(hotKeys.map((key) => limits.consume(name, key)))
  return {
    call: (n) => limits.consume(name, hotKeys[n % BATCH] as string),
    isRight: (allowed) => allowed === expected,
  }
}

function inTurn<T>(all: readonly T[], n: number): T {
  return all[n % NAMES] as T
}

function idsOf(n: number): readonly string[] {
  return ids[n % ids.length] as readonly string[]
}

/** How many of the values that this number of calls has written cannot be read. */
async function notThere(
  names: readonly string[],
  calls: number,
  read: (name: string) => Promise<Maybe<Item>>,
): Promise<number> {
  const written = names.slice(0, calls)
  const found = await Promise.all(written.map(read))
  return written.length - found.filter(isItem).length
}

function isItem(item: Maybe<Item>): boolean {
  return item?.id === ITEM.id && item.tags.length === ITEM.tags.length && item.price === ITEM.price
}

function areItems(items: readonly Maybe<Item>[]): boolean {
  return items.length === NAMES && items.every(isItem)
}
