import type { RDumpable, RExpirable, RObject } from '../../../src/api/object.js'
import type { RedissonClient } from '../../../src/index.js'

/** An object of a kind, and what is done with it. */
export interface Subject<T extends RObject> {
  readonly object: T
  /** Brings it into being, with all of its keys. */
  readonly fill: () => Promise<unknown>
  /** Uses it once it is filled, which may change it. What this resolves with is the same for objects with the same content. */
  readonly use: () => Promise<unknown>
}

/** A kind of object that a client hands out. */
export interface ObjectKind<T extends RObject> {
  readonly what: string
  /** The first of its keys, where that is not the one that has its name. */
  readonly firstKey?: (key: string) => string
  readonly of: (client: RedissonClient, name: string) => Subject<T>
}

const semaphore: ObjectKind<RExpirable & RDumpable> = {
  what: 'a semaphore',
  of: (client, name) => {
    const object = client.getSemaphore(name)
    return {
      object,
      fill: () => object.trySetPermits(3),
      use: async () => [
        await object.tryAcquire(2),
        await object.tryAcquire(2),
        await object.availablePermits(),
      ],
    }
  },
}

const permits: ObjectKind<RExpirable> = {
  what: 'a semaphore whose permits can expire',
  of: (client, name) => {
    const object = client.getPermitExpirableSemaphore(name)
    return {
      object,
      fill: async () => {
        await object.trySetPermits(3)
        await object.acquire(600_000)
      },
      use: async () => [
        await object.acquiredPermits(),
        (await object.tryAcquireMany(2, { leaseMs: 600_000 }))?.length,
        await object.tryAcquire(),
        await object.availablePermits(),
      ],
    }
  },
}

const latch: ObjectKind<RObject & RDumpable> = {
  what: 'a latch',
  of: (client, name) => {
    const object = client.getCountDownLatch(name)
    return {
      object,
      fill: () => object.trySetCount(2),
      use: async () => {
        await object.countDown()
        return [await object.getCount(), await object.trySetCount(5)]
      },
    }
  },
}

const limiterOf = (mode: 'OVERALL' | 'PER_CLIENT'): ObjectKind<RExpirable> => ({
  what: `a rate limiter (${mode})`,
  of: (client, name) => {
    const object = client.getRateLimiter(name)
    return {
      object,
      fill: async () => {
        await object.trySetRate(mode, 3, 600_000)
        await object.acquire(2)
      },
      use: async () => [
        await object.getConfig(),
        await object.tryAcquire(2),
        await object.tryAcquire(1),
        await object.availablePermits(),
      ],
    }
  },
})

const long: ObjectKind<RExpirable & RDumpable> = {
  what: 'a counter of integers',
  of: (client, name) => {
    const object = client.getAtomicLong(name)
    return {
      object,
      fill: () => object.addAndGet(3),
      use: async () => [await object.get(), await object.getAndAdd(2)],
    }
  },
}

const double: ObjectKind<RExpirable & RDumpable> = {
  what: 'a counter with a fraction',
  of: (client, name) => {
    const object = client.getAtomicDouble(name)
    return {
      object,
      fill: () => object.addAndGet(2.5),
      use: async () => [await object.get(), await object.getAndAdd(0.25)],
    }
  },
}

const ids: ObjectKind<RExpirable> = {
  what: 'a generator of ids',
  of: (client, name) => {
    const object = client.getIdGenerator(name)
    return {
      object,
      fill: () => object.tryInit(7, 2),
      use: async () => [await object.nextId(), await object.nextId(), await object.nextId()],
    }
  },
}

const snowflake: ObjectKind<RExpirable> = {
  what: 'a snowflake',
  of: (client, name) => {
    /** Gives the number back, so that no bounds outlast the object. */
    const use = async () => {
      await using ids = client.getSnowflake(name, { nodeBits: 3 })
      await ids.nextId()
      return ids.node
    }
    return { object: client.getSnowflake(name, { nodeBits: 3 }), fill: use, use }
  },
}

const map: ObjectKind<RExpirable & RDumpable> = {
  what: 'a map',
  of: (client, name) => {
    const object = client.getMap(name)
    return {
      object,
      fill: () => object.putAll({ a: 1, b: 'two' }),
      use: async () => [await object.put('a', 3), await object.remove('b'), await object.size()],
    }
  },
}

const bits: ObjectKind<RExpirable & RDumpable> = {
  what: 'a bit set',
  of: (client, name) => {
    const object = client.getBitSet(name)
    return {
      object,
      fill: () => object.setAll([1, 9]),
      use: async () => [await object.set(9), await object.set(3), await object.cardinality()],
    }
  },
}

const bytes: ObjectKind<RExpirable & RDumpable> = {
  what: 'a binary stream',
  of: (client, name) => {
    const object = client.getBinaryStream(name)
    return {
      object,
      fill: () => object.set(Buffer.of(1, 255, 3)),
      use: async () => [
        await object.append(Buffer.of(4)),
        await object.write(1, Buffer.of(2)),
        await object.get(),
      ],
    }
  },
}

const log: ObjectKind<RExpirable & RDumpable> = {
  what: 'a HyperLogLog',
  of: (client, name) => {
    const object = client.getHyperLogLog(name)
    return {
      object,
      fill: () => object.addAll(['a', { b: 1 }]),
      use: async () => [await object.add('a'), await object.add('c'), await object.count()],
    }
  },
}

const list: ObjectKind<RExpirable & RDumpable> = {
  what: 'a list',
  of: (client, name) => {
    const object = client.getList(name)
    return {
      object,
      fill: () => object.addAll([1, 'two', 1]),
      use: async () => [await object.removeAt(0), await object.set(-1, 3), await object.readAll()],
    }
  },
}

const set: ObjectKind<RExpirable & RDumpable> = {
  what: 'a set',
  of: (client, name) => {
    const object = client.getSet(name)
    return {
      object,
      fill: () => object.addAll(['a', { b: 1 }]),
      use: async () => [await object.add('a'), await object.remove({ b: 1 }), await object.size()],
    }
  },
}

const scoredSet: ObjectKind<RExpirable & RDumpable> = {
  what: 'a scored sorted set',
  of: (client, name) => {
    const object = client.getScoredSortedSet<string>(name)
    return {
      object,
      fill: () => object.addAll({ a: 1, b: 2.5 }),
      use: async () => [
        await object.addScore('a', 3),
        await object.pollFirst(),
        await object.readAllEntries(),
      ],
    }
  },
}

const geo: ObjectKind<RExpirable & RDumpable> = {
  what: 'a geo',
  of: (client, name) => {
    const object = client.getGeo<string>(name)
    return {
      object,
      fill: () =>
        object.add({ longitude: 1, latitude: 2, member: 'a' }, { longitude: 3, latitude: 4, member: 'b' }),
      use: async () => [
        await object.add(5, 6, 'c'),
        await object.dist('a', 'b', 'km'),
        await object.search({ from: { member: 'c' }, radius: 500, unit: 'km', order: 'ASC' }),
      ],
    }
  },
}

const lexSet: ObjectKind<RExpirable & RDumpable> = {
  what: 'a lex sorted set',
  of: (client, name) => {
    const object = client.getLexSortedSet(name)
    return {
      object,
      fill: () => object.addAll(['a', 'b', 'c']),
      use: async () => [
        await object.add('d'),
        await object.pollFirst(),
        await object.rangeTail({ from: 'b' }),
      ],
    }
  },
}

const setMultimap: ObjectKind<RExpirable> = {
  what: 'a multimap with sets',
  of: (client, name) => {
    const object = client.getSetMultimap<string, number>(name)
    return {
      object,
      fill: async () => {
        await object.putAll('a', [1, 2])
        await object.put('b', 3)
      },
      use: async () => [
        await object.put('a', 2),
        await object.remove('b', 3),
        await object.put('c', 4),
        await object.size(),
        await object.keySize(),
        (await object.getAll('a')).toSorted(),
      ],
    }
  },
}

const bloomFilter: ObjectKind<RExpirable> = {
  what: 'a Bloom filter',
  firstKey: (key) => (key.includes('{') ? `${key}:config` : `{${key}}:config`),
  of: (client, name) => {
    const object = client.getBloomFilter(name)
    return {
      object,
      fill: async () => {
        await object.tryInit(100, 0.03)
        await object.add('a')
      },
      use: async () => [await object.addAll(['a', 'b']), await object.contains('c'), await object.getSize()],
    }
  },
}

const emptyBloomFilter: ObjectKind<RExpirable> = {
  ...bloomFilter,
  what: 'a Bloom filter that was empty',
  of: (client, name) => {
    const object = client.getBloomFilter(name)
    return {
      object,
      fill: () => object.tryInit(100, 0.03),
      use: async () => [await object.addAll(['a', 'b']), await object.contains('a'), await object.count()],
    }
  },
}

const sortedSet: ObjectKind<RExpirable> = {
  what: 'a sorted set',
  of: (client, name) => {
    const object = client.getSortedSet(name)
    return {
      object,
      fill: () => object.addAll(['c', 'a', 'b']),
      use: async () => [await object.add('d'), await object.pollFirst(), await object.readAll()],
    }
  },
}

const listMultimap: ObjectKind<RExpirable> = {
  what: 'a multimap with lists',
  of: (client, name) => {
    const object = client.getListMultimap<string, number>(name)
    return {
      object,
      fill: async () => {
        await object.putAll('a', [1, 2])
        await object.put('b', 3)
      },
      use: async () => [
        await object.put('a', 2),
        await object.remove('b', 3),
        await object.put('c', 4),
        await object.size(),
        await object.keySize(),
        (await object.getAll('a')).toSorted(),
      ],
    }
  },
}

const timeSeries: ObjectKind<RExpirable> = {
  what: 'a time series',
  of: (client, name) => {
    const object = client.getTimeSeries<string>(name)
    return {
      object,
      fill: () =>
        object.addAll([
          [1, 'a'],
          [2, 'b'],
        ]),
      use: async () => {
        await object.add(3, 'c')
        return [await object.pollFirst(), await object.range(0, 9)]
      },
    }
  },
}

/** All that can be made to expire: an object that is added gets one line. */
export const expirables: readonly ObjectKind<RExpirable>[] = [
  semaphore,
  permits,
  limiterOf('OVERALL'),
  limiterOf('PER_CLIENT'),
  long,
  double,
  ids,
  bits,
  bytes,
  snowflake,
  log,
  map,
  list,
  set,
  scoredSet,
  geo,
  lexSet,
  bloomFilter,
  emptyBloomFilter,
  sortedSet,
  setMultimap,
  listMultimap,
  timeSeries,
]

/** All objects. */
export const objects: readonly ObjectKind<RObject>[] = [...expirables, latch]

/** Those of one key. */
export const dumpables: readonly ObjectKind<RObject & RDumpable>[] = [
  semaphore,
  latch,
  long,
  double,
  bits,
  bytes,
  log,
  map,
  list,
  set,
  scoredSet,
  geo,
  lexSet,
]
