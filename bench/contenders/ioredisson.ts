import type { HostAndPort, LockHold, RedissonClient, RLock, RRateLimiter } from 'ioredisson'
import { PERMITS, type NodeContender, type Take } from './contender.js'
import { firstOf } from './first-of.js'
import { JOBS_AT_ONCE, KEY_LIMITS, SIZES_IN_MEMORY, type Item, type Maybe, type Values } from './values.js'

/** This library, from its build. */
export const ioredisson: NodeContender = {
  name: 'ioredisson',
  packageName: 'ioredisson',
  settings: 'nothing but the address; every lock is renewed by the watchdog',
  cannot: {},

  async open(servers, { leaseMs }) {
    const { Redisson } = await import('ioredisson') // here, because only its own process needs it
    const clients = await Promise.all(
      servers.map((server) =>
        Redisson.create({
          singleServerConfig: { address: addressOf(server) },
          lockWatchdogTimeout: leaseMs,
        }),
      ),
    )
    const client = firstOf(clients)

    const lock = taking((name) => client.getLock(name))
    return {
      takes: {
        lock,
        'renewed-lock': lock,
        'fair-lock': taking((name) => client.getFairLock(name)),
        'read-lock': taking((name) => client.getReadWriteLock(name).readLock()),
        'fenced-lock': taking((name) => client.getFencedLock(name)),
        'red-lock': taking((name) => Redisson.createRedLock(clients, name)),
        'rate-grant': calling((name) => client.getRateLimiter(name), PLENTY),
        'rate-refusal': calling((name) => client.getRateLimiter(name), NEXT_TO_NOTHING),
        semaphore: async (name) => {
          const semaphore = client.getSemaphore(name)
          await prepare(name, () => semaphore.trySetPermits(PERMITS))
          await semaphore.acquire()
          return () => semaphore.release()
        },
      },
      values: valuesOf(client),
      close: () => Promise.all(clients.map((each) => each.shutdown())),
    }
  },
}

/**
 * Objects are made for each call, as programs do that have a name at hand; and they are typed by what is kept in them. Caches and limiters are made
 * once, with their settings.
 */
function valuesOf(client: RedissonClient): Values {
  const cacheOf = (name: keyof typeof SIZES_IN_MEMORY) =>
    client.getCache<Item>(`bench:cache:${name}`, {
      ttlMs: 600_000,
      local: { maxEntries: SIZES_IN_MEMORY[name], ttlMs: 60_000 },
    })
  const caches = { large: cacheOf('large'), tiny: cacheOf('tiny') }
  const limiterOf = (name: keyof typeof KEY_LIMITS) =>
    client.getRateLimiter(`bench:limit:${name}`, { algorithm: 'gcra', ...KEY_LIMITS[name] })
  const limiters = { open: limiterOf('open'), full: limiterOf('full') }
  return {
    bucket: {
      set: (name, item) => client.getBucket<Item>(name).set(item),
      get: (name) => client.getBucket<Item>(name).get(),
      setAndGetAll: async (names, item) =>
        secondOfEachTwo(
          await client.batch((batch) =>
            names.flatMap((name) => [batch.getBucket(name).set(item), batch.getBucket(name).get()]),
          ),
        ),
    },
    counter: {
      increment: (name) => client.getAtomicLong(name).incrementAndGet(),
      incrementTimes: (name, times) =>
        client.batch((batch) =>
          Array.from({ length: times }, () => batch.getAtomicLong(name).incrementAndGet()),
        ),
    },
    map: {
      fastPut: (name, key, item) => client.getMap<string, Item>(name).fastPut(key, item),
      put: (name, key, item) => client.getMap<string, Item>(name).put(key, item),
      get: (name, key) => client.getMap<string, Item>(name).get(key),
      getAll: (name, keys) => client.getMap<string, Item>(name).getAll(keys),
      entries: (name, count) => client.getMap<string, Item>(name).entries({ count }),
      putAndGetAll: async (name, keys, item) =>
        secondOfEachTwo(
          await client.batch((batch) =>
            keys.flatMap((key) => [batch.getMap(name).fastPut(key, item), batch.getMap(name).get(key)]),
          ),
        ),
    },
    list: {
      add: (name, item) => client.getList<Item>(name).add(item),
      get: (name, index) => client.getList<Item>(name).get(index),
      set: (name, index, item) => client.getList<Item>(name).set(index, item),
      size: (name) => client.getList<Item>(name).size(),
    },
    set: {
      add: (name, item) => client.getSet<Item>(name).add(item),
      contains: (name, item) => client.getSet<Item>(name).contains(item),
      remove: (name, item) => client.getSet<Item>(name).remove(item),
    },
    sortedSet: {
      add: (name, score, value) => client.getScoredSortedSet<string>(name).add(score, value),
      addScore: (name, value, delta) => client.getScoredSortedSet<string>(name).addScore(value, delta),
      rank: (name, value) => client.getScoredSortedSet<string>(name).rank(value),
    },
    bloomFilter: {
      tryInit: (name, insertions, probability) =>
        client.getBloomFilter(name).tryInit(insertions, probability),
      addAll: (name, ids) => client.getBloomFilter<string>(name).addAll(ids),
      countContained: (name, ids) => client.getBloomFilter<string>(name).countContained(ids),
    },
    topic: {
      publish: (name, item) => client.getTopic<Item>(name).publish(item),
      listen: async (name, listener) => {
        const subscription = await client.getTopic<Item>(name).addListener(listener)
        return () => subscription.unsubscribe()
      },
    },
    blockingQueue: {
      publish: (name, item) => client.getBlockingQueue<Item>(name).offer(item),
      listen: (name, listener) =>
        listening((signal) => client.getBlockingQueue<Item>(name).consume({ signal }), listener),
    },
    reliableQueue: {
      publish: (name, item) => client.getReliableQueue<Item>(name).offer(item),
      publishAll: (name, items) => client.getReliableQueue<Item>(name).offerAll(items),
      size: (name) => client.getReliableQueue<Item>(name).size(),
      listen: (name, listener) => {
        const work = ({ value }: { readonly value: Item }) => {
          listener(value)
        }
        const worker = client.getReliableQueue<Item>(name).process(work, { concurrency: JOBS_AT_ONCE })
        return Promise.resolve(() => worker.close())
      },
    },
    stream: {
      publish: (name, item) => client.getStream<string, Item>(name).add({ item }),
      listen: async (name, listener) => {
        const stream = client.getStream<string, Item>(name)
        await stream.createGroup('group', { from: '$', makeStream: true })
        const options = { name: 'one', batch: 100 }
        return listening(
          (signal) => stream.consumer('group', { ...options, signal }),
          (message) => {
            listener(message.fields.get('item') as Item)
            void message.ack()
          },
        )
      },
    },
    cache: { getOrLoad: (name, key, load) => caches[name].getOrLoad(key, load) },
    keyLimits: { consume: async (name, key) => (await limiters[name].consume(key)).allowed },
  }
}

/** Hands all of an iteration to a listener, until it is ended. */
function listening<T>(
  iterate: (signal: AbortSignal) => AsyncIterable<T>,
  listener: (each: T) => void,
): Promise<() => Promise<void>> {
  const ending = new AbortController()
  const loop = async (): Promise<void> => {
    for await (const each of iterate(ending.signal)) listener(each)
  }
  const over = loop().catch(() => undefined) // it throws the reason of the signal
  return Promise.resolve(() => {
    ending.abort()
    return over
  })
}

/** What was read where each write is followed by a read. */
function secondOfEachTwo(results: readonly unknown[]): Maybe<Item>[] {
  return results.filter((_, index) => index % 2 === 1) as Maybe<Item>[]
}

/** Locks, each by an owner of its own. */
function taking(get: (name: string) => Pick<RLock, 'acquire'>): Take {
  return async (name) => {
    const hold: LockHold = await get(name).acquire()
    return () => hold.unlock()
  }
}

interface Rate {
  readonly rate: number
  readonly intervalMs: number
}

/** More calls than a process can make in that time. */
const PLENTY: Rate = { rate: 1_000_000, intervalMs: 1_000 }
/** One call, and then none for longer than anything is measured. */
const NEXT_TO_NOTHING: Rate = { rate: 1, intervalMs: 3_600_000 }

/** Calls of a rate limiter. */
function calling(get: (name: string) => RRateLimiter, { rate, intervalMs }: Rate): Take {
  return async (name) => {
    const limiter = get(name)
    await prepare(name, () => limiter.trySetRate('OVERALL', rate, intervalMs))
    await limiter.tryAcquire()
    return nothingToRelease
  }
}

function nothingToRelease(): Promise<void> {
  return Promise.resolve()
}

const prepared = new Map<string, Promise<unknown>>()

/** Sets only once how many permits there are, or what rate. */
function prepare(name: string, set: () => Promise<unknown>): Promise<unknown> {
  const setting = prepared.get(name) ?? set()
  prepared.set(name, setting)
  return setting
}

function addressOf({ host, port }: HostAndPort): string {
  return `redis://${host}:${String(port)}`
}
