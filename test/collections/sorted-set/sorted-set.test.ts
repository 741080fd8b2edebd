import { describe, expect, it } from 'vitest'
import {
  doubleCodec,
  jacksonCodec,
  jsonCodec,
  longCodec,
  stringCodec,
  type Codec,
  type RSortedSet,
  type SortedValue,
  type ValueOptions,
} from '../../../src/index.js'
import { allOf } from '../../support/all-of.js'
import { askOwner } from '../../support/ask-owner.js'
import { twoClients } from '../../support/clients.js'
import { noLeaks } from '../../support/no-leaks.js'
import { slottedTopologies } from '../../support/topologies.js'

/** More than one request reads. */
const MANY = 12_000

/** In the order of their UTF-16 code units, which is not that of their bytes: that has the last two the other way round. */
const TEXTS = [
  '',
  '"',
  '10',
  '9',
  '\\',
  '\\u0041',
  'a\u0001',
  'a\nb',
  'ab',
  'é',
  '\ud7ff',
  '😀',
  '😁',
  '\ue000',
  '\uffff',
]

/** By their values. */
const NUMBERS = [-1e21, -12, -2.5, -1, 0, 1e-7, 0.5, 1, 2, 9, 10, 1000, 1e21]

/** More digits than a double has. */
const LONGS = [-(2n ** 63n), -9007199254740993n, -9007199254740992n, 9007199254740992n, 9007199254740993n]

const byUnits = (one: string, other: string) => (one < other ? -1 : Number(one > other))

describe.each(slottedTopologies)('a sorted set ($kind)', (topology) => {
  noLeaks(topology)
  const clients = twoClients(topology)
  let names = 0

  /** A set that is removed after the test. */
  const withSet = async <V extends SortedValue = string>(
    use: (set: RSortedSet<V>, name: string) => Promise<void>,
    options?: ValueOptions<V>,
    name = `sorted-${topology.kind}-${String(names++)}`,
  ) => {
    const set = clients.mine.getSortedSet<V>(name, options)
    try {
      await use(set, name)
    } finally {
      await set.delete()
    }
  }

  it('is shared by all clients, and is not there at first', async () => {
    await withSet(async (set, name) => {
      expect(await set.isExists()).toBe(false)
      expect(await set.add('é中😀')).toBe(true)
      expect(await set.add('é中😀')).toBe(false)
      expect(await clients.other.getSortedSet(name).contains('é中😀')).toBe(true)
    })
  })

  it.each(['{braces}:set', 'a{b}c', 'имя'])('may be called %s', async (name) => {
    await withSet(
      async (set) => {
        await set.add('b')
        await set.add('a')
        expect(await set.readAll()).toEqual(['a', 'b'])
      },
      {},
      name,
    )
  })

  it('has nothing where it is not there', async () => {
    await withSet(async (set) => {
      expect(await set.contains('a')).toBe(false)
      expect(await set.containsAll(['a'])).toBe(false)
      expect(await set.containsAll([])).toBe(true)
      expect(await set.addAll([])).toBe(false)
      expect(await set.remove('a')).toBe(false)
      expect(await set.removeAll(['a'])).toBe(false)
      expect(await set.removeAll([])).toBe(false)
      expect(await set.retainAll(['a'])).toBe(false)
      expect(await set.retainAll([])).toBe(false)
      expect(await set.pollFirst()).toBeUndefined()
      expect(await set.pollFirst(3)).toEqual([])
      expect(await set.pollLast()).toBeUndefined()
      expect(await set.pollLast(0)).toEqual([])
      expect(await set.pollLast({ waitMs: 300 })).toBeUndefined()
      expect(await set.pollFirst(2, { waitMs: 300 })).toEqual([])
      expect(await set.first()).toBeUndefined()
      expect(await set.last()).toBeUndefined()
      expect(await set.size()).toBe(0)
      expect(await set.isEmpty()).toBe(true)
      expect(await set.readAll()).toEqual([])
      expect(await allOf(set)).toEqual([])
      await set.clear()
      expect(await set.isExists()).toBe(false)
    })
  })

  it.each([jsonCodec(), stringCodec()] as Codec<string>[])(
    'has texts in the order of their UTF-16 code units, as $name',
    async (codec) => {
      await withSet(
        async (set) => {
          expect(TEXTS.toSorted(byUnits)).toEqual(TEXTS)
          expect(TEXTS.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))).not.toEqual(TEXTS)
          expect(await set.addAll(TEXTS.toReversed())).toBe(true)
          expect(await set.addAll(TEXTS)).toBe(false)
          expect(await set.readAll()).toEqual(TEXTS)
          expect(await allOf(set.values({ count: 1 }))).toEqual(TEXTS)
          expect(await set.containsAll(TEXTS)).toBe(true)
          expect(await set.containsAll([...TEXTS, 'a'])).toBe(false)
          expect([await set.first(), await set.last()]).toEqual(['', '\uffff'])
          for (const text of TEXTS) expect(await set.remove(text)).toBe(true)
          expect(await set.isExists()).toBe(false)
        },
        { codec },
      )
    },
  )

  it('has the order of texts in whatever way JSON writes them', async () => {
    await withSet(async (set, name) => {
      const written = ['"\\u0041"', '"b\\/"', '"\\uD83D\\uDE00"', '"\\uE000"']
      await askOwner(topology, name, 'RPUSH', ...written)
      expect(await set.addAll(['A', 'b/', '😀', '\ue000'])).toBe(false)
      expect(await set.add('😁')).toBe(true)
      expect(await set.remove('A')).toBe(true)
      expect(await set.readAll()).toEqual(['b/', '😀', '😁', '\ue000'])
    })
  })

  it.each([jsonCodec(), doubleCodec()] as Codec<number>[])(
    'has numbers in the order of their values, as $name',
    async (codec) => {
      await withSet<number>(
        async (set) => {
          for (const number of NUMBERS.toReversed()) expect(await set.add(number)).toBe(true)
          expect(await set.addAll([...NUMBERS, -0])).toBe(false)
          expect(await set.readAll()).toEqual(NUMBERS)
          expect(await allOf(set.values({ count: 2 }))).toEqual(NUMBERS)
          expect(await set.remove(-0)).toBe(true)
          expect(await set.contains(0)).toBe(false)
        },
        { codec },
      )
    },
  )

  it.each([jsonCodec(), longCodec({ bigint: true })] as Codec<bigint>[])(
    'tells whole numbers apart that are one double, as $name',
    async (codec) => {
      await withSet<bigint>(
        async (set, name) => {
          expect(await set.addAll(LONGS.toReversed())).toBe(true)
          expect(await askOwner(topology, name, 'LRANGE', '0', '-1')).toEqual(LONGS.map(String))
          expect(await set.remove(9007199254740993n)).toBe(true)
          expect(await set.contains(9007199254740992n)).toBe(true)
          expect(await set.contains(9007199254740993n)).toBe(false)
          expect(await allOf(set.values({ count: 1 }))).toHaveLength(LONGS.length - 1)
        },
        { codec },
      )
    },
  )

  it('has the order of texts that begin alike, however long that is', async () => {
    await withSet(async (set) => {
      const lengths = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 255, 256, 257, 20_000]
      const texts = lengths.flatMap((length) =>
        ['', 'a', 'b', 'ba', 'bb'].map((end) => 'x'.repeat(length) + end),
      )
      await set.addAll(texts)
      expect(await set.readAll()).toEqual([...new Set(texts)].toSorted(byUnits))
    })
  })

  it('takes numbers of one value for the same, however they are written', async () => {
    await withSet<number>(async (set, name) => {
      await askOwner(topology, name, 'RPUSH', '-1.0', '1.0', '2', '1.0E7')
      expect(await set.addAll([-1, 1, 2, 1e7])).toBe(false)
      expect(await set.remove(1e7)).toBe(true)
      expect(await set.removeAll([1, -1])).toBe(true)
      expect(await set.readAll()).toEqual([2])
    })
  })

  it('knows numbers apart that are one double, however they are written', async () => {
    await withSet<number>(async (set, name) => {
      await askOwner(topology, name, 'RPUSH', '0.1E20', '999999999999999999999', '1000000000000000000001')
      expect(await set.contains(1e21)).toBe(false)
      expect(await set.remove(1e21)).toBe(false)
      expect(await set.add(1e21)).toBe(true)
      expect(await askOwner(topology, name, 'LINDEX', '2')).toBe('1.0E21')
      expect(await allOf(set.values({ count: 1 }))).toHaveLength(4)
      expect(await set.remove(1e19)).toBe(true)
      expect(await set.remove(1e21)).toBe(true)
      expect(await set.size()).toBe(2)
    })
  })

  it('takes a number beyond 2^53 and a bigint for the same where they have the same digits', async () => {
    await withSet<number | bigint>(async (set) => {
      const differing = [2 ** 70, 1e23, -(2 ** 60)] as const
      for (const number of differing) {
        expect(await set.add(number)).toBe(true)
        expect(await set.contains(BigInt(number))).toBe(false)
        expect(await set.retainAll([BigInt(number)])).toBe(true)
      }
      for (const number of [2 ** 53, 1e21, -2.5e20, 12]) {
        expect(await set.add(number)).toBe(true)
        expect(await set.add(BigInt(number))).toBe(false)
        expect(await set.retainAll([BigInt(number)])).toBe(false)
        expect(await set.remove(BigInt(number))).toBe(true)
      }
    })
  })

  it('removes values', async () => {
    await withSet(async (set) => {
      await set.addAll(['a', 'b', 'c', 'd', 'e'])
      expect(await set.remove('a')).toBe(true)
      expect(await set.removeAll(['a', 'none'])).toBe(false)
      expect(await set.removeAll(['b', 'none'])).toBe(true)
      expect(await set.retainAll(['c', 'd', 'e', 'none'])).toBe(false)
      expect(await set.retainAll(new Set(['d']))).toBe(true)
      expect(await set.readAll()).toEqual(['d'])
      expect(await set.retainAll([])).toBe(true)
      expect(await set.isExists()).toBe(false)
    })
  })

  it('retains no other number, however many digits it has', async () => {
    await withSet<number>(async (set, name) => {
      await askOwner(topology, name, 'RPUSH', '0.12345678901234567890', '1.0', '9007199254740993.0')
      expect(await set.retainAll([0.12345678901234568, 1])).toBe(true)
      expect(await askOwner(topology, name, 'LRANGE', '0', '-1')).toEqual(['0.12345678901234567890', '1.0'])
      expect(await set.retainAll([1])).toBe(true)
      expect(await set.readAll()).toEqual([1])
      expect(await set.retainAll([-1])).toBe(true)
      expect(await set.isExists()).toBe(false)
    })
  })

  it('removes what is at its ends, and waits for that', async () => {
    await withSet(async (set, name) => {
      await set.addAll(['a', 'b', 'c', 'd', 'e', 'f'])
      expect([await set.pollFirst(), await set.pollLast()]).toEqual(['a', 'f'])
      expect(await set.pollFirst(2)).toEqual(['b', 'c'])
      expect(await set.pollLast(5, { waitMs: 60_000 })).toEqual(['d', 'e'])
      const taken = set.pollFirst({ waitMs: 60_000 })
      await clients.other.getSortedSet(name).add('later')
      expect(await taken).toBe('later')
      const abort = new AbortController()
      const aborted = set.pollLast({ waitMs: 60_000, signal: abort.signal })
      abort.abort(new Error('enough'))
      await expect(aborted).rejects.toThrow('enough')
      expect(await set.isExists()).toBe(false)
    })
  })

  it(`has ${String(MANY)} values`, async () => {
    await withSet<number>(async (set, name) => {
      const many = Array.from({ length: MANY }, (_, n) => n)
      expect(await set.addAll(many)).toBe(true)
      expect(await set.size()).toBe(MANY)
      expect(await set.add(5_000.5)).toBe(true)
      expect(await set.remove(5_000.5)).toBe(true)
      expect(await set.readAll()).toEqual(many)
      expect(await allOf(set)).toEqual(many)
      expect(await set.containsAll(many)).toBe(true)
      expect(await set.pollLast(5_000)).toEqual(many.slice(-5_000))
      await set.pollLast(2_000)
      const inBatch = () => clients.mine.batch((batch) => [batch.getSortedSet<number>(name).readAll()])
      expect(await inBatch()).toEqual([many.slice(0, 5_000)])
      await set.add(5_000)
      await expect(inBatch()).rejects.toMatchObject({ code: 'BATCH', cause: { code: 'NOT_IN_BATCH' } })
      expect(await set.retainAll([3, 2_999, 4_999])).toBe(true)
      expect(await set.readAll()).toEqual([3, 2_999, 4_999])
    })
  }, 60_000)

  it('comes once to what stays while others come and go', async () => {
    await withSet(async (set) => {
      const staying = Array.from({ length: 50 }, (_, n) => `v${String(n).padStart(2, '0')}`)
      await set.addAll(staying)
      const seen: string[] = []
      for await (const value of set.values({ count: 7 })) {
        seen.push(value)
        await set.remove(`${value}-gone`)
        await set.addAll([`${value}-gone`, `u-${value}`]) // one is ahead, and one was passed
      }
      expect(seen.filter((value) => staying.includes(value))).toEqual(staying)
      expect(new Set(seen).size).toBe(seen.length)
    })
  })

  it('goes on where the value was at which a page has ended, and comes to an end in a list that is not sorted', async () => {
    await withSet(async (set, name) => {
      await set.addAll(['a', 'b', 'c', 'd'])
      const seen: string[] = []
      for await (const value of set.values({ count: 2 })) {
        if (seen.push(value) === 2) await set.removeAll(['a', 'b'])
      }
      expect(seen).toEqual(['a', 'b', 'c', 'd'])
      await set.clear()
      await askOwner(topology, name, 'RPUSH', '"d"', '"c"', '"b"', '"a"')
      expect((await allOf(set.values({ count: 1 }))).length).toBeLessThanOrEqual(4)
    })
  })

  it('is walked through by several together, each page by one of them, and in order', async () => {
    await withSet<number>(
      async (set, name) => {
        const cursor = `__redisson_sorted_set_cursor_{${name}}`
        const all = Array.from({ length: 1_000 }, (_, n) => n)
        await set.addAll(all)
        const other = clients.other.getSortedSet<number>(name)
        const walks = await Promise.all(
          [set, other, set].map((one) => allOf(one.distributedIterator({ count: 30 }))),
        )
        for (const walk of walks) expect(walk).toEqual(walk.toSorted((a, b) => a - b))
        expect(walks.flat().toSorted((a, b) => a - b)).toEqual(all)
        expect(await askOwner(topology, cursor, 'GET')).toBe('-1')
        expect(await askOwner(topology, cursor, 'TTL')).toBeGreaterThan(3_500)
        expect(await allOf(other.distributedIterator())).toEqual([])
        await clients.mine.getKeys().delete(cursor)
        const iteratorName = `{${name}}:walk`
        for await (const value of set.distributedIterator({ iteratorName, count: 500 })) {
          expect(value).toBe(0)
          break
        }
        expect(await askOwner(topology, iteratorName, 'GET')).toBe('500')
        expect(await allOf(other.distributedIterator({ iteratorName, count: 500 }))).toEqual(all.slice(500))
        await clients.mine.getKeys().delete(iteratorName)
      },
      {},
      `sorted-${topology.kind}-walked`,
    )
  })

  it('is walked through by several together in pages of large values', async () => {
    await withSet(
      async (set, name) => {
        const texts = Array.from(
          { length: 200 },
          (_, n) => `${String(n).padStart(3, '0')}${'x'.repeat(1_000)}`,
        )
        await set.addAll(texts)
        const walk = set.distributedIterator({ count: 150 })[Symbol.asyncIterator]()
        expect((await walk.next()).value).toBe(texts[0])
        expect(await allOf(clients.other.getSortedSet(name).distributedIterator())).toEqual(texts.slice(150))
        await clients.mine.getKeys().delete(`__redisson_sorted_set_cursor_{${name}}`)
      },
      {},
      `sorted-${topology.kind}-large`,
    )
  })

  it('adds each value once, and in its place, however many clients add at once', async () => {
    await withSet(async (set, name) => {
      const other = clients.other.getSortedSet(name)
      const values = Array.from({ length: 60 }, (_, n) => `v${String((n * 37) % 60).padStart(2, '0')}`)
      const added = await Promise.all(values.flatMap((value) => [set.add(value), other.add(value)]))
      expect(added.filter(Boolean)).toHaveLength(60)
      expect(await set.readAll()).toEqual(values.toSorted())
    })
  })

  it('waits while another client has the lock of Java, and reads meanwhile', async () => {
    await withSet(
      async (set, name) => {
        await set.addAll(['a', 'z'])
        const hold = await clients.other.getLock(`redisson_sortedset_lock:${name}`).acquire()
        const calls = [set.add('m'), set.remove('a'), set.pollLast()]
        let settled = 0
        for (const call of calls) void call.then(() => (settled += 1))
        expect(await set.readAll()).toEqual(['a', 'z'])
        expect(await set.contains('m')).toBe(false)
        expect(settled).toBe(0)
        await hold.unlock()
        expect(await Promise.all(calls)).toEqual([true, true, 'z'])
        expect(await set.readAll()).toEqual(['m'])
      },
      {},
      `{sorted-${topology.kind}-locked}`,
    )
  })

  it('is part of a batch, unless a client has the lock of Java', async () => {
    await withSet(
      async (set, name) => {
        const results = await clients.mine.batch((batch) => {
          const some = batch.getSortedSet(name)
          return [
            some.addAll(['c', 'a', 'b']),
            some.contains('b'),
            some.remove('b'),
            some.readAll(),
            some.pollLast(),
          ]
        })
        expect(results).toEqual([true, true, true, ['a', 'c'], 'c'])
        const hold = await clients.other.getLock(`redisson_sortedset_lock:${name}`).acquire()
        await expect(
          clients.mine.batch((batch) => [batch.getSortedSet(name).add('x')]),
        ).rejects.toMatchObject({
          code: 'BATCH',
          cause: { code: 'NOT_IN_BATCH', message: expect.stringContaining('client in Java') },
        })
        await hold.unlock()
        expect(await set.readAll()).toEqual(['a'])
      },
      {},
      `{sorted-${topology.kind}-batch}`,
    )
  })

  it('is not changed where a client in Java gave it another order, but read and polled', async () => {
    await withSet(
      async (set, name) => {
        await askOwner(topology, name, 'RPUSH', '"b"', '"a"')
        await askOwner(
          topology,
          `redisson_sortedset_comparator:${name}`,
          'SET',
          'java.util.Collections$ReverseComparator:0',
        )
        for (const call of [
          () => set.add('c'),
          () => set.remove('a'),
          () => set.contains('a'),
          () => set.retainAll(['a']),
        ])
          await expect(call()).rejects.toMatchObject({ code: 'WRONG_TYPE', object: name })
        expect(await set.readAll()).toEqual(['b', 'a'])
        expect([await set.first(), await set.last(), await set.size()]).toEqual(['b', 'a', 2])
        expect(await set.pollFirst()).toBe('b')
        expect(await set.delete()).toBe(true)
        expect(await set.add('c')).toBe(true)
      },
      {},
      `{sorted-${topology.kind}-compared}`,
    )
  })

  it('is refused where the name belongs to another kind of object, and leaves that as it is', async () => {
    const name = `sorted-${topology.kind}-wrong`
    const bucket = clients.mine.getBucket(name)
    await bucket.set('mine')
    const set = clients.mine.getSortedSet(name)
    const calls: readonly (() => Promise<unknown>)[] = [
      () => set.add('a'),
      () => set.addAll(['a']),
      () => set.contains('a'),
      () => set.remove('a'),
      () => set.retainAll(['a']),
      () => set.retainAll([]),
      () => set.pollFirst(),
      () => set.pollLast({ waitMs: 300 }),
      () => set.first(),
      () => set.readAll(),
      () => allOf(set),
      () => set.size(),
      () => set.delete(),
    ]
    for (const call of calls) await expect(call()).rejects.toMatchObject({ code: 'WRONG_TYPE' })
    expect(await bucket.get()).toBe('mine')
    await bucket.delete()
  })
})

describe('bad input to a sorted set', () => {
  const [single] = slottedTopologies
  if (single === undefined) throw new Error('Expected a topology')
  const clients = twoClients(single)
  const bad = () => clients.mine.getSortedSet('bad-sorted')

  it('is refused where it has no place in an order, and nothing is sent', async () => {
    const set = bad()
    for (const value of [
      undefined,
      null,
      NaN,
      Infinity,
      {},
      [],
      true,
      Symbol('a'),
      '\ud83d',
    ] as unknown as string[])
      for (const call of [
        () => set.add(value),
        () => set.addAll(['a', value]),
        () => set.contains(value),
        () => set.containsAll([value]),
        () => set.remove(value),
        () => set.removeAll([value]),
        () => set.retainAll([value]),
      ])
        await expect(call()).rejects.toThrow(TypeError)
    for (const call of [
      () => set.addAll('abc'),
      () => set.removeAll('abc'),
      () => set.retainAll(5 as never),
      () => set.addAll(['a', 5 as never]),
    ])
      await expect(call()).rejects.toThrow(TypeError)
    const doubles = clients.mine.getSortedSet<number>('bad-sorted', { codec: doubleCodec() })
    await expect(doubles.add(-Infinity)).rejects.toThrow(/`value` to be .* a finite number/)
    expect(await set.isExists()).toBe(false)
    await set.addAll(['1', '2'])
    await expect(set.retainAll([1] as never)).rejects.toThrow(TypeError)
    expect(await set.readAll()).toEqual(['1', '2'])
    await set.delete()
  })

  it('is refused where it is of another kind than what is there, and nothing is changed', async () => {
    const set = clients.mine.getSortedSet<SortedValue>('bad-sorted')
    await set.addAll(['a', 'b'])
    for (const call of [
      () => set.add(5),
      () => set.addAll([5, 6]),
      () => set.remove(5),
      () => set.contains(5),
    ])
      await expect(call()).rejects.toThrow(TypeError)
    expect(await set.readAll()).toEqual(['a', 'b'])
    await set.delete()
    await set.addAll([1, 2, 3])
    await askOwner(single, 'bad-sorted', 'RPUSH', '{"no":"number"}')
    for (const call of [() => set.addAll([0, 5]), () => set.removeAll([1, 5]), () => set.contains(5)])
      await expect(call()).rejects.toThrow(TypeError)
    expect(await askOwner(single, 'bad-sorted', 'LRANGE', '0', '-1')).toEqual([
      '1',
      '2',
      '3',
      '{"no":"number"}',
    ])
    await set.delete()
  })

  it('is refused where the codec writes what scripts cannot read', async () => {
    const odd: Codec<string> = {
      name: 'odd',
      encode: (value) => `<${value}>`,
      decode: (bytes) => Buffer.from(bytes).toString().slice(1, -1),
    }
    await expect(clients.mine.getSortedSet('bad-sorted', { codec: odd }).add('a')).rejects.toThrow(/got odd/)
    const jackson = clients.mine.getSortedSet<SortedValue>('bad-sorted', {
      codec: jacksonCodec<SortedValue>(),
    })
    await expect(jackson.add(2n ** 40n)).rejects.toThrow(TypeError)
    expect(await bad().isExists()).toBe(false)
  })

  it('is refused where it is no count and no option', async () => {
    const set = bad()
    for (const call of [() => set.pollFirst(-1), () => set.pollLast(5_001), () => set.pollFirst(0.5)])
      await expect(call()).rejects.toThrow(RangeError)
    await expect(set.pollFirst({ timeoutMs: 1 } as never)).rejects.toThrow(TypeError)
    expect(() => set.values({ count: 0 })).toThrow(RangeError)
    expect(() => set.values({ pattern: '*' } as never)).toThrow(TypeError)
    expect(() => set.distributedIterator({ count: 5_001 })).toThrow(RangeError)
    expect(() => set.distributedIterator({ pattern: '*' } as never)).toThrow(TypeError)
    expect(() => set.distributedIterator({ iteratorName: 5 as never })).toThrow(TypeError)
    expect(() => clients.mine.getSortedSet('x', { ttl: 5 } as never)).toThrow(TypeError)
    expect(() => clients.mine.getSortedSet('')).toThrow(TypeError)
  })

  it('is refused where more than one request would be part of a batch', async () => {
    const many = Array.from({ length: 101 }, (_, n) => String(n))
    for (const call of [
      (set: RSortedSet<string>) => set.addAll(many),
      (set: RSortedSet<string>) => set.removeAll(many),
      (set: RSortedSet<string>) => set.retainAll(['a']),
      (set: RSortedSet<string>) => set.pollFirst({ waitMs: 1 }),
      (set: RSortedSet<string>) => allOf(set.distributedIterator()),
    ])
      await expect(
        clients.mine.batch((batch) => [call(batch.getSortedSet('bad-sorted'))]),
      ).rejects.toMatchObject({ code: 'NOT_IN_BATCH' })
    expect(await bad().isExists()).toBe(false)
  })
})
