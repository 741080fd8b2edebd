import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  bytesCodec,
  Redisson,
  type ClientSideCachedObjects,
  type RClientSideCaching,
  type RedissonClient,
} from '../../../src/index.js'
import { askAll } from '../../support/ask-all.js'
import { askOwner } from '../../support/ask-owner.js'
import { eventually } from '../../support/eventually.js'
import { noLeaks } from '../../support/no-leaks.js'
import { proxied, type Proxied } from '../../support/proxied.js'
import { slottedTopologies } from '../../support/topologies.js'
import { Watching } from './watching.js'

type Objects = Pick<ClientSideCachedObjects, keyof ClientSideCachedObjects>

/** How an object is filled, and what is read of it. */
type Kind = readonly [
  what: string,
  fill: (client: Objects, name: string) => Promise<unknown>,
  reads: (client: Objects, name: string) => readonly (() => Promise<unknown>)[],
]

const kinds: readonly Kind[] = [
  [
    'a bucket',
    (client, name) => client.getBucket(name).set({ a: 1 }),
    (client, name) => {
      const bucket = client.getBucket(name)
      return [() => bucket.get(), () => bucket.size(), () => bucket.isExists()]
    },
  ],
  [
    'a map',
    (client, name) => client.getMap(name).putAll({ a: 1, b: 2 }),
    (client, name) => {
      const map = client.getMap(name)
      return [
        () => map.get('a'),
        () => map.get('none'),
        () => map.getAll(['a', 'none', 'b']),
        () => map.containsKey('a'),
        () => map.size(),
        () => map.readAllMap(),
        () => map.readAllKeySet(),
        () => map.readAllValues(),
      ]
    },
  ],
  [
    'a set',
    (client, name) => client.getSet(name).addAll(['a', 'b']),
    (client, name) => {
      const set = client.getSet(name)
      return [
        () => set.contains('a'),
        () => set.containsEach(['a', 'c']),
        () => set.size(),
        () => set.readAll(),
      ]
    },
  ],
  [
    'a list',
    (client, name) => client.getList(name).addAll(['a', 'b', 'c']),
    (client, name) => {
      const list = client.getList(name)
      return [
        () => list.get(1),
        () => list.getAll([0, 2]),
        () => list.range(0, 1),
        () => list.indexOf('c'),
        () => list.containsAll(['a', 'c']),
        () => list.size(),
        () => list.readAll(),
      ]
    },
  ],
  [
    'a scored sorted set',
    (client, name) =>
      client.getScoredSortedSet(name).addAll([
        ['a', 1],
        ['b', 2],
      ]),
    (client, name) => {
      const set = client.getScoredSortedSet(name)
      return [
        () => set.getScore('a'),
        () => set.rank('b'),
        () => set.revRank('b'),
        () => set.count({ min: 0, max: 1 }),
        () => set.valueRange(0, 1),
        () => set.first(),
        () => set.readAll(),
        () => set.size(),
      ]
    },
  ],
  [
    'a geo',
    (client, name) => client.getGeo(name).add(13.4, 52.5, 'Berlin'),
    (client, name) => {
      const geo = client.getGeo(name)
      return [() => geo.pos(['Berlin', 'nowhere']), () => geo.hash(['Berlin']), () => geo.size()]
    },
  ],
  [
    'a queue',
    (client, name) => client.getQueue(name).addAll(['a', 'b']),
    (client, name) => {
      const queue = client.getQueue(name)
      return [() => queue.peek(), () => queue.contains('b'), () => queue.size()]
    },
  ],
  [
    'a deque',
    (client, name) => client.getDeque(name).addAll(['a', 'b']),
    (client, name) => {
      const deque = client.getDeque(name)
      return [() => deque.peekFirst(), () => deque.peekLast(), () => deque.readAll()]
    },
  ],
  [
    'a blocking queue',
    (client, name) => client.getBlockingQueue(name).addAll(['a', 'b']),
    (client, name) => {
      const queue = client.getBlockingQueue(name)
      return [() => queue.peek(), () => queue.size()]
    },
  ],
  [
    'a blocking deque',
    (client, name) => client.getBlockingDeque(name).addAll(['a', 'b']),
    (client, name) => {
      const deque = client.getBlockingDeque(name)
      return [() => deque.peekLast(), () => deque.size()]
    },
  ],
  [
    'a stream',
    (client, name) => client.getStream(name).add({ a: 1 }),
    (client, name) => {
      const stream = client.getStream(name)
      return [() => stream.size(), () => stream.range()]
    },
  ],
]

describe.each(slottedTopologies)('client-side caching at a $kind', (topology) => {
  let door: Proxied<typeof topology>
  let client: RedissonClient
  let straight: RedissonClient
  let caching: RClientSideCaching
  let watching: Watching
  let names = 0
  let name: string

  noLeaks(topology)

  beforeAll(async () => {
    door = await proxied(topology)
    client = await Redisson.create(door.options())
    straight = await Redisson.create(topology.options())
  })

  beforeEach(() => {
    name = `tracked-${topology.kind}-${String(names++)}`
    caching = client.getClientSideCaching()
    watching = new Watching(door.proxies, name)
  })

  afterEach(async () => {
    await caching.destroy()
    await straight.getKeys().delete(name)
    await Promise.all(door.proxies.map((proxy) => proxy.heal()))
  })

  afterAll(async () => {
    await Promise.all([client.shutdown(), straight.shutdown()])
    await door.stop()
  })

  const ask = (command: string, ...args: readonly (string | number)[]) =>
    askOwner(topology, name, command, ...args)

  it.each(kinds)('keeps what is read of %s', async (_, fill, reads) => {
    await fill(straight, name)
    const expected = await Promise.all(reads(straight, name).map((read) => read()))
    const cached = reads(caching, name)
    for (const [index, read] of cached.entries()) expect(await watching.kept(read)).toEqual(expected[index])
    expect(await watching.sentBy(() => Promise.all(cached.map((read) => read())))).toBe(0)
    await straight.getKeys().delete(name)
    const gone = await Promise.all(reads(straight, name).map((read) => read()))
    await eventually(async () => {
      expect(await Promise.all(cached.map((read) => read()))).toEqual(gone)
    })
  })

  it.each<readonly [string, (value: string) => Promise<unknown>]>([
    ['another client', (value) => straight.getBucket(name).set(value)],
    ['another object of this client', (value) => client.getBucket(name).set(value)],
    ['a batch of this client', (value) => client.batch((batch) => [batch.getBucket(name).set(value)])],
    [
      'an atomic batch of this client',
      (value) => client.batch((batch) => [batch.getBucket(name).set(value)], { mode: 'atomic' }),
    ],
    ['a command', (value) => ask('SET', JSON.stringify(value))],
    [
      'a script',
      (value) =>
        straight
          .getScript()
          .eval('READ_WRITE', "return redis.call('set', KEYS[1], ARGV[1])", 'STATUS', [name], value),
    ],
    [
      'a new name',
      async (value) => {
        const other = straight.getBucket(`{${name}}-other`)
        await other.set(value)
        await other.rename(name)
      },
    ],
  ])('hears of a change by %s', async (_, change) => {
    const bucket = caching.getBucket<string>(name)
    expect(await watching.kept(() => bucket.get())).toBeUndefined()
    for (const value of ['a', 'b']) {
      await change(value)
      await eventually(async () => (await bucket.get()) === value)
      expect(await watching.kept(() => bucket.get())).toBe(value)
    }
  })

  it('hears that all is removed', async () => {
    const bucket = caching.getBucket<string>(name)
    await straight.getBucket(name).set('a')
    expect(await watching.kept(() => bucket.get())).toBe('a')
    await askAll(topology.nodes, (node) => node.command('FLUSHALL').catch(() => undefined)) // a replica refuses
    await eventually(async () => (await bucket.get()) === undefined)
  })

  it('hears of a change after the server had too many keys to track', async () => {
    const bucket = caching.getBucket<string>(name)
    const others = Array.from({ length: 20 }, (_, n) => caching.getBucket(`${name}-${String(n)}`))
    const limit = (keys: number) =>
      askAll(topology.nodes, (node) => node.command('CONFIG', 'SET', 'tracking-table-max-keys', keys))
    await watching.kept(() => bucket.get())
    await limit(1)
    try {
      await Promise.all(others.map((other) => other.get()))
      await straight.getBucket(name).set('a')
      await eventually(async () => (await bucket.get()) === 'a')
    } finally {
      await limit(1_000_000)
    }
    expect(await watching.kept(() => bucket.get())).toBe('a')
  })

  it('returns nothing of a key that has expired', async () => {
    const bucket = caching.getBucket<string>(name)
    await straight.getBucket(name).set('a', 300)
    expect(await bucket.get()).toBe('a')
    await eventually(async () => (await straight.getBucket(name).remainTimeToLive()) < 0)
    expect(await bucket.get()).toBeUndefined()
  })

  it('returns what its own calls have written', async () => {
    const bucket = caching.getBucket<number>(name)
    const list = caching.getList<number>(`${name}-list`)
    for (let n = 0; n < 200; n += 1) {
      const [, , either] = await Promise.all([bucket.get(), bucket.set(n), bucket.get()])
      expect(either).toBe(n)
      expect(await bucket.get()).toBe(n)
      await list.add(n)
      expect(await list.size()).toBe(n + 1)
    }
    await list.delete()
    expect(await list.size()).toBe(0)
  })

  it('returns nothing older than what a read has returned, while others write', async () => {
    const cached = [caching.getBucket<number>(name), caching.getBucket<number>(name)]
    const written = straight.getBucket<number>(name)
    await written.set(0)
    const writing = (async () => {
      for (let n = 1; n <= 200; n += 1) await written.set(n)
    })()
    let last = 0
    while (last < 200) {
      const [found = 0, again = 0] = await Promise.all(cached.map((bucket) => bucket.get()))
      expect(Math.min(found, again)).toBeGreaterThanOrEqual(last)
      last = Math.max(found, again)
      await sleep(1)
    }
    await writing
  })

  it('hands out values that a program may write into', async () => {
    const bucket = caching.getBucket<Uint8Array>(name, { codec: bytesCodec() })
    await bucket.set(Buffer.from('abc'))
    for (let times = 0; times < 3; times += 1) {
      const found = await watching.kept(() => bucket.get())
      expect(Buffer.from(found ?? []).toString()).toBe('abc')
      found?.fill(0)
    }
  })

  it('reads what is kept by the codec of each object', async () => {
    await straight.getBucket(name).set({ a: 1 })
    const json = caching.getBucket(name)
    const bytes = caching.getBucket<Uint8Array>(name, { codec: bytesCodec() })
    expect(await watching.kept(() => json.get())).toEqual({ a: 1 })
    const sent = await watching.sentBy(async () => {
      expect(Buffer.from((await bytes.get()) ?? []).toString()).toBe('{"a":1}')
    })
    expect(sent).toBe(0)
  })

  it('keeps no error', async () => {
    const bucket = caching.getBucket<string>(name)
    await ask('RPUSH', 'a')
    await expect(bucket.get()).rejects.toMatchObject({ code: 'WRONG_TYPE' })
    await expect(bucket.get()).rejects.toMatchObject({ code: 'WRONG_TYPE' })
    await ask('DEL')
    expect(await bucket.get()).toBeUndefined()
  })

  it('always asks Redis for what depends on more than the value', async () => {
    const set = caching.getSet<string>(name)
    await set.addAll(['a', 'b'])
    await watching.kept(() => set.size())
    for (const read of [() => set.random(), () => set.remainTimeToLive(), () => set.random(2)])
      expect(await watching.sentBy(read)).toBeGreaterThan(0)
  })

  it('asks Redis after destroy(), without the other ones of the client', async () => {
    await using other = client.getClientSideCaching({ cacheSize: 10, evictionPolicy: 'LRU' })
    const buckets = [caching, other].map((each) => each.getBucket<string>(name))
    await straight.getBucket(name).set('a')
    for (const bucket of buckets) await watching.kept(() => bucket.get())
    await caching.destroy()
    await caching.destroy()
    for (const [index, sent] of [1, 0].entries())
      expect(await watching.sentBy(() => buckets[index]?.get() ?? Promise.reject(new Error()))).toBe(sent)
    await straight.getBucket(name).set('b')
    expect(await buckets[0]?.get()).toBe('b')
    await eventually(async () => (await buckets[1]?.get()) === 'b')
  })

  it('waits for elements as usual', async () => {
    const queue = caching.getBlockingQueue<string>(name)
    expect(await watching.kept(() => queue.size())).toBe(0)
    const taken = queue.take()
    await straight.getQueue(name).add('a')
    expect(await taken).toBe('a')
    expect(await queue.size()).toBe(0)
    expect(await watching.kept(() => queue.peek())).toBeUndefined()
  })

  it('ends with the client', async () => {
    const own = await Redisson.create(topology.options())
    const bucket = own.getClientSideCaching({ ttlMs: 60_000 }).getBucket(name)
    await bucket.get()
    await bucket.get()
    await own.shutdown()
    await expect(bucket.get()).rejects.toMatchObject({ code: 'CLOSED' })
  })

  it('refuses options that make no sense', () => {
    expect(() => client.getClientSideCaching({ size: 1 } as never)).toThrow(TypeError)
    expect(() => client.getClientSideCaching({ evictionPolicy: 'SOFT' as never })).toThrow(TypeError)
    expect(() => client.getClientSideCaching({ cacheSize: -2 })).toThrow(RangeError)
  })
})
