import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { partsTogether } from '../../../src/core/context/parts.js'
import { Redisson, type RedissonClient } from '../../../src/index.js'
import { ownerOf } from '../../support/ask-owner.js'
import { proxied, type Proxied } from '../../support/proxied.js'
import type { ServerNode, SingleTopology } from '../../support/launch/topology.js'
import type { Passing } from '../../support/proxy/trap.js'
import { cluster, single } from '../../support/topologies.js'

const SETTINGS = { timeout: 1_000, retryDelay: 10, retryAttempts: 1, reconnectionDelay: 10 }
const LOADING = 'LOADING Redis is loading the dataset in memory'

const LIBRARY = "redis.register_function('f', function() return 1 end)"

const refuse = (passing: Passing) => {
  passing.refuse(LOADING)
}

const some = (count: number) => Array.from({ length: count }, (_, n) => `v${String(n)}`)

/** A call of several requests, the first of which changes something. */
interface CallInParts {
  readonly what: string
  /** The command that is not run from the second time on. */
  readonly command: RegExp
  readonly prepare?: (client: RedissonClient, name: string) => Promise<unknown>
  readonly call: (client: RedissonClient, name: string) => Promise<unknown>
}

const fillSorted = (client: RedissonClient, name: string) => client.getSortedSet(name).addAll(some(250))

const placeAll = (client: RedissonClient, name: string, longitude: number) =>
  client.getGeo(name).add(...some(6_000).map((member) => ({ longitude, latitude: 2, member })))

const fillMultimap = (client: RedissonClient, name: string) =>
  client.batch((batch) => some(600).map((each) => batch.getSetMultimap(name).put(each, each)))

/** A map that writes through, to nowhere. */
const writtenMap = (client: RedissonClient, name: string) =>
  client.getMap(name, { writer: { write: () => undefined, delete: () => undefined } })

const calls: readonly CallInParts[] = [
  {
    what: 'addAll() of a Bloom filter',
    command: /^evalsha/i,
    prepare: (client, name) => client.getBloomFilter(name).tryInit(3_000, 0.01),
    call: (client, name) => client.getBloomFilter(name).addAll(some(3_000)),
  },
  {
    what: 'addAll() of a HyperLogLog',
    command: /^pfadd/i,
    call: (client, name) => client.getHyperLogLog(name).addAll(some(6_000)),
  },
  {
    what: 'addAll() of a set',
    command: /^sadd/i,
    call: (client, name) => client.getSet(name).addAll(some(6_000)),
  },
  {
    what: 'addAll() of a scored sorted set',
    command: /^zadd/i,
    call: (client, name) => client.getScoredSortedSet(name).addAll(some(6_000).map((value) => [value, 1])),
  },
  {
    what: 'addAll() of a scored sorted set that has the values already',
    command: /^zadd/i,
    prepare: (client, name) => client.getScoredSortedSet(name).addAll(some(6_000).map((value) => [value, 1])),
    call: (client, name) => client.getScoredSortedSet(name).addAll(some(6_000).map((value) => [value, 2])),
  },
  {
    what: 'addAllAndGetRevRank() of a scored sorted set',
    command: /^evalsha/i,
    call: (client, name) =>
      client.getScoredSortedSet(name).addAllAndGetRevRank(some(6_000).map((value) => [value, 1])),
  },
  {
    what: 'retainAll() of a scored sorted set',
    command: /^zrem/i,
    prepare: (client, name) => client.getScoredSortedSet(name).addAll(some(6_000).map((value) => [value, 1])),
    call: (client, name) => client.getScoredSortedSet(name).retainAll(['v1']),
  },
  {
    what: 'addAll() of a sorted set',
    command: /^evalsha/i,
    call: fillSorted,
  },
  {
    what: 'retainAll() of a sorted set',
    command: /^evalsha \S+ 3 /i,
    prepare: fillSorted,
    call: (client, name) => client.getSortedSet(name).retainAll(['v1']),
  },
  {
    what: 'add() of a geo',
    command: /^geoadd/i,
    call: (client, name) => placeAll(client, name, 1),
  },
  {
    what: 'add() of a geo that has the members already',
    command: /^geoadd/i,
    prepare: (client, name) => placeAll(client, name, 1),
    call: (client, name) => placeAll(client, name, 2),
  },
  {
    what: 'addAll() of a list',
    command: /^rpush/i,
    call: (client, name) => client.getList(name).addAll(some(6_000)),
  },
  {
    what: 'addAll() of a queue',
    command: /^rpush/i,
    call: (client, name) => client.getQueue(name).addAll(some(6_000)),
  },
  {
    what: 'addAll() of a ring buffer',
    command: /^evalsha/i,
    prepare: (client, name) => client.getRingBuffer(name).setCapacity(3),
    call: (client, name) => client.getRingBuffer(name).addAll(some(6_000)),
  },
  {
    what: 'set() of several maps',
    command: /^evalsha/i,
    call: (client, name) =>
      client.getMaps().set(new Map(some(3).map((key) => [`${name}${key}`, { a: 1 }])), { batchSize: 1 }),
  },
  {
    what: 'putAll() of a map cache',
    command: /^evalsha/i,
    call: (client, name) => client.getMapCache(name).putAll(some(2_500).map((key) => [key, 1] as const)),
  },
  {
    what: 'addAll() of a set cache',
    command: /^evalsha/i,
    call: (client, name) => client.getSetCache(name).addAll(some(6_000)),
  },
  {
    what: 'removeAllCounted() of a set cache',
    command: /^evalsha/i,
    prepare: (client, name) => client.getSetCache(name).addAll(some(6_000)),
    call: (client, name) => client.getSetCache(name).removeAllCounted(some(6_000)),
  },
  {
    what: 'fastRemove() of a map',
    command: /^hdel/i,
    prepare: (client, name) => client.getMap(name).putAll(some(6_000).map((key) => [key, 1] as const)),
    call: (client, name) => client.getMap(name).fastRemove(...some(6_000)),
  },
  {
    what: 'putAll() of a map with a writer',
    command: /^evalsha .*mark/i,
    call: (client, name) => writtenMap(client, name).putAll(some(60).map((key) => [key, 'mark'] as const)),
  },
  {
    what: 'fastRemove() of a map with a writer',
    command: /^hdel/i,
    prepare: (client, name) => client.getMap(name).putAll(some(60).map((key) => [key, 1] as const)),
    call: (client, name) => writtenMap(client, name).fastRemove(...some(60)),
  },
  {
    what: 'fastRemove() of a multimap',
    command: /^evalsha/i,
    prepare: fillMultimap,
    call: (client, name) => client.getSetMultimap(name).fastRemove(...some(6_000)),
  },
  {
    what: 'fastRemoveValue() of a multimap',
    command: /^evalsha/i,
    prepare: fillMultimap,
    call: (client, name) => client.getSetMultimap(name).fastRemoveValue(...some(600)),
  },
]

describe('a call of several requests, one of which has changed something', () => {
  let door: Proxied<SingleTopology<ServerNode>>
  let client: RedissonClient
  let straight: RedissonClient

  beforeAll(async () => {
    door = await proxied(single)
    client = await Redisson.create(door.options(SETTINGS))
    straight = await Redisson.create(single.options())
  })

  afterAll(async () => {
    await Promise.all([client.shutdown(), straight.shutdown()])
    await door.stop()
  })

  it.each(calls)('has an error that says so: $what', async ({ command, prepare, call }) => {
    const name = 'parts'
    await prepare?.(straight, name)
    await call(straight, name) // loads the script
    await straight.getKeys().flushdb()
    await prepare?.(straight, name)
    const [proxy] = door.proxies
    let met = 0
    using _trap = proxy?.onRequest(
      command,
      (passing) => {
        met += 1
        if (met > 1) passing.refuse(LOADING)
      },
      { times: 1_000 },
    )
    try {
      await expect(call(client, name)).rejects.toMatchObject({ code: 'SERVER_NOT_READY', mayHaveRun: true })
    } finally {
      await straight.getKeys().flushdb()
    }
  })
})

describe('a call of many requests that do not follow from each other', () => {
  const filterOf = (client: RedissonClient) => client.getBloomFilter<string>('parts')

  it.each<[string, (client: RedissonClient) => Promise<unknown>]>([
    ['addAll() of a Bloom filter', (client) => filterOf(client).addAll(some(8_000))],
    ['containsEach() of a Bloom filter', (client) => filterOf(client).containsEach(some(8_000))],
    ['containsAll() of a sorted set', (client) => client.getSortedSet('sorted').containsAll(some(2_000))],
  ])('has a few of them under way together: %s', async (_, call) => {
    const door = await proxied(single)
    const straight = await Redisson.create(single.options())
    const client = await Redisson.create(door.options())
    await filterOf(straight).tryInit(8_000, 0.01)
    await straight.getSortedSet('sorted').add('v1')
    await call(straight) // loads the script
    const few = partsTogether({ isBatch: false }, [])
    try {
      const [proxy] = door.proxies
      const areSent = Promise.withResolvers<undefined>()
      let underWay = 0
      let most = 0
      const sent = () => {
        underWay += 1
        most = Math.max(most, underWay)
        if (underWay === few) areSent.resolve(undefined)
      }
      const replied = async () => {
        await areSent.promise // the first reply waits for the requests that leave together
        underWay -= 1
      }
      using _requests = proxy?.onRequest(/^evalsha/i, sent, { times: 1_000 })
      using _replies = proxy?.onReply(/^evalsha/i, replied, { times: 1_000 })
      await call(client)
      expect(most).toBe(few)
    } finally {
      await straight.getKeys().flushdb()
      await Promise.all([client.shutdown(), straight.shutdown()])
      await door.stop()
    }
  })
})

describe('keys of a cluster, a master of which is loading', () => {
  it.each([
    { exactlyOnce: false, is: true, names: some(60) },
    { exactlyOnce: true, is: true, names: some(60) },
    { exactlyOnce: false, is: false, names: ['none'] },
  ])('have an error that says whether others were removed: %o', async ({ exactlyOnce, is, names }) => {
    const door = await proxied(cluster)
    const straight = await Redisson.create(cluster.options())
    const client = await Redisson.create(door.options(SETTINGS))
    await straight.getBuckets().set(some(60).map((name) => [name, 1] as const))
    const owner = await ownerOf(cluster, names[0] ?? '')
    using _trap = door.proxyOf(owner).onRequest(/^(?:del|evalsha|eval) /i, refuse, { times: 1_000 })
    try {
      const removed = client.getKeys({ exactlyOnce }).delete(...names)
      await expect(removed).rejects.toMatchObject({ code: 'SERVER_NOT_READY', mayHaveRun: is })
    } finally {
      await straight.getKeys().flushdb()
      await Promise.all([client.shutdown(), straight.shutdown()])
      await door.stop()
    }
  })
})

describe('a call to all masters of a cluster, one of which is loading', () => {
  it.each<
    [what: string, request: RegExp, mayHaveRun: boolean, call: (client: RedissonClient) => Promise<unknown>]
  >([
    ['flushdb', /^flushdb/i, true, (client) => client.getKeys().flushdb()],
    ['scriptLoad', /^script load/i, true, (client) => client.getScript().scriptLoad('return 1')],
    ['load', /^function load/i, true, (client) => client.getFunction().load('lib', LIBRARY)],
    ['count', /^dbsize/i, false, (client) => client.getKeys().count()],
  ])('has an error that says whether another one has done it: %s', async (_, request, mayHaveRun, call) => {
    const door = await proxied(cluster)
    const straight = await Redisson.create(cluster.options())
    const client = await Redisson.create(door.options(SETTINGS))
    const owner = await ownerOf(cluster, 'any')
    try {
      using _trap = door.proxyOf(owner).onRequest(request, refuse, { times: 1_000 })
      await expect(call(client)).rejects.toMatchObject({ code: 'SERVER_NOT_READY', mayHaveRun })
    } finally {
      await straight.getFunction().flush()
      await Promise.all([client.shutdown(), straight.shutdown()])
      await door.stop()
    }
  })
})
