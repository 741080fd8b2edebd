import { finished } from 'node:stream/promises'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { ObjectEvent, RObject } from '../../src/api/object.js'
import { Redisson, type RedissonClient } from '../../src/index.js'
import { askAll } from '../support/ask-all.js'
import { askOwner } from '../support/ask-owner.js'
import { twoClients } from '../support/clients.js'
import { eventually } from '../support/eventually.js'
import type { ServerNode, Topology } from '../support/launch/topology.js'
import { noLeaks } from '../support/no-leaks.js'
import { slottedTopologies } from '../support/topologies.js'

const SETTING = 'notify-keyspace-events'

/** Enough that every node of a cluster has some of them. */
const MANY = 30

async function configure(topology: Topology<ServerNode>, flags: string): Promise<void> {
  await askAll(topology.nodes, (node) => node.command('CONFIG', 'SET', SETTING, flags))
}

/** An event of an object, and how a client brings it about. */
interface Case {
  readonly what: string
  readonly event: string
  readonly object: (client: RedissonClient, name: string) => RObject
  readonly fill: (client: RedissonClient, name: string) => Promise<unknown>
  readonly change: (client: RedissonClient, name: string) => Promise<unknown>
  readonly times: number
}

const bucket = (client: RedissonClient, name: string) => client.getBucket(name)
const long = (client: RedissonClient, name: string) => client.getAtomicLong(name)
const double = (client: RedissonClient, name: string) => client.getAtomicDouble(name)
const map = (client: RedissonClient, name: string) => client.getMap(name)
const list = (client: RedissonClient, name: string) => client.getList(name)
const bytes = (client: RedissonClient, name: string) => client.getBinaryStream(name)
const log = (client: RedissonClient, name: string) => client.getHyperLogLog(name)
const set = (client: RedissonClient, name: string) => client.getSet(name)
const multimap = (client: RedissonClient, name: string) => client.getSetMultimap(name)
const scored = (client: RedissonClient, name: string) => client.getScoredSortedSet<string>(name)
const geo = (client: RedissonClient, name: string) => client.getGeo<string>(name)
const lex = (client: RedissonClient, name: string) => client.getLexSortedSet(name)
const series = (client: RedissonClient, name: string) => client.getTimeSeries<string>(name)
const sorted = (client: RedissonClient, name: string) => client.getSortedSet(name)

const cases: readonly Case[] = [
  {
    what: 'a bucket that is deleted',
    event: 'deleted',
    object: bucket,
    fill: (client, name) => bucket(client, name).set(1),
    change: (client, name) => bucket(client, name).delete(),
    times: 1,
  },
  {
    what: 'a bucket that is unlinked',
    event: 'deleted',
    object: bucket,
    fill: (client, name) => bucket(client, name).set(1),
    change: (client, name) => bucket(client, name).unlink(),
    times: 1,
  },
  {
    what: 'a bucket that has expired',
    event: 'expired',
    object: bucket,
    fill: (client, name) => bucket(client, name).set(1),
    change: (client, name) => bucket(client, name).expire(5),
    times: 1,
  },
  {
    what: 'a bucket that is set in many ways',
    event: 'set',
    object: bucket,
    fill: () => Promise.resolve(),
    change: async (client, name) => {
      await bucket(client, name).setIfAbsent(1)
      await bucket(client, name).compareAndSet(1, 2)
      await bucket(client, name).getAndSet(3, 60_000)
      await client.getBuckets().set({ [name]: 4 })
    },
    times: 4,
  },
  {
    what: 'a counter that is added to',
    event: 'incremented',
    object: long,
    fill: () => Promise.resolve(),
    change: async (client, name) => {
      await long(client, name).incrementAndGet()
      await long(client, name).addAndGet(-5)
      await long(client, name).set(7)
    },
    times: 2,
  },
  {
    what: 'a counter that is set',
    event: 'set',
    object: long,
    fill: () => Promise.resolve(),
    change: (client, name) => long(client, name).compareAndSet(0, 5),
    times: 1,
  },
  {
    what: 'a counter with a fraction',
    event: 'incremented',
    object: double,
    fill: () => Promise.resolve(),
    change: (client, name) => double(client, name).addAndGet(0.5),
    times: 1,
  },
  {
    what: 'a binary stream',
    event: 'changed',
    object: bytes,
    fill: () => Promise.resolve(),
    change: async (client, name) => {
      await bytes(client, name).append(Buffer.of(1, 2))
      await bytes(client, name).write(1, Buffer.of(3))
      await bytes(client, name).read(0, 1)
      await bytes(client, name).truncate(1)
      await finished(bytes(client, name).createWriteStream().end('a'))
    },
    times: 4,
  },
  {
    what: 'a HyperLogLog',
    event: 'changed',
    object: log,
    fill: (client, name) => log(client, name).add('a'),
    change: async (client, name) => {
      await log(client, name).addAll(['a', 'b', 'c'])
      await log(client, name).add('a')
      await log(client, name).mergeWith([name])
    },
    times: 2,
  },
  {
    what: 'a map that gets values',
    event: 'put',
    object: map,
    fill: () => Promise.resolve(),
    change: async (client, name) => {
      await map(client, name).put('a', 1)
      await map(client, name).putAll({ b: 1, c: 2 })
      await map(client, name).addAndGet('a', 1)
      await map(client, name).fastPutIfAbsent('a', 1)
      await map(client, name).compute('d', () => 1)
    },
    times: 4,
  },
  {
    what: 'a map that loses values',
    event: 'removed',
    object: map,
    fill: (client, name) => map(client, name).putAll({ a: 1, b: 2, c: 3 }),
    change: async (client, name) => {
      await map(client, name).remove('a')
      await map(client, name).remove('b', 1)
      await map(client, name).fastRemove('b', 'c')
    },
    times: 2,
  },
  {
    what: 'a map whose last key is removed',
    event: 'deleted',
    object: map,
    fill: (client, name) => map(client, name).put('a', 1),
    change: (client, name) => map(client, name).remove('a'),
    times: 1,
  },
  {
    what: 'a list that gets values at its ends',
    event: 'added',
    object: list,
    fill: () => Promise.resolve(),
    change: async (client, name) => {
      await list(client, name).add(1)
      await list(client, name).addAll([2, 3])
      await list(client, name).add(0, 0)
      await list(client, name).addAll(0, [-2, -1])
      await list(client, name).set(0, 5)
    },
    times: 4,
  },
  {
    what: 'a list that gets values in between',
    event: 'inserted',
    object: list,
    fill: (client, name) => list(client, name).addAll([1, 2, 3]),
    change: async (client, name) => {
      await list(client, name).addAfter(1, 'a')
      await list(client, name).addBefore(3, 'b')
      await list(client, name).addAfter('none', 'c')
      await list(client, name).add(1, 'd')
      await list(client, name).add('e')
    },
    times: 3,
  },
  {
    what: 'a list with elements that are set',
    event: 'set',
    object: list,
    fill: (client, name) => list(client, name).addAll([1, 2]),
    change: async (client, name) => {
      await list(client, name).set(0, 5)
      await list(client, name).fastSet(1, 5)
      await list(client, name)
        .set(2, 5)
        .catch(() => undefined)
    },
    times: 2,
  },
  {
    what: 'a list that loses elements',
    event: 'removed',
    object: list,
    fill: (client, name) => list(client, name).addAll([1, 2, 3, 4, 5, 6, 7, 8, 9]),
    change: async (client, name) => {
      await list(client, name).remove(1)
      await list(client, name).removeAt(0)
      await list(client, name).removeAt(-1)
      await list(client, name).fastRemove(1)
      await list(client, name).removeAll([3, 5, 'none'])
      await list(client, name).retainAll([6, 7])
    },
    times: 7,
  },
  {
    what: 'a list that loses very many different elements',
    event: 'removed',
    object: list,
    fill: (client, name) => list(client, name).addAll(Array.from({ length: 3_000 }, (_, n) => n)),
    change: (client, name) => list(client, name).retainAll([7]),
    times: 1,
  },
  {
    what: 'a list that is trimmed',
    event: 'trimmed',
    object: list,
    fill: (client, name) => list(client, name).addAll([1, 2, 3]),
    change: (client, name) => list(client, name).trim(0, 1),
    times: 1,
  },
  {
    what: 'a list whose last element is removed',
    event: 'deleted',
    object: list,
    fill: (client, name) => list(client, name).add(1),
    change: (client, name) => list(client, name).removeAt(0),
    times: 1,
  },
  {
    what: 'a set that gets values',
    event: 'added',
    object: set,
    fill: () => Promise.resolve(),
    change: async (client, name) => {
      await set(client, name).add('a')
      await set(client, name).addAll(['a', 'b', 'c'])
      await set(client, name).add('c')
      await set(client, name).tryAdd('d', 'e')
    },
    times: 3,
  },
  {
    what: 'a set that loses values',
    event: 'removed',
    object: set,
    fill: (client, name) => set(client, name).addAll(['a', 'b', 'c', 'd', 'e']),
    change: async (client, name) => {
      await set(client, name).remove('a')
      await set(client, name).removeAll(['a', 'b', 'c'])
      await set(client, name).removeRandom()
      await set(client, name).retainAll(['z'])
    },
    times: 3,
  },
  {
    what: 'a set that loses values by chance',
    event: 'removedRandom',
    object: set,
    fill: (client, name) => set(client, name).addAll(['a', 'b', 'c', 'd', 'e']),
    change: async (client, name) => {
      await set(client, name).removeRandom()
      await set(client, name).removeRandom(2)
      await set(client, name).clear()
    },
    times: 2,
  },
  {
    what: 'a set that is set to what others make together',
    event: 'stored',
    object: set,
    fill: (client, name) => set(client, name).addAll(['a', 'b']),
    change: async (client, name) => {
      await set(client, name).union([name])
      await set(client, name).intersection([name])
      await set(client, name).diff([name])
      await set(client, name).delete()
    },
    times: 3,
  },
  {
    what: 'a set whose last value is removed',
    event: 'deleted',
    object: set,
    fill: (client, name) => set(client, name).add('a'),
    change: (client, name) => set(client, name).removeRandom(1),
    times: 1,
  },
  {
    what: 'a multimap that gets keys',
    event: 'put',
    object: multimap,
    fill: () => Promise.resolve(),
    change: async (client, name) => {
      await multimap(client, name).put('a', 1)
      await multimap(client, name).put('a', 2)
      await multimap(client, name).fastReplaceValues('a', [3])
      await multimap(client, name).putAll('b', [1, 2])
      await multimap(client, name).delete()
    },
    times: 2,
  },
  {
    what: 'a multimap that loses keys',
    event: 'removed',
    object: multimap,
    fill: async (client, name) => {
      for (const key of ['a', 'b', 'c', 'd']) await multimap(client, name).putAll(key, [1, 2])
    },
    change: async (client, name) => {
      await multimap(client, name).remove('a', 1)
      await multimap(client, name).remove('a', 2)
      await multimap(client, name).removeAll('b')
      await multimap(client, name).fastRemove('c')
      await multimap(client, name).delete()
    },
    times: 3,
  },
  {
    what: 'a scored sorted set that gets values',
    event: 'added',
    object: scored,
    fill: () => Promise.resolve(),
    change: async (client, name) => {
      await scored(client, name).add(1, 'a')
      await scored(client, name).addAll({ b: 1, c: 2 })
      await scored(client, name).addIfAbsent(5, 'a')
      await scored(client, name).addAndGetRank(3, 'd')
    },
    times: 3,
  },
  {
    what: 'a scored sorted set whose scores are added to',
    event: 'incremented',
    object: scored,
    fill: (client, name) => scored(client, name).add(1, 'a'),
    change: (client, name) => scored(client, name).addScore('a', 1),
    times: 1,
  },
  {
    what: 'a scored sorted set that loses values',
    event: 'removed',
    object: scored,
    fill: (client, name) => scored(client, name).addAll({ a: 1, b: 2, c: 3, d: 4, e: 5, f: 6 }),
    change: async (client, name) => {
      await scored(client, name).remove('a')
      await scored(client, name).pollFirst()
      await scored(client, name).takeLast()
      await scored(client, name).removeRangeByRank(0, 0)
      await scored(client, name).removeRangeByScore({ max: 4 })
    },
    times: 5,
  },
  {
    what: 'a scored sorted set that is made of others',
    event: 'stored',
    object: scored,
    fill: (client, name) => scored(client, name).addAll({ a: 1, b: 2 }),
    change: async (client, name) => {
      await scored(client, name).union([name])
      await scored(client, name).intersection([name])
      await scored(client, name).diff([name])
      await scored(client, name).rangeTo(name, 0, -1)
    },
    times: 4,
  },
  {
    what: 'a lex sorted set that gets values',
    event: 'added',
    object: lex,
    fill: () => Promise.resolve(),
    change: async (client, name) => {
      await lex(client, name).add('a')
      await lex(client, name).addAll(['b', 'c'])
      await lex(client, name).add('a')
    },
    times: 2,
  },
  {
    what: 'a lex sorted set that loses values',
    event: 'removed',
    object: lex,
    fill: (client, name) => lex(client, name).addAll(['a', 'b', 'c', 'd', 'e']),
    change: async (client, name) => {
      await lex(client, name).remove('a')
      await lex(client, name).pollFirst()
      await lex(client, name).pollLast()
      await lex(client, name).removeRangeHead({ to: 'c' })
    },
    times: 4,
  },
  {
    what: 'a geo that gets members',
    event: 'added',
    object: geo,
    fill: () => Promise.resolve(),
    change: async (client, name) => {
      await geo(client, name).add(1, 2, 'a')
      await geo(client, name).tryAdd(1, 2, 'a')
      await geo(client, name).addIfExists(3, 4, 'a')
      await geo(client, name).add(
        { longitude: 1, latitude: 2, member: 'b' },
        { longitude: 1, latitude: 2, member: 'c' },
      )
    },
    times: 3,
  },
  {
    what: 'a geo that a search is stored in',
    event: 'stored',
    object: geo,
    fill: (client, name) => geo(client, name).add(1, 2, 'a'),
    change: async (client, name) => {
      const near = { from: { member: 'a' }, radius: 1, unit: 'm' } as const
      await geo(client, name).storeSearchTo(name, near)
      await geo(client, name).storeSortedSearchTo(name, near)
    },
    times: 2,
  },
  {
    what: 'a time series that gets entries',
    event: 'added',
    object: series,
    fill: () => Promise.resolve(),
    change: async (client, name) => {
      await series(client, name).add(1, 'a')
      await series(client, name).addAll([
        [2, 'b'],
        [3, 'c'],
      ])
      await series(client, name).delete() // both of its keys
    },
    times: 2,
  },
  {
    what: 'a time series that loses entries',
    event: 'removed',
    object: series,
    fill: (client, name) => series(client, name).addAll([1, 2, 3, 4, 5].map((time) => [time, 'x'])),
    change: async (client, name) => {
      await series(client, name).remove(1)
      await series(client, name).remove(1)
      await series(client, name).pollFirst()
      await series(client, name).removeRange(3, 5)
    },
    times: 3,
  },
  {
    what: 'a sorted set that gets values',
    event: 'added',
    object: sorted,
    fill: () => Promise.resolve(),
    change: async (client, name) => {
      await sorted(client, name).add('c')
      await sorted(client, name).addAll(['a', 'd'])
      await sorted(client, name).add('a')
    },
    times: 3,
  },
  {
    what: 'a sorted set that loses values',
    event: 'removed',
    object: sorted,
    fill: (client, name) => sorted(client, name).addAll(['a', 'b', 'c', 'd', 'e']),
    change: async (client, name) => {
      await sorted(client, name).remove('a')
      await sorted(client, name).remove('a')
      await sorted(client, name).pollFirst()
      await sorted(client, name).pollLast(2)
    },
    times: 3,
  },
  {
    what: 'a Bloom filter that is deleted',
    event: 'deleted',
    object: (client, name) => client.getBloomFilter(name),
    fill: async (client, name) => {
      await client.getBloomFilter(name).tryInit(10, 0.1)
      await client.getBloomFilter(name).add('a')
    },
    change: (client, name) => client.getBloomFilter(name).delete(),
    times: 1,
  },
  {
    what: 'a semaphore that is deleted',
    event: 'deleted',
    object: (client, name) => client.getSemaphore(name),
    fill: (client, name) => client.getSemaphore(name).trySetPermits(1),
    change: (client, name) => client.getSemaphore(name).delete(),
    times: 1,
  },
]

describe.each(slottedTopologies)('the events of an object ($kind)', (topology) => {
  noLeaks(topology)
  const clients = twoClients(topology)
  let names = 0

  beforeAll(() => configure(topology, 'KA'))
  afterAll(() => configure(topology, ''))

  it.each(cases)('come for $what', async ({ event, object, fill, change, times }) => {
    const name = `событие-${topology.kind}-${String(names++)}`
    await fill(clients.other, name)
    const heard: string[] = []
    const subscription = await object(clients.mine, name).addListener(event as ObjectEvent, (changed) =>
      heard.push(changed),
    )
    await change(clients.other, name)
    await eventually(() => expect(heard).toEqual(Array.from({ length: times }, () => name)))
    await subscription.unsubscribe()
    await bucket(clients.other, name).set(1)
    await bucket(clients.other, name).delete()
    expect(heard).toHaveLength(times)
  })

  it('come from all nodes', async () => {
    const heard: string[] = []
    const all = Array.from({ length: MANY }, (_, n) => `all-${topology.kind}-${String(n)}`)
    const subscriptions = await Promise.all(
      all.map((name) => bucket(clients.mine, name).addListener('set', (changed) => heard.push(changed))),
    )
    await Promise.all(all.map((name) => bucket(clients.other, name).set(1)))
    await eventually(() => expect(heard.toSorted()).toEqual(all.toSorted()))
    await Promise.all(subscriptions.map((subscription) => subscription.unsubscribe()))
    await Promise.all(all.map((name) => bucket(clients.other, name).delete()))
  })

  it('are heard by several listeners, each of its own event only', async () => {
    const name = `several-${topology.kind}`
    const heard: string[] = []
    await using set = await bucket(clients.mine, name).addListener('set', () => heard.push('set'))
    await using again = await bucket(clients.mine, name).addListener('set', () => {
      throw new Error('by the listener')
    })
    const errors: Error[] = []
    again.on('error', (error) => errors.push(error))
    await using deleted = await bucket(clients.mine, name).addListener('deleted', () => heard.push('deleted'))
    await bucket(clients.mine, name).set(1)
    await bucket(clients.mine, name).set(2)
    await bucket(clients.mine, name).delete()
    await eventually(() => expect(heard).toEqual(['set', 'set', 'deleted']))
    expect(errors).toHaveLength(2)
    await Promise.all([set, again, deleted].map((subscription) => subscription.unsubscribe()))
  })

  it('have the names of the program', async () => {
    const nameMapper = { map: (name: string) => `mapped:${name}`, unmap: (name: string) => name.slice(7) }
    await using mapped = await Redisson.create({ ...topology.options(), nameMapper })
    const heard: string[] = []
    await using subscription = await mapped.getMap('events').addListener('put', (name) => heard.push(name))
    await clients.mine.getMap('mapped:events').put('k', 1)
    await eventually(() => expect(heard).toEqual(['events']))
    await clients.mine.getMap('mapped:events').delete()
    await subscription.unsubscribe()
  })

  it('end with a signal, and with the client', async () => {
    const abort = new AbortController()
    await bucket(clients.mine, 'ends').addListener('deleted', () => undefined, { signal: abort.signal })
    abort.abort()
    const client = await Redisson.create(topology.options())
    await bucket(client, 'ends').addListener('deleted', () => undefined)
    await client.shutdown()
    await expect(bucket(client, 'ends').addListener('deleted', () => undefined)).rejects.toMatchObject({
      code: 'CLOSED',
    })
    const aborted = bucket(clients.mine, 'ends').addListener('deleted', () => undefined, {
      signal: abort.signal,
    })
    await expect(aborted).rejects.toBe(abort.signal.reason)
  })

  it('are refused where there is no such event, and for bad arguments', async () => {
    const object = bucket(clients.mine, 'bad')
    const none = () => undefined
    for (const event of ['put', 'toString', '', 5, undefined])
      await expect(object.addListener(event as ObjectEvent, none)).rejects.toThrow(RangeError)
    for (const call of [
      () => object.addListener('deleted', 5 as never),
      () => object.addListener('deleted', none, { once: true } as never),
      () => object.addListener('deleted', none, { signal: {} } as never),
      () => (object.addListener as (...args: unknown[]) => Promise<unknown>)('deleted', none, {}, 5),
    ])
      await expect(call()).rejects.toThrow(TypeError)
  })
})

describe.each(slottedTopologies)(
  'the events of an object that the servers do not tell of ($kind)',
  (topology) => {
    noLeaks(topology)
    const clients = twoClients(topology)
    afterAll(() => configure(topology, ''))

    it.each([
      ['', 'deleted', 'Kg'],
      ['EA', 'deleted', 'Kg'],
      ['Kg', 'expired', 'Kx'],
      ['K$', 'put', 'Kh'],
      ['Kgx', 'incremented', 'K$'],
    ])('are an error with %j for %s, which names %s', async (configured, event, needed) => {
      await configure(topology, configured)
      const object: RObject =
        event === 'put' ? clients.mine.getMap('quiet') : clients.mine.getAtomicLong('quiet')
      const refused = object.addListener(event as ObjectEvent, () => undefined)
      await expect(refused).rejects.toMatchObject({
        code: 'NOTIFICATIONS_DISABLED',
        object: 'quiet',
        needed,
        mayHaveRun: false,
      })
      await expect(refused).rejects.toThrow(/CONFIG SET notify-keyspace-events \S+/)
    })

    it.each(['Kg', 'KEA', 'gK'])('come with %j', async (configured) => {
      await configure(topology, configured)
      const subscription = await clients.mine.getBucket('quiet').addListener('deleted', () => undefined)
      await subscription.unsubscribe()
    })

    it('are listened to with a warning where the servers do not show their settings', async () => {
      await configure(topology, 'KA')
      const warnings = vi.spyOn(process, 'emitWarning').mockReturnValue(undefined)
      const user = 'no-config'
      await askAll(topology.nodes, (node) =>
        node.command('ACL', 'SETUSER', user, 'on', '>secret', '~*', '&*', '+@all', '-config'),
      )
      try {
        const login = { username: user, password: 'secret' }
        await using client = await Redisson.create(topology.options(login))
        const heard: string[] = []
        await using subscription = await client
          .getBucket('mute')
          .addListener('deleted', (name) => heard.push(name))
        await clients.mine.getBucket('mute').set(1)
        await clients.mine.getBucket('mute').delete()
        await eventually(() => expect(heard).toEqual(['mute']))
        await subscription.unsubscribe()
        expect(await askOwner(topology, 'mute', 'EXISTS')).toBe(0)
      } finally {
        await askAll(topology.nodes, (node) => node.command('ACL', 'DELUSER', user))
      }
      expect(warnings.mock.calls.length).toBeLessThanOrEqual(1) // once for the process
      vi.restoreAllMocks()
    })
  },
)
