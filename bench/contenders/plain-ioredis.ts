import type { ChainableCommander, Redis } from 'ioredis'
import { LRUCache } from 'lru-cache'
import { connectEach, quitEach } from './connect.js'
import type { NodeContender } from './contender.js'
import { firstOf } from './first-of.js'
import { nothingButValues } from './nothing-but-values.js'
import { ownBloomFilters } from './own-bloom-filters.js'
import { ownKeyLimits } from './own-key-limits.js'
import { listsAsQueues, streams } from './plain-queues.js'
import { SIZES_IN_MEMORY } from './values.js'
import type {
  Buckets,
  Caches,
  Counters,
  Item,
  Lists,
  Maps,
  Maybe,
  Sets,
  SortedSets,
  Topics,
} from './values.js'

const PUT = `local before = redis.call('hget', KEYS[1], ARGV[1])
redis.call('hset', KEYS[1], ARGV[1], ARGV[2])
return before`

const SET_AT = `local before = redis.call('lindex', KEYS[1], ARGV[1])
redis.call('lset', KEYS[1], ARGV[1], ARGV[2])
return before`

/** Those of reliable queues are other keys here. */
const JOBS = 'plain:'

interface Scripts {
  put(key: string, field: string, value: string): Promise<string | null>
  setAt(key: string, index: number, value: string): Promise<string | null>
}

/** The floor of values: what a program writes that has ioredis and JSON, and nothing else. */
export const plainIoredis: NodeContender = {
  name: 'plain ioredis',
  settings:
    'one command for each call, with JSON.stringify and JSON.parse; for Bloom filters the scripts and the hash of this library; a script of HGET and HSET for a put that tells what was there, and of LINDEX and LSET for such a set; pipeline() for batches; a second connection for messages, and others for BLPOP and XREADGROUP; lru-cache and GET for caches; the script of this library for limits of keys',
  cannot: nothingButValues('plain ioredis has no locks'),

  async open(servers) {
    const server = firstOf(servers)
    const clients = await connectEach([server, server, server, server, server])
    const [redis, listening, ofLists, ofJobs, ofStreams] = clients as [Redis, Redis, Redis, Redis, Redis]
    return {
      takes: {},
      values: {
        bucket: bucketsOf(redis),
        counter: countersOf(redis),
        map: mapsOf(redis),
        list: listsOf(redis),
        set: setsOf(redis),
        sortedSet: sortedSetsOf(redis),
        bloomFilter: ownBloomFilters(redis),
        topic: topicsOf(redis, listening),
        blockingQueue: listsAsQueues(redis, ofLists),
        reliableQueue: {
          ...listsAsQueues(redis, ofJobs, JOBS),
          publishAll: (name, items) => redis.rpush(JOBS + name, ...items.map((item) => JSON.stringify(item))),
          size: (name) => redis.llen(JOBS + name),
        },
        stream: streams(redis, ofStreams),
        cache: cachesOf(redis),
        keyLimits: ownKeyLimits(redis),
      },
      close: () => quitEach(clients),
    }
  },
}

function bucketsOf(redis: Redis): Buckets {
  return {
    set: (name, item) => redis.set(name, JSON.stringify(item)),
    get: async (name) => itemIn(await redis.get(name)),
    setAndGetAll: async (names, item) => {
      const pipeline = redis.pipeline()
      for (const name of names) pipeline.set(name, JSON.stringify(item)).get(name)
      return itemsReadBy(pipeline)
    },
  }
}

function countersOf(redis: Redis): Counters {
  return {
    increment: (name) => redis.incr(name),
    incrementTimes: async (name, times) => {
      const pipeline = redis.pipeline()
      for (let time = 0; time < times; time += 1) pipeline.incr(name)
      return (await repliesOf(pipeline)) as number[]
    },
  }
}

function mapsOf(redis: Redis): Maps {
  redis.defineCommand('put', { numberOfKeys: 1, lua: PUT })
  const scripts = redis as unknown as Scripts
  return {
    fastPut: (name, key, item) => redis.hset(name, key, JSON.stringify(item)),
    put: async (name, key, item) => itemIn(await scripts.put(name, key, JSON.stringify(item))),
    get: async (name, key) => itemIn(await redis.hget(name, key)),
    getAll: async (name, keys) => {
      const texts = await redis.hmget(name, ...keys)
      return new Map(
        keys.flatMap((key, index) => {
          const item = itemIn(texts[index] ?? null)
          return item ? [[key, item]] : []
        }),
      )
    },
    entries: async function* (name, count) {
      let cursor = '0'
      do {
        const [next, page] = await redis.hscan(name, cursor, 'COUNT', count)
        for (let at = 0; at < page.length; at += 2)
          yield [page[at] as string, JSON.parse(page[at + 1] as string) as Item]
        cursor = next
      } while (cursor !== '0')
    },
    putAndGetAll: async (name, keys, item) => {
      const pipeline = redis.pipeline()
      for (const key of keys) pipeline.hset(name, key, JSON.stringify(item)).hget(name, key)
      return itemsReadBy(pipeline)
    },
  }
}

function listsOf(redis: Redis): Lists {
  redis.defineCommand('setAt', { numberOfKeys: 1, lua: SET_AT })
  const scripts = redis as unknown as Scripts
  return {
    add: (name, item) => redis.rpush(name, JSON.stringify(item)),
    get: async (name, index) => itemIn(await redis.lindex(name, index)),
    set: async (name, index, item) => itemIn(await scripts.setAt(name, index, JSON.stringify(item))),
    size: (name) => redis.llen(name),
  }
}

function setsOf(redis: Redis): Sets {
  return {
    add: (name, item) => redis.sadd(name, JSON.stringify(item)),
    contains: async (name, item) => (await redis.sismember(name, JSON.stringify(item))) === 1,
    remove: (name, item) => redis.srem(name, JSON.stringify(item)),
  }
}

function sortedSetsOf(redis: Redis): SortedSets {
  return {
    add: (name, score, value) => redis.zadd(name, score, JSON.stringify(value)),
    addScore: async (name, value, delta) => Number(await redis.zincrby(name, delta, JSON.stringify(value))),
    rank: (name, value) => redis.zrank(name, JSON.stringify(value)),
  }
}

function topicsOf(redis: Redis, listening: Redis): Topics {
  return {
    publish: (name, item) => redis.publish(name, JSON.stringify(item)),
    listen: async (name, listener) => {
      const hear = (channel: string, message: string): void => {
        if (channel === name) listener(JSON.parse(message) as Item)
      }
      listening.on('message', hear)
      await listening.subscribe(name)
      return () => {
        listening.off('message', hear)
        return listening.unsubscribe(name)
      }
    },
  }
}

/** One level in memory, and one in Redis. */
function cachesOf(redis: Redis): Caches {
  const inMemory = {
    large: new LRUCache<string, Item>({ max: SIZES_IN_MEMORY.large, ttl: 60_000 }),
    tiny: new LRUCache<string, Item>({ max: SIZES_IN_MEMORY.tiny, ttl: 60_000 }),
  }
  return {
    getOrLoad: async (name, key, load) => {
      const found = inMemory[name].get(key)
      if (found !== undefined) return found
      const redisKey = `plain:cache:${name}:${key}`
      const stored = itemIn(await redis.get(redisKey))
      const item = stored ?? (await load())
      if (!stored) await redis.set(redisKey, JSON.stringify(item), 'PX', 600_000)
      inMemory[name].set(key, item)
      return item
    },
  }
}

function itemIn(text: string | null): Maybe<Item> {
  return text === null ? undefined : (JSON.parse(text) as Item)
}

/** What the second command of each two has read. */
async function itemsReadBy(pipeline: ChainableCommander): Promise<Maybe<Item>[]> {
  const replies = await repliesOf(pipeline)
  return replies.filter((_, index) => index % 2 === 1).map((reply) => itemIn(reply as string | null))
}

async function repliesOf(pipeline: ChainableCommander): Promise<unknown[]> {
  const results = (await pipeline.exec()) ?? []
  return results.map(([error, reply]) => {
    if (error) throw error
    return reply
  })
}
