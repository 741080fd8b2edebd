import { describe, expect, it } from 'vitest'
import { bytesCodec, msgpackCodec, stringCodec, type RList, type ValueOptions } from '../../../src/index.js'
import { allOf } from '../../support/all-of.js'
import { askOwner } from '../../support/ask-owner.js'
import { twoClients } from '../../support/clients.js'
import { noLeaks } from '../../support/no-leaks.js'
import { slottedTopologies } from '../../support/topologies.js'

/** More than one request may be about. */
const MANY = 12_000

/** What Redisson for Java writes for a moment where it removes an index. */
const TOMBSTONE = 'DELETED_BY_REDISSON'

const LONG_MS = 600_000

const numbers = (length: number, first = 0) => Array.from({ length }, (_, n) => first + n)

describe.each(slottedTopologies)('a list ($kind)', (topology) => {
  noLeaks(topology)
  const clients = twoClients(topology)
  let names = 0

  /** A list that is removed after the test. */
  const withList = async (
    use: (list: RList<unknown>, name: string) => Promise<void>,
    content: readonly unknown[] = [],
    options?: ValueOptions<unknown>,
    name = `list-${topology.kind}-${String(names++)}`,
  ) => {
    const list = clients.mine.getList(name, options)
    try {
      await list.addAll(content)
      await use(list, name)
    } finally {
      await clients.mine.getBucket(name).delete()
    }
  }

  it('is shared by all clients, and is not there at first', async () => {
    await withList(async (list, name) => {
      expect(await list.isExists()).toBe(false)
      expect(await list.add({ name: 'Ada', none: null })).toBe(true)
      expect(await list.add(null)).toBe(true)
      expect(await clients.other.getList(name).readAll()).toEqual([{ name: 'Ada', none: null }, null])
    })
  })

  it('has nothing where it is not there', async () => {
    await withList(async (list) => {
      expect(await list.get(0)).toBeUndefined()
      expect(await list.getAll([0, -1])).toEqual([undefined, undefined])
      expect(await list.getAll([])).toEqual([])
      expect(await list.size()).toBe(0)
      expect(await list.isEmpty()).toBe(true)
      expect(await list.contains(1)).toBe(false)
      expect(await list.containsAll([1])).toBe(false)
      expect(await list.containsAll([])).toBe(true)
      expect(await list.indexOf(1)).toBe(-1)
      expect(await list.lastIndexOf(1)).toBe(-1)
      expect(await list.readAll()).toEqual([])
      expect(await list.range(3)).toEqual([])
      expect(await list.range(-3, 3)).toEqual([])
      expect(await allOf(list)).toEqual([])
      expect(await list.addAfter(1, 2)).toBe(-1)
      expect(await list.addBefore(1, 2)).toBe(-1)
      expect(await list.addAll([])).toBe(false)
      expect(await list.addAll(5, [])).toBe(false)
      expect(await list.remove(1)).toBe(false)
      expect(await list.removeAt(0)).toBeUndefined()
      expect(await list.removeAt(-2)).toBeUndefined()
      expect(await list.fastRemove(0)).toBe(false)
      expect(await list.removeAll([1])).toBe(false)
      expect(await list.removeAll([])).toBe(false)
      expect(await list.retainAll([1])).toBe(false)
      expect(await list.retainAll([])).toBe(false)
      await list.trim(0, 5)
      await list.clear()
      expect(await list.isExists()).toBe(false)
    })
  })

  it('adds values at the end, and inserts them at an index', async () => {
    await withList(async (list) => {
      expect(await list.addAll(new Set([3, 4]))).toBe(true)
      await list.add(0, 1)
      await list.add(1, 2)
      await list.add(4, 5)
      expect(await list.readAll()).toEqual([1, 2, 3, 4, 5])
      expect(await list.addAll(0, [-1, 0])).toBe(true)
      expect(await list.addAll(7, [6, 7])).toBe(true)
      expect(await list.addAll(2, ['a', 'b'])).toBe(true)
      expect(await list.addAll(9, ['c', 'd'])).toBe(true)
      expect(await list.readAll()).toEqual([-1, 0, 'a', 'b', 1, 2, 3, 4, 5, 'c', 'd', 6, 7])
    })
  })

  it('takes the first of two arguments for the index, also among numbers', async () => {
    await withList(
      async (list) => {
        await list.add(1, 7)
        expect(await list.readAll()).toEqual([0, 7, 1])
        await list.add(7)
        expect(await list.remove(7)).toBe(true)
        expect(await list.readAll()).toEqual([0, 1, 7])
        expect(await list.removeAt(1)).toBe(1)
        expect(await list.fastRemove(1)).toBe(true)
        expect(await list.readAll()).toEqual([0])
      },
      [0, 1],
    )
  })

  it('inserts beside an element, and returns the size', async () => {
    await withList(
      async (list) => {
        expect(await list.addAfter('b', 'x')).toBe(4)
        expect(await list.addBefore('b', 'y')).toBe(5)
        expect(await list.addAfter('none', 'z')).toBe(-1)
        expect(await list.addBefore('none', 'z')).toBe(-1)
        expect(await list.readAll()).toEqual(['a', 'y', 'b', 'x', 'b'])
      },
      ['a', 'b', 'b'],
    )
  })

  it('has elements by their indexes, from either end', async () => {
    await withList(
      async (list) => {
        expect(await list.get(0)).toBe('a')
        expect(await list.get(-1)).toBe('c')
        expect(await list.get(3)).toBeUndefined()
        expect(await list.get(-4)).toBeUndefined()
        expect(await list.get(Number.MAX_SAFE_INTEGER)).toBeUndefined()
        expect(await list.getAll([2, -4, 0, 0, 9])).toEqual(['c', undefined, 'a', 'a', undefined])
      },
      ['a', 'b', 'c'],
    )
  })

  it('sets elements, and tells what was there', async () => {
    await withList(
      async (list) => {
        expect(await list.set(1, 'x')).toBe('b')
        expect(await list.set(-1, null)).toBe('c')
        expect(await list.set(2, 'y')).toBeNull()
        await list.fastSet(0, 'z')
        await list.fastSet(-2, 'w')
        expect(await list.readAll()).toEqual(['z', 'w', 'y'])
      },
      ['a', 'b', 'c'],
    )
  })

  it.each([false, true])('refuses an index beyond the end (exactlyOnce: %o)', async (exactlyOnce) => {
    await withList(
      async (list, name) => {
        for (const isThere of [true, false]) {
          const wrong = { code: 'INDEX_OUT_OF_BOUNDS', object: name, mayHaveRun: false }
          await expect(list.set(2, 'x')).rejects.toMatchObject({ ...wrong, index: 2 })
          await expect(list.set(-3, 'x')).rejects.toMatchObject({ ...wrong, index: -3 })
          await expect(list.fastSet(2, 'x')).rejects.toMatchObject({ ...wrong, index: 2 })
          await expect(list.add(3, 'x')).rejects.toMatchObject({ ...wrong, index: 3 })
          await expect(list.addAll(3, ['x', 'y'])).rejects.toMatchObject({ ...wrong, index: 3 })
          expect(await list.readAll()).toEqual(isThere ? ['a', 'b'] : [])
          await list.delete()
        }
      },
      ['a', 'b'],
      { exactlyOnce },
    )
  })

  it('removes values, as many as are asked for, from either end', async () => {
    await withList(
      async (list) => {
        expect(await list.remove(1)).toBe(true)
        expect(await list.readAll()).toEqual([2, 1, 3, 1, 1])
        expect(await list.remove(1, -2)).toBe(true)
        expect(await list.readAll()).toEqual([2, 1, 3])
        expect(await list.remove(1, 5)).toBe(true)
        expect(await list.remove(1, 5)).toBe(false)
        expect(await list.readAll()).toEqual([2, 3])
      },
      [1, 2, 1, 3, 1, 1],
    )
  })

  it('removes indexes, and tells what was there', async () => {
    await withList(
      async (list) => {
        expect(await list.removeAt(2)).toBe('c')
        expect(await list.removeAt(0)).toBe('a')
        expect(await list.removeAt(-1)).toBe('e')
        expect(await list.removeAt(2)).toBeUndefined()
        expect(await list.removeAt(-3)).toBeUndefined()
        expect(await list.removeAt(-2)).toBe('b')
        expect(await list.fastRemove(1)).toBe(false)
        expect(await list.fastRemove(0)).toBe(true)
        expect(await list.isExists()).toBe(false)
      },
      ['a', 'b', 'c', 'd', 'e'],
    )
  })

  it('removes the index that is meant where the tombstone of Java is an element', async () => {
    await withList(
      async (list, name) => {
        expect(await list.removeAt(3)).toBe('b')
        expect(await list.fastRemove(1)).toBe(true)
        await list.add(1, 'c')
        expect(await list.readAll()).toEqual([TOMBSTONE, 'c', TOMBSTONE])
        expect(await askOwner(topology, name, 'LRANGE', 0, -1)).toEqual([TOMBSTONE, 'c', TOMBSTONE])
      },
      [TOMBSTONE, 'a', TOMBSTONE, 'b'],
      { codec: stringCodec() },
    )
  })

  it('tells whether values were removed, however often they were there', async () => {
    await withList(
      async (list) => {
        expect(await list.removeAll(['none', 'b'])).toBe(true)
        expect(await list.removeAll(['b', 'none'])).toBe(false)
        expect(await list.readAll()).toEqual(['a', 'c', 'a'])
        expect(await list.retainAll(['a', 'c', 'x'])).toBe(false)
        expect(await list.retainAll(new Set(['a', 'x']))).toBe(true)
        expect(await list.readAll()).toEqual(['a', 'a'])
        expect(await list.retainAll(['x'])).toBe(true)
        expect(await list.isExists()).toBe(false)
      },
      ['a', 'b', 'c', 'b', 'b', 'a'],
    )
    await withList(async (list) => expect(await list.retainAll([])).toBe(true), ['a'])
  })

  it('compares values by their bytes', async () => {
    await withList(
      async (list) => {
        expect(await list.contains({ y: 2, x: 1 })).toBe(false)
        expect(await list.contains({ x: 1, y: 2 })).toBe(true)
        expect(await list.indexOf(1)).toBe(1)
        expect(await list.indexOf('1')).toBe(3)
        expect(await list.lastIndexOf(1)).toBe(4)
        expect(await list.lastIndexOf({ y: 2, x: 1 })).toBe(-1)
        expect(await list.containsAll([1, '1', 1])).toBe(true)
        expect(await list.containsAll([1, 2])).toBe(false)
      },
      [{ x: 1, y: 2 }, 1, null, '1', 1],
    )
  })

  it('reads and keeps parts, both ends included', async () => {
    await withList(async (list) => {
      expect(await list.range(1)).toEqual([0, 1])
      expect(await list.range(-3)).toEqual([0, 1, 2, 3])
      expect(await list.range(4, 9)).toEqual([4, 5])
      expect(await list.range(-2, -1)).toEqual([4, 5])
      expect(await list.range(3, 2)).toEqual([])
      await list.trim(1, -2)
      expect(await list.readAll()).toEqual([1, 2, 3, 4])
      await list.trim(9, 10)
      expect(await list.isExists()).toBe(false)
    }, numbers(6))
  })

  it('is sorted by Redis, by numbers or as texts', async () => {
    const tag = `{list-sort-${topology.kind}}`
    const list = clients.mine.getList<number>(`${tag}:numbers`)
    await list.addAll([30, 4, 200, 4])
    expect(await list.readSort()).toEqual([4, 4, 30, 200])
    expect(await list.readSort({ order: 'DESC', offset: 1, count: 2 })).toEqual([30, 4])
    expect(await list.readSortAlpha()).toEqual([200, 30, 4, 4])
    expect(await list.readAll()).toEqual([30, 4, 200, 4])
    const sorted = clients.other.getList<number>(`${tag}:sorted`)
    expect(await list.sortTo(sorted.name, { count: 3 })).toBe(3)
    expect(await sorted.readAll()).toEqual([4, 4, 30])
    await expect(list.sortTo(list.name)).rejects.toThrow(RangeError)
    await clients.mine.getKeys().delete(list.name, sorted.name)
    expect([await list.readSort(), await list.readSortAlpha(), await list.sortTo(sorted.name)]).toEqual([
      [],
      [],
      0,
    ])
    await list.addAll(['b', 'a'] as never)
    expect(await list.readSortAlpha()).toEqual(['a', 'b'])
    await expect(list.readSort()).rejects.toMatchObject({ code: 'COMMAND' })
    await list.delete()
  })

  it('is walked through by several together, in its order, and is then over for all', async () => {
    const name = `list-walked-${topology.kind}`
    const cursor = `__redisson_list_cursor_{${name}}`
    const iteratorName = `{${name}}:walk`
    const list = clients.mine.getList<number>(name)
    const other = clients.other.getList<number>(name)
    const all = numbers(1_000)
    await list.addAll(all)
    const walks = await Promise.all(
      [list, other, list].map((one) => allOf(one.distributedIterator({ count: 30 }))),
    )
    for (const walk of walks) expect(walk).toEqual(walk.toSorted((a, b) => a - b))
    expect(walks.flat().toSorted((a, b) => a - b)).toEqual(all)
    expect(await askOwner(topology, cursor, 'GET')).toBe('-1')
    expect(await askOwner(topology, cursor, 'TTL')).toBeGreaterThan(3_500)
    expect(await allOf(other.distributedIterator())).toEqual([])
    for await (const element of list.distributedIterator({ iteratorName, count: 500 })) {
      expect(element).toBe(0)
      break // the rest of its page is lost
    }
    expect(await askOwner(topology, iteratorName, 'GET')).toBe('500')
    expect(await allOf(other.distributedIterator({ iteratorName }))).toEqual(all.slice(500))
    expect(() => list.distributedIterator({ count: 0 })).toThrow(RangeError)
    expect(() => list.distributedIterator({ pattern: '*' } as never)).toThrow(TypeError)
    for (const key of [name, cursor, iteratorName]) await clients.mine.getKeys().delete(key)
  })

  it('keeps its time to live, whatever is inserted and removed, as long as something stays', async () => {
    await withList(async (list) => {
      await list.expire(LONG_MS)
      await list.add(1, 'x')
      await list.addAll(1, ['y', 'z'])
      await list.addAll(await list.size(), ['end'])
      await list.removeAt(1)
      await list.removeAll(['y', 'end'])
      await list.retainAll(numbers(1))
      expect(await list.readAll()).toEqual([0])
      expect(await list.remainTimeToLive()).toBeGreaterThan(0)
    }, numbers(20))
  })

  it.each(['a{tag}b', '{whole}', 'список', '中😀', 'with space\nand line', 'x'.repeat(5_000)])(
    'may have the name %o',
    async (name) => {
      await withList(
        async (list) => {
          expect(await askOwner(topology, name, 'LRANGE', 0, -1)).toEqual(['"v"', '"w"'])
          expect(await list.readAll()).toEqual(['v', 'w'])
        },
        ['v', 'w'],
        undefined,
        name,
      )
    },
  )

  it('has values of all codecs', async () => {
    const bytes = Buffer.of(0xff, 0x00, 0x80)
    await withList(
      async (list) => {
        expect(await list.indexOf(bytes)).toBe(1)
        expect(await list.removeAt(1)).toEqual(bytes)
        expect(await list.removeAll([Buffer.of(1)])).toBe(true)
      },
      [Buffer.of(1), bytes],
      { codec: bytesCodec() as never },
    )
    await withList(async (list) => expect(await list.readAll()).toEqual([new Date(5)]), [new Date(5)], {
      codec: msgpackCodec() as never,
    })
  })

  it('holds many elements, in their order', async () => {
    await withList(async (list) => {
      const all = numbers(MANY)
      expect(await list.addAll(all)).toBe(true)
      expect(await list.size()).toBe(MANY)
      expect(await list.readAll()).toEqual(all)
      expect(await allOf(list)).toEqual(all)
      expect(await allOf(list.values({ count: 5_000 }))).toEqual(all)
      expect(await allOf(list.values({ count: 700 }))).toEqual(all)
      expect(await list.getAll(all)).toEqual(all)
      expect(await list.containsAll(all)).toBe(true)
      expect(await list.containsAll([...all, MANY])).toBe(false)
      expect(await list.indexOf(MANY - 1)).toBe(MANY - 1)
      expect(await list.retainAll(all)).toBe(false)
      expect(await list.retainAll([...all.slice(1), ...numbers(10, MANY)])).toBe(true)
      expect(await list.readAll()).toEqual(all.slice(1))
      expect(await list.removeAll(all.slice(2))).toBe(true)
      expect(await list.readAll()).toEqual([1])
    })
  })

  it('inserts many values in between, in their order', async () => {
    for (const index of [0, 3, 7, 10])
      await withList(async (list) => {
        await list.expire(LONG_MS)
        const many = numbers(MANY, 100)
        await list.addAll(index, many)
        const expected = numbers(10)
        expected.splice(index, 0, ...many)
        expect(await list.readAll()).toEqual(expected)
        await list.addAll(index + 6_000, ['x', 'y'])
        expected.splice(index + 6_000, 0, 'x' as never, 'y' as never)
        expect(await list.readAll()).toEqual(expected)
        expect(await list.remainTimeToLive()).toBeGreaterThan(0)
      }, numbers(10))
  })

  it('removes many different values by turning the list, which keeps its time to live', async () => {
    await withList(async (list) => {
      const all = numbers(MANY)
      await list.addAll(all)
      await list.addAll(all)
      await list.expire(LONG_MS)
      expect(await list.removeAll(all.filter((n) => n % 3 === 0))).toBe(true)
      const left = all.filter((n) => n % 3 !== 0)
      expect(await list.readAll()).toEqual([...left, ...left])
      const kept = left.filter((n) => n % 3 === 1 && n % 2 === 0)
      expect(await list.retainAll(kept)).toBe(true)
      expect(await list.readAll()).toEqual([...kept, ...kept])
      expect(await list.remainTimeToLive()).toBeGreaterThan(0)
      expect(await list.removeAll(kept)).toBe(true)
      expect(await list.isExists()).toBe(false)
    })
  })

  it('begins a new walk for each loop, which may be ended at any time', async () => {
    await withList(async (list) => {
      const elements = list.values({ count: 10 })
      const seen: unknown[] = []
      for await (const element of elements) if (seen.push(element) === 15) break
      expect(seen).toEqual(numbers(15))
      expect(await allOf(elements)).toEqual(numbers(30))

      const abort = new AbortController()
      const walk = list.values({ count: 10, signal: abort.signal })[Symbol.asyncIterator]()
      expect((await walk.next()).done).toBe(false)
      abort.abort(new Error('enough'))
      await expect(walk.next()).rejects.toThrow('enough')
      expect((await walk.next()).done).toBe(true)
    }, numbers(30))
  })

  it('comes to what is added at the end meanwhile, and goes by indexes', async () => {
    await withList(async (list, name) => {
      const seen: unknown[] = []
      for await (const element of list.values({ count: 3 })) {
        if (seen.push(element) === 2) await clients.other.getList(name).add('late')
        if (seen.length === 3) await clients.other.getList(name).removeAt(0)
      }
      expect(seen).toEqual([0, 1, 2, 4, 5, 'late']) // 3 has moved to a page that was read
    }, numbers(6))
  })

  it('ends a walk at what the codec cannot read, or leaves it out', async () => {
    await withList(async (list, name) => {
      await clients.mine.getList<string>(name, { codec: stringCodec() }).addAll(['1', '{not json', '2'])
      const wrong = { code: 'CODEC', object: name, codec: 'json' }
      await expect(allOf(list)).rejects.toMatchObject(wrong)
      await expect(list.get(1)).rejects.toMatchObject(wrong)
      await expect(list.readAll()).rejects.toMatchObject(wrong)
      expect(await allOf(list.values({ onInvalid: 'skip' }))).toEqual([1, 2])
    })
  })

  it('refuses another kind of object, and leaves it as it is', async () => {
    await withList(async (list, name) => {
      await askOwner(topology, name, 'HSET', 'field', 'value')
      for (const call of [
        () => list.add('a'),
        () => list.add(0, 'a'),
        () => list.addAll(['a']),
        () => list.addAll(0, ['a', 'b']),
        () => list.addAfter('a', 'b'),
        () => list.addBefore('a', 'b'),
        () => list.get(0),
        () => list.getAll([0]),
        () => list.set(0, 'a'),
        () => list.fastSet(0, 'a'),
        () => list.remove('a'),
        () => list.removeAt(0),
        () => list.fastRemove(1),
        () => list.removeAll(['a']),
        () => list.retainAll(['a']),
        () => list.retainAll([]),
        () => list.contains('a'),
        () => list.containsAll(['a']),
        () => list.indexOf('a'),
        () => list.size(),
        () => list.clear(),
        () => list.readAll(),
        () => list.range(1),
        () => list.trim(0, 1),
        () => allOf(list),
      ])
        await expect(call()).rejects.toMatchObject({ code: 'WRONG_TYPE', object: name })
      expect(await askOwner(topology, name, 'HGETALL')).toEqual(['field', 'value'])
    })
  })

  it('is read and changed in batches, but not in turns', async () => {
    await withList(async (list, name) => {
      const results = await clients.mine.batch((batch) => {
        const batched = batch.getList<number>(name)
        return [batched.addAll([1, 2]), batched.add(0, 0), batched.removeAt(-1), batched.readAll()]
      })
      expect(results).toEqual([true, undefined, 2, [0, 1]])
      for (const turns of [
        (batched: RList<unknown>) => batched.addAll(numbers(5_001)),
        (batched: RList<unknown>) => batched.removeAll(numbers(5_001)),
        (batched: RList<unknown>) => batched.retainAll(numbers(5_001)),
      ])
        await expect(clients.mine.batch((batch) => [turns(batch.getList(name))])).rejects.toMatchObject({
          code: 'NOT_IN_BATCH',
        })
      expect(await list.readAll()).toEqual([0, 1])
    })
  })
})

describe('a list of bad arguments', () => {
  const [single] = slottedTopologies
  if (single === undefined) throw new Error('Expected a topology')
  const clients = twoClients(single)
  const bad = () => clients.mine.getList('bad')

  it('refuses undefined as a value, and sends nothing', async () => {
    const list = bad()
    for (const call of [
      () => list.add(undefined),
      () => list.add(0, undefined),
      () => list.addAll(['a', undefined]),
      () => list.addAll(0, [undefined]),
      () => list.addAfter(undefined, 'a'),
      () => list.addAfter('a', undefined),
      () => list.addBefore('a', undefined),
      () => list.set(0, undefined),
      () => list.fastSet(0, undefined),
      () => list.remove(undefined),
      () => list.removeAll([undefined]),
      () => list.retainAll([undefined]),
      () => list.contains(undefined),
      () => list.containsAll([undefined]),
      () => list.indexOf(undefined),
      () => list.lastIndexOf(undefined),
    ])
      await expect(call()).rejects.toThrow(TypeError)
    expect(await list.isExists()).toBe(false)
  })

  it('refuses what cannot be written, of all values before any is sent', async () => {
    const list = bad()
    for (const value of [NaN, () => 1, new Map()]) {
      await expect(list.add(value)).rejects.toMatchObject({ code: 'CODEC', object: 'bad' })
      await expect(list.addAll([...numbers(6_000), value])).rejects.toMatchObject({ code: 'CODEC' })
    }
    expect(await list.isExists()).toBe(false)
  })

  it('refuses what is no list of values, and no index', async () => {
    const list = bad()
    for (const values of ['abc', 5, null, undefined, {}])
      for (const call of [
        () => list.addAll(values as never),
        () => list.addAll(0, values as never),
        () => list.removeAll(values as never),
        () => list.retainAll(values as never),
        () => list.containsAll(values as never),
        () => list.getAll(values as never),
      ])
        await expect(call()).rejects.toThrow(TypeError)
    for (const index of [0.5, NaN, Infinity, '1', null, undefined, {}])
      for (const call of [
        () => list.add(index as never, 'a'),
        () => list.addAll(index as never, ['a']),
        () => list.get(index as never),
        () => list.getAll([0, index as never]),
        () => list.set(index as never, 'a'),
        () => list.fastSet(index as never, 'a'),
        () => list.removeAt(index as never),
        () => list.fastRemove(index as never),
        () => list.range(index as never),
        () => list.range(0, index as never),
        () => list.trim(0, index as never),
      ])
        await expect(call()).rejects.toThrow(RangeError)
    for (const index of [-1, -0.5]) {
      await expect(list.add(index, 'a')).rejects.toThrow('`index` to be a whole number, 0 or more')
      await expect(list.addAll(index, ['a'])).rejects.toThrow(RangeError)
    }
    for (const count of [0, 0.5, '1', null])
      await expect(list.remove('a', count as never)).rejects.toThrow(RangeError)
    expect(await list.isExists()).toBe(false)
  })

  it('refuses options that are unknown or wrong, and arguments too many', async () => {
    const { mine } = clients
    for (const options of [{ ttl: 5 }, { exactlyOnce: 'yes' }, { codec: stringCodec }, { codec: {} }, 5])
      expect(() => mine.getList('bad', options as never)).toThrow(TypeError)
    for (const options of [{ pattern: '*' }, { onInvalid: 'stop' }, { signal: {} }, 5])
      expect(() => bad().values(options as never)).toThrow(TypeError)
    for (const count of [0, 5_001, 1.5]) expect(() => bad().values({ count })).toThrow(RangeError)
    for (const name of ['', 5, undefined, 'half \ud800'])
      expect(() => mine.getList(name as string)).toThrow(TypeError)
    const list = bad() as unknown as Record<'add' | 'addAll', (...args: unknown[]) => Promise<unknown>>
    await expect(list.add(0, 'b', 'c')).rejects.toThrow('addAll()')
    await expect(list.addAll(0, ['b'], ['c'])).rejects.toThrow(TypeError)
    expect(await bad().isExists()).toBe(false)
  })
})
