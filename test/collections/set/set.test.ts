import { describe, expect, it } from 'vitest'
import {
  bytesCodec,
  longCodec,
  msgpackCodec,
  stringCodec,
  type RSet,
  type ValueOptions,
} from '../../../src/index.js'
import { allOf } from '../../support/all-of.js'
import { askOwner } from '../../support/ask-owner.js'
import { twoClients } from '../../support/clients.js'
import { noLeaks } from '../../support/no-leaks.js'
import { slottedTopologies } from '../../support/topologies.js'

/** More than one request may be about. */
const MANY = 12_000

const sorted = (values: readonly unknown[]) => values.map(String).toSorted()

describe.each(slottedTopologies)('a set ($kind)', (topology) => {
  noLeaks(topology)
  const clients = twoClients(topology)
  let names = 0

  /** A set that is removed after the test. */
  const withSet = async (
    use: (set: RSet<unknown>, name: string) => Promise<void>,
    options?: ValueOptions<unknown>,
    name = `set-${topology.kind}-${String(names++)}`,
  ) => {
    const set = clients.mine.getSet(name, options)
    try {
      await use(set, name)
    } finally {
      await set.delete()
    }
  }

  it('is shared by all clients, and is not there at first', async () => {
    await withSet(async (set, name) => {
      expect(await set.contains({ name: 'Ada' })).toBe(false)
      expect(await set.isExists()).toBe(false)
      expect(await set.add({ name: 'Ada', none: null })).toBe(true)
      expect(await clients.other.getSet(name).readAll()).toEqual([{ name: 'Ada', none: null }])
      expect(await set.add({ name: 'Ada', none: null })).toBe(false)
    })
  })

  it('has nothing where it is not there', async () => {
    await withSet(async (set) => {
      expect(await set.size()).toBe(0)
      expect(await set.isEmpty()).toBe(true)
      expect(await set.containsEach(['a', 'b'])).toEqual([false, false])
      expect(await set.containsEach([])).toEqual([])
      expect(await set.containsAll(['a'])).toBe(false)
      expect(await set.containsAll([])).toBe(true)
      expect(await set.remove('a')).toBe(false)
      expect(await set.removeAll(['a', 'b'])).toBe(false)
      expect(await set.removeAllCounted(['a', 'b'])).toBe(0)
      expect(await set.removeAll([])).toBe(false)
      expect(await set.removeAllCounted([])).toBe(0)
      expect(await set.retainAll(['a'])).toBe(false)
      expect(await set.retainAll([])).toBe(false)
      expect(await set.addAll([])).toBe(false)
      expect(await set.addAllCounted([])).toBe(0)
      expect(await set.tryAdd()).toBe(true)
      expect(await set.random()).toBeUndefined()
      expect(await set.random(3)).toEqual([])
      expect(await set.removeRandom()).toBeUndefined()
      expect(await set.removeRandom(3)).toEqual([])
      expect(await set.readAll()).toEqual([])
      expect(await set.readUnion([])).toEqual([])
      expect(await set.readDiff([])).toEqual([])
      expect(await set.readIntersection([])).toEqual([])
      expect(await set.countIntersection([])).toBe(0)
      expect(await set.readSort()).toEqual([])
      expect(await set.readSortAlpha()).toEqual([])
      expect(await allOf(set)).toEqual([])
      await set.clear()
      expect(await set.isExists()).toBe(false)
    })
  })

  it('adds and removes values, and tells what changed', async () => {
    await withSet(async (set) => {
      expect(await set.addAll(['a', 'b', 'a'])).toBe(true)
      expect(await set.addAll(new Set(['a', 'b']))).toBe(false)
      expect(await set.addAllCounted(['b', 'c', 'd', 'd'])).toBe(2)
      expect(await set.size()).toBe(4)
      expect(await set.isEmpty()).toBe(false)
      expect(await set.remove('a')).toBe(true)
      expect(await set.remove('a')).toBe(false)
      expect(await set.removeAll(['a', 'b'])).toBe(true)
      expect(await set.removeAll(['a', 'b'])).toBe(false)
      expect(await set.removeAllCounted(['b', 'c', 'd', 'd'])).toBe(2)
      expect(await set.isExists()).toBe(false)
    })
  })

  it('adds all values, or none if one of them is there', async () => {
    await withSet(async (set) => {
      expect(await set.tryAdd('a', 'b', 'b')).toBe(true)
      expect(await set.tryAdd('c', 'b')).toBe(false)
      expect(sorted(await set.readAll())).toEqual(['a', 'b'])
      expect(await set.tryAdd('c')).toBe(true)
      expect(await set.tryAdd()).toBe(true)
      expect(await set.size()).toBe(3)
    })
  })

  it('says of one value, each or all whether they are there, by their bytes', async () => {
    await withSet(async (set) => {
      await set.addAll([{ x: 1, y: 2 }, null, 'a', 0])
      expect(await set.contains({ x: 1, y: 2 })).toBe(true)
      expect(await set.contains({ y: 2, x: 1 })).toBe(false)
      expect(await set.containsEach([null, 'b', 0, 'a', 'a'])).toEqual([true, false, true, true, true])
      expect(await set.containsAll([null, 'a', 'a'])).toBe(true)
      expect(await set.containsAll([null, 'b'])).toBe(false)
    })
  })

  it('retains some values, and leaves no other key behind', async () => {
    await withSet(async (set, name) => {
      await set.addAll(['a', 'b', 'c', 'd'])
      expect(await set.retainAll(['a', 'b', 'none', 'c', 'd'])).toBe(false)
      expect(await set.retainAll(['b', 'none', 'b'])).toBe(true)
      expect(await set.readAll()).toEqual(['b'])
      expect(await askOwner(topology, `{${name}}:redisson_temp`, 'EXISTS')).toBe(0)
      expect(await set.retainAll(['c'])).toBe(true)
      expect(await set.isExists()).toBe(false)
      await set.add('a')
      expect(await set.retainAll([])).toBe(true)
      expect(await set.isExists()).toBe(false)
    })
  })

  it('gives away values by chance', async () => {
    await withSet(async (set) => {
      await set.addAll(['a', 'b', 'c'])
      expect(['a', 'b', 'c']).toContain(await set.random())
      expect(sorted(await set.random(10))).toEqual(['a', 'b', 'c'])
      expect(new Set(await set.random(2)).size).toBe(2)
      expect(await set.random(0)).toEqual([])
      const one = await set.removeRandom()
      expect(await set.contains(one)).toBe(false)
      expect(await set.removeRandom(0)).toEqual([])
      const rest = await set.removeRandom(5)
      expect(sorted([one, ...rest])).toEqual(['a', 'b', 'c'])
      expect(await set.isExists()).toBe(false)
    })
  })

  it('moves a value to another set', async () => {
    await withSet(
      async (set) => {
        const other = clients.mine.getSet(`{set-move-${topology.kind}}:other`)
        await set.addAll(['a', 'b'])
        expect(await set.move(other.name, 'a')).toBe(true)
        expect(await set.move(other.name, 'a')).toBe(false)
        expect(await set.move(set.name, 'b')).toBe(true)
        expect(await set.readAll()).toEqual(['b'])
        expect(await other.readAll()).toEqual(['a'])
        await other.delete()
      },
      undefined,
      `{set-move-${topology.kind}}:one`,
    )
  })

  it('is combined with other sets', async () => {
    const tag = `{set-algebra-${topology.kind}}`
    const [one, two, three, result] = ['one', 'two', 'three', 'result'].map((each) =>
      clients.mine.getSet<number>(`${tag}:${each}`),
    ) as [RSet<number>, RSet<number>, RSet<number>, RSet<number>]
    await one.addAll([1, 2, 3, 4])
    await two.addAll([3, 4, 5])
    await three.addAll([4, 9])
    const both = [two.name, three.name]
    expect(sorted(await one.readUnion(both))).toEqual(['1', '2', '3', '4', '5', '9'])
    expect(sorted(await one.readDiff(both))).toEqual(['1', '2'])
    expect(await one.readIntersection(new Set(both))).toEqual([4])
    expect(await one.countIntersection([two.name])).toBe(2)
    expect(await one.countIntersection([two.name], { limit: 1 })).toBe(1)
    expect(await one.countIntersection([two.name], { limit: 0 })).toBe(2)
    expect(await one.countIntersection([])).toBe(4)
    expect(sorted(await one.readUnion([]))).toEqual(['1', '2', '3', '4'])
    expect(await one.readUnion([`${tag}:none`])).toHaveLength(4)

    await result.add(100)
    expect(await result.union([one.name, ...both])).toBe(6)
    expect(sorted(await result.readAll())).toEqual(['1', '2', '3', '4', '5', '9'])
    expect(await result.diff([one.name, ...both])).toBe(2)
    expect(sorted(await result.readAll())).toEqual(['1', '2'])
    expect(await result.intersection([one.name, two.name])).toBe(2)
    expect(sorted(await result.readAll())).toEqual(['3', '4'])
    expect(await result.union([result.name, three.name])).toBe(3)
    expect(await result.diff([result.name, three.name])).toBe(1)
    expect(await result.readAll()).toEqual([3])
    expect(await result.intersection([result.name, three.name])).toBe(0)
    expect(await result.isExists()).toBe(false)
    for (const set of [one, two, three]) await set.delete()
  })

  it('is sorted by numbers or bytes, and into a list', async () => {
    const tag = `{set-sort-${topology.kind}}`
    const numbers = clients.mine.getSet<number>(`${tag}:numbers`)
    await numbers.addAll([30, 4, 200, -1])
    expect(await numbers.readSort()).toEqual([-1, 4, 30, 200])
    expect(await numbers.readSort({ order: 'DESC' })).toEqual([200, 30, 4, -1])
    expect(await numbers.readSort({ offset: 1, count: 2 })).toEqual([4, 30])
    expect(await numbers.readSort({ offset: 3 })).toEqual([200])
    expect(await numbers.readSort({ count: 0 })).toEqual([])
    expect(await numbers.readSortAlpha()).toEqual([-1, 200, 30, 4])
    expect(await numbers.readSortAlpha({ order: 'DESC', count: 1 })).toEqual([4])
    expect(await numbers.sortTo(`${tag}:list`, { order: 'DESC', count: 3 })).toBe(3)
    expect(await askOwner(topology, `${tag}:list`, 'LRANGE', 0, -1)).toEqual(['200', '30', '4'])
    expect(await numbers.sortTo(`${tag}:list`)).toBe(4)
    expect(await clients.mine.getSet(`${tag}:none`).sortTo(`${tag}:list`)).toBe(0)
    expect(await askOwner(topology, `${tag}:list`, 'EXISTS')).toBe(0)
    await numbers.delete()

    const texts = clients.mine.getSet<string>(`${tag}:texts`)
    await texts.addAll(['pear', 'apple', 'fig'])
    expect(await texts.readSortAlpha()).toEqual(['apple', 'fig', 'pear'])
    await expect(texts.readSort()).rejects.toMatchObject({ code: 'COMMAND' })
    await texts.delete()
  })

  it.each(['', '__proto__', 'constructor', 'a{b}c', 'é中😀', 'line\nand\0zero', '*?[a]', '0'])(
    'may have the value %o',
    async (value) => {
      await withSet(async (set) => {
        expect(await set.addAll([value, 'other'])).toBe(true)
        expect(await set.contains(value)).toBe(true)
        expect(await set.containsEach([value])).toEqual([true])
        expect(await set.retainAll([value])).toBe(true)
        expect(await set.readAll()).toEqual([value])
        expect(await allOf(set)).toEqual([value])
        expect(await set.random()).toBe(value)
        expect(await set.removeRandom(1)).toEqual([value])
      })
    },
  )

  it.each(['a{tag}b', '{whole}', 'ключ', '中😀', 'with space\nand line', 'x'.repeat(5_000)])(
    'may have the name %o',
    async (name) => {
      await withSet(
        async (set) => {
          await set.add('v')
          expect(await askOwner(topology, name, 'SMEMBERS')).toEqual(['"v"'])
          expect(await set.readAll()).toEqual(['v'])
          expect(await allOf(set.distributedIterator({ iteratorName: `{${tagOf(name)}}:it` }))).toEqual(['v'])
          await askOwner(topology, `{${tagOf(name)}}:it`, 'DEL')
        },
        undefined,
        name,
      )
    },
  )

  it('has values of all codecs', async () => {
    const name = `set-${topology.kind}-codecs`
    const numbers = clients.mine.getSet<number>(name, { codec: longCodec() })
    await numbers.addAll([7, -5])
    expect(await numbers.readSort()).toEqual([-5, 7])
    await numbers.delete()
    const raw = clients.mine.getSet<Uint8Array>(name, { codec: bytesCodec() })
    const bytes = Buffer.of(0xff, 0x00, 0x80)
    expect(await raw.addAll([bytes, Buffer.of(1)])).toBe(true)
    expect(await raw.retainAll([bytes])).toBe(true)
    expect(await raw.readAll()).toEqual([bytes])
    expect(await raw.remove(bytes)).toBe(true)
    const dates = clients.mine.getSet(name, { codec: msgpackCodec() })
    await dates.add(new Date(5))
    expect(await dates.readAll()).toEqual([new Date(5)])
    expect(await dates.contains(new Date(5))).toBe(true)
    await dates.delete()
  })

  it('holds many values, and reads all of them, each once', async () => {
    await withSet(async (set) => {
      const all = Array.from({ length: MANY }, (_, n) => `value-${String(n)}`)
      expect(await set.addAllCounted(all)).toBe(MANY)
      expect(await set.addAll([...all, 'more'])).toBe(true)
      expect(await set.remove('more')).toBe(true)
      expect(await set.size()).toBe(MANY)
      const values = all.toSorted()
      expect(sorted(await set.readAll())).toEqual(values)
      expect(new Set(await allOf(set))).toEqual(new Set(values))
      expect(new Set(await allOf(set.values({ count: 700 })))).toEqual(new Set(values))
      expect(await set.containsAll(all)).toBe(true)
      const each = await set.containsEach(['none', ...all, 'none'])
      expect(each).toHaveLength(MANY + 2)
      expect(each.filter(Boolean)).toHaveLength(MANY)
      expect([each[0], each.at(-1)]).toEqual([false, false])
      expect(await set.random(MANY + 1)).toHaveLength(MANY)
      expect(await set.removeRandom(5_000)).toHaveLength(5_000)
      await set.addAll(all)
      expect(await set.retainAll(['value-1', 'none'])).toBe(true) // few of many
      expect(await set.readAll()).toEqual(['value-1'])
      expect(await set.retainAll(all)).toBe(false) // many of few
      await set.addAll([...all, 'more'])
      expect(await set.retainAll(all)).toBe(true) // many of many
      expect(await set.contains('more')).toBe(false)
      expect(await set.removeAllCounted(all)).toBe(MANY)
      expect(await set.isExists()).toBe(false)
    })
  })

  it('adds as many as one step may be about', async () => {
    await withSet(async (set) => {
      const all = Array.from({ length: 5_000 }, (_, n) => n)
      expect(await set.tryAdd(...all)).toBe(true)
      expect(await set.tryAdd(...all)).toBe(false)
      expect(await set.retainAll(all.slice(1))).toBe(true)
      expect(await set.size()).toBe(4_999)
      await expect(set.tryAdd(...all, 5_000)).rejects.toThrow(RangeError)
    })
  })

  it('walks through the values that match a pattern', async () => {
    await withSet(async (set) => {
      await set.addAll(['a:1', 'a:2', 'b:1', 'a*'])
      expect(sorted(await allOf(set.values({ pattern: '"a:*"' })))).toEqual(['a:1', 'a:2'])
      expect(await allOf(set.values({ pattern: '"a\\*"' }))).toEqual(['a*'])
      expect(await allOf(set.values({ pattern: 'none' }))).toEqual([])
    })
  })

  it('begins a new walk for each loop, which may be ended at any time', async () => {
    await withSet(async (set) => {
      await set.addAll(Array.from({ length: 3_000 }, (_, n) => n))
      const values = set.values({ count: 10 })
      let seen = 0
      for await (const value of values) {
        expect(value).toBeTypeOf('number')
        if (++seen === 15) break
      }
      expect(new Set(await allOf(values)).size).toBe(3_000)

      const abort = new AbortController()
      const walk = set.values({ count: 10, signal: abort.signal })[Symbol.asyncIterator]()
      expect((await walk.next()).done).toBe(false)
      abort.abort(new Error('enough'))
      await expect(walk.next()).rejects.toThrow('enough')
      expect((await walk.next()).done).toBe(true)
    })
  })

  it('ends a walk at what the codec cannot read, or leaves it out', async () => {
    await withSet(async (set, name) => {
      await clients.mine.getSet<string>(name, { codec: stringCodec() }).addAll(['1', '{not json'])
      const wrong = { code: 'CODEC', object: name, codec: 'json' }
      await expect(allOf(set)).rejects.toMatchObject(wrong)
      await expect(set.readAll()).rejects.toMatchObject(wrong)
      await expect(set.random(2)).rejects.toMatchObject(wrong)
      expect(await allOf(set.values({ onInvalid: 'skip' }))).toEqual([1])
    })
  })

  it('refuses another kind of object, and leaves it as it is', async () => {
    await withSet(async (set, name) => {
      await askOwner(topology, name, 'RPUSH', 'element')
      for (const call of [
        () => set.add('a'),
        () => set.addAll(['a']),
        () => set.addAllCounted(['a']),
        () => set.tryAdd('a'),
        () => set.contains('a'),
        () => set.containsEach(['a']),
        () => set.containsAll(['a']),
        () => set.remove('a'),
        () => set.removeAll(['a']),
        () => set.removeAllCounted(['a']),
        () => set.retainAll(['a']),
        () => set.retainAll([]),
        () => set.random(),
        () => set.random(1),
        () => set.removeRandom(),
        () => set.removeRandom(1),
        () => set.move(name, 'a'),
        () => set.union([name]),
        () => set.diff([name]),
        () => set.intersection([name]),
        () => set.readUnion([]),
        () => set.readDiff([]),
        () => set.readIntersection([]),
        () => set.countIntersection([]),
        () => set.size(),
        () => set.isEmpty(),
        () => set.clear(),
        () => set.readAll(),
        () => allOf(set),
        () => allOf(set.distributedIterator()),
      ])
        await expect(call()).rejects.toMatchObject({ code: 'WRONG_TYPE', object: name })
      expect(await askOwner(topology, name, 'LRANGE', 0, -1)).toEqual(['element'])
      await askOwner(topology, name, 'DEL')
    })
  })
})

/** What a cluster places a name by. */
function tagOf(name: string): string {
  return /\{([^}]+)\}/.exec(name)?.[1] ?? name
}

describe('a set of bad arguments', () => {
  const [single] = slottedTopologies
  if (single === undefined) throw new Error('Expected a topology')
  const clients = twoClients(single)
  const bad = () => clients.mine.getSet('bad')

  it('refuses undefined as a value, and sends nothing', async () => {
    const set = bad()
    for (const call of [
      () => set.add(undefined),
      () => set.addAll(['a', undefined]),
      () => set.addAllCounted(['a', undefined]),
      () => set.tryAdd('a', undefined),
      () => set.contains(undefined),
      () => set.containsEach(['a', undefined]),
      () => set.containsAll([undefined]),
      () => set.remove(undefined),
      () => set.removeAll([undefined]),
      () => set.removeAllCounted([undefined]),
      () => set.retainAll(['a', undefined]),
      () => set.move('bad', undefined),
    ])
      await expect(call()).rejects.toThrow(/^Expected `value` to be a value, got undefined/)
    expect(await set.isExists()).toBe(false)
  })

  it('refuses what the codec cannot write, and sends nothing', async () => {
    const set = bad()
    for (const value of [NaN, () => 1, new Map()]) {
      await expect(set.add(value)).rejects.toMatchObject({ code: 'CODEC', object: 'bad' })
      await expect(set.addAll([1, value])).rejects.toMatchObject({ code: 'CODEC', object: 'bad' })
      await expect(set.tryAdd(1, value)).rejects.toMatchObject({ code: 'CODEC', object: 'bad' })
    }
    expect(await set.isExists()).toBe(false)
  })

  it('refuses what is no list of values or names, and no number', async () => {
    const set = bad()
    await set.add('a')
    for (const list of ['abc', 5, null, undefined, {}] as never[])
      for (const call of [
        () => set.addAll(list),
        () => set.addAllCounted(list),
        () => set.removeAll(list),
        () => set.removeAllCounted(list),
        () => set.retainAll(list),
        () => set.containsAll(list),
        () => set.containsEach(list),
        () => set.union(list),
        () => set.readUnion(list),
        () => set.diff(list),
        () => set.readDiff(list),
        () => set.intersection(list),
        () => set.readIntersection(list),
        () => set.countIntersection(list),
      ])
        await expect(call()).rejects.toThrow(TypeError)
    for (const name of ['', 5, null, 'half \ud800'] as never[]) {
      await expect(set.readUnion([name])).rejects.toThrow(TypeError)
      await expect(set.move(name, 'a')).rejects.toThrow(TypeError)
      await expect(set.sortTo(name)).rejects.toThrow(TypeError)
    }
    for (const store of ['union', 'diff', 'intersection'] as const)
      await expect(set[store]([])).rejects.toThrow(RangeError)
    for (const count of [-1, 0.5, NaN, '1', undefined] as never[]) {
      await expect(set.random(count)).rejects.toThrow(RangeError)
      await expect(set.removeRandom(count)).rejects.toThrow(RangeError)
    }
    await expect(set.removeRandom(5_001)).rejects.toThrow('5000 or less')
    for (const limit of [-1, 0.5, NaN, '1'] as never[])
      await expect(set.countIntersection([], { limit })).rejects.toThrow(RangeError)
    expect(await set.readAll()).toEqual(['a'])
    await set.delete()
  })

  it('refuses options that are unknown or wrong, and arguments too many', async () => {
    const { mine } = clients
    for (const options of [{ ttl: 5 }, { exactlyOnce: 'yes' }, { codec: stringCodec }, { codec: {} }, 5])
      expect(() => mine.getSet('bad', options as never)).toThrow(TypeError)
    for (const options of [{ match: '*' }, { pattern: 5 }, { onInvalid: 'stop' }, { signal: {} }, 5]) {
      expect(() => bad().values(options as never)).toThrow(TypeError)
      expect(() => bad().distributedIterator(options as never)).toThrow(TypeError)
    }
    expect(() => bad().distributedIterator({ iteratorName: 5 as never })).toThrow(TypeError)
    for (const count of [0, 5_001, 1.5]) {
      expect(() => bad().values({ count })).toThrow(RangeError)
      expect(() => bad().distributedIterator({ count })).toThrow(RangeError)
    }
    for (const options of [
      { desc: true },
      { order: 'UP' },
      { by: 5 },
      { get: 'abc' },
      { get: [5] },
      5,
    ] as never[])
      for (const call of [
        () => bad().readSort(options),
        () => bad().readSortAlpha(options),
        () => bad().sortTo('other', options),
      ])
        await expect(call()).rejects.toThrow(TypeError)
    for (const options of [{ offset: -1 }, { count: -2 }, { count: 0.5 }])
      await expect(bad().readSort(options)).rejects.toThrow(RangeError)
    await expect(bad().sortTo('bad')).rejects.toThrow(RangeError)
    await expect(bad().countIntersection([], { most: 5 } as never)).rejects.toThrow(TypeError)
    for (const name of ['', 5, undefined, 'half \ud800'])
      expect(() => mine.getSet(name as string)).toThrow(TypeError)
    const set = bad() as unknown as Record<
      'add' | 'addAll' | 'union',
      (...args: unknown[]) => Promise<unknown>
    >
    await expect(set.add('a', 'b')).rejects.toThrow('addAll()')
    await expect(set.addAll(['a'], ['b'])).rejects.toThrow('one list')
    await expect(set.union(['a'], 'b')).rejects.toThrow('one list')
    expect(await bad().isExists()).toBe(false)
  })
})

const cluster = slottedTopologies.find(({ kind }) => kind === 'cluster')

describe.runIf(cluster !== undefined)('sets in several slots of a cluster', () => {
  const clients = twoClients(cluster ?? (slottedTopologies[0] as NonNullable<typeof cluster>))

  it('are not combined, and nothing is sent', async () => {
    const set = clients.mine.getSet('slot-one')
    const other = 'slot-two'
    for (const call of [
      () => set.move(other, 'a'),
      () => set.union([set.name, other]),
      () => set.diff([other]),
      () => set.intersection([other]),
      () => set.readUnion([other]),
      () => set.readDiff([other]),
      () => set.readIntersection([other]),
      () => set.countIntersection([other]),
      () => set.sortTo(other),
    ])
      await expect(call()).rejects.toMatchObject({ code: 'CROSS_SLOT', mayHaveRun: false })
    expect(() => set.distributedIterator({ iteratorName: other })).toThrow(
      expect.objectContaining({ code: 'CROSS_SLOT' }),
    )
  })
})
