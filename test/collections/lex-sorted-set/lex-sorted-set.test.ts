import { describe, expect, it } from 'vitest'
import {
  bytesCodec,
  jsonCodec,
  Redisson,
  stringCodec,
  type LexRange,
  type RLexSortedSet,
} from '../../../src/index.js'
import { allOf } from '../../support/all-of.js'
import { askOwner } from '../../support/ask-owner.js'
import { twoClients } from '../../support/clients.js'
import { noLeaks } from '../../support/no-leaks.js'
import { slottedTopologies } from '../../support/topologies.js'

/** More than one request may be about. */
const MANY = 12_000

/** In the order of their bytes, which is not that of `sort()`: that has the fourth before the third. */
const ORDERED = ['', 'é', '\uffff', '😀']

describe.each(slottedTopologies)('a lex sorted set ($kind)', (topology) => {
  noLeaks(topology)
  const clients = twoClients(topology)
  let names = 0

  /** A set that is removed after the test. */
  const withSet = async (
    use: (set: RLexSortedSet, name: string) => Promise<void>,
    name = `lex-${topology.kind}-${String(names++)}`,
  ) => {
    const set = clients.mine.getLexSortedSet(name)
    try {
      await use(set, name)
    } finally {
      await set.delete()
    }
  }

  const many = Array.from({ length: MANY }, (_, n) => `v${String(n).padStart(5, '0')}`)

  it('is shared by all clients, and is not there at first', async () => {
    await withSet(async (set, name) => {
      expect(await set.isExists()).toBe(false)
      expect(await set.add('é中😀')).toBe(true)
      expect(await set.add('é中😀')).toBe(false)
      expect(await clients.other.getLexSortedSet(name).contains('é中😀')).toBe(true)
    })
  })

  it.each(['{braces}:set', 'a{b}c', 'имя'])('may be called %s', async (name) => {
    await withSet(async (set) => {
      await set.add('a')
      expect(await set.readAll()).toEqual(['a'])
    }, name)
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
      expect(await set.removeRange({ from: '', to: 'z' })).toBe(0)
      expect(await set.removeRangeTail({ from: '' })).toBe(0)
      expect(await set.removeRangeHead({ to: 'z' })).toBe(0)
      expect(await set.pollFirst()).toBeUndefined()
      expect(await set.pollFirst(3)).toEqual([])
      expect(await set.pollLast()).toBeUndefined()
      expect(await set.pollLast(0)).toEqual([])
      expect(await set.pollLast({ waitMs: 300 })).toBeUndefined()
      expect(await set.first()).toBeUndefined()
      expect(await set.last()).toBeUndefined()
      expect(await set.rank('a')).toBeUndefined()
      expect(await set.revRank('a')).toBeUndefined()
      expect(await set.random()).toBeUndefined()
      expect(await set.random(3)).toEqual([])
      expect(await set.range(0, -1)).toEqual([])
      expect(await set.range({ from: '', to: 'z' })).toEqual([])
      expect(await set.rangeTail({ from: '' })).toEqual([])
      expect(await set.rangeHead({ to: 'z' })).toEqual([])
      expect(await set.rangeReversed({ from: '', to: 'z' })).toEqual([])
      expect(await set.rangeTailReversed({ from: '' })).toEqual([])
      expect(await set.rangeHeadReversed({ to: 'z' })).toEqual([])
      expect(await set.count({ from: '', to: 'z' })).toBe(0)
      expect(await set.countTail({ from: '' })).toBe(0)
      expect(await set.countHead({ to: 'z' })).toBe(0)
      expect(await set.size()).toBe(0)
      expect(await set.isEmpty()).toBe(true)
      expect(await set.readAll()).toEqual([])
      expect(await allOf(set)).toEqual([])
      await set.clear()
      expect(await set.isExists()).toBe(false)
    })
  })

  it('has the order of the bytes in UTF-8, from either end', async () => {
    await withSet(async (set) => {
      expect(await set.addAll(ORDERED.toReversed())).toBe(true)
      expect(await set.addAll(ORDERED)).toBe(false)
      expect(ORDERED.toSorted()).not.toEqual(ORDERED)
      expect(await set.readAll()).toEqual(ORDERED)
      expect(await set.range(0, -1)).toEqual(ORDERED)
      expect(await allOf(set)).toEqual(ORDERED)
      expect(await set.rangeTail({ from: '' })).toEqual(ORDERED)
      expect(await set.rangeTailReversed({ from: '' })).toEqual(ORDERED.toReversed())
      expect(await set.rangeTail({ from: '', fromInclusive: false })).toEqual(ORDERED.slice(1))
      expect(await set.rangeHead({ to: '😀', toInclusive: false })).toEqual(ORDERED.slice(0, 3))
      expect([await set.first(), await set.last()]).toEqual(['', '😀'])
      expect([await set.rank('é'), await set.revRank('é'), await set.rank('no')]).toEqual([1, 2, undefined])
    })
  })

  it('returns ranges, with their bounds and without', async () => {
    await withSet(async (set) => {
      await set.addAll(['a', 'b', 'c', 'd', 'e'])
      expect(await set.range(1, 2)).toEqual(['b', 'c'])
      expect(await set.range(-2, -1)).toEqual(['d', 'e'])
      expect(await set.range({ from: 'b', to: 'd' })).toEqual(['b', 'c', 'd'])
      expect(await set.range({ from: 'b', fromInclusive: false, to: 'd', toInclusive: false })).toEqual(['c'])
      expect(await set.range({ from: 'bb', to: 'cc' })).toEqual(['c'])
      expect(await set.range({ from: 'd', to: 'b' })).toEqual([])
      expect(await set.range({ from: 'a', to: 'e', offset: 1, count: 2 })).toEqual(['b', 'c'])
      expect(await set.range({ from: 'a', to: 'e', offset: 3 })).toEqual(['d', 'e'])
      expect(await set.range({ from: 'a', to: 'e', count: 0 })).toEqual([])
      expect(await set.rangeTail({ from: 'd' })).toEqual(['d', 'e'])
      expect(await set.rangeTail({ from: 'b', fromInclusive: false, count: 1 })).toEqual(['c'])
      expect(await set.rangeHead({ to: 'b' })).toEqual(['a', 'b'])
      expect(await set.rangeHead({ to: 'd', toInclusive: false, offset: 1 })).toEqual(['b', 'c'])
      expect(await set.rangeReversed({ from: 'b', to: 'd', toInclusive: false })).toEqual(['c', 'b'])
      expect(await set.rangeReversed({ from: 'a', to: 'e', offset: 1, count: 2 })).toEqual(['d', 'c'])
      expect(await set.rangeTailReversed({ from: 'd' })).toEqual(['e', 'd'])
      expect(await set.rangeHeadReversed({ to: 'b', offset: 1 })).toEqual(['a'])
      expect(await set.count({ from: 'b', to: 'd', toInclusive: false })).toBe(2)
      expect(await set.countTail({ from: 'b', fromInclusive: false })).toBe(3)
      expect(await set.countHead({ to: 'b' })).toBe(2)
    })
  })

  it('takes bounds for what they are, whatever they look like to Redis', async () => {
    await withSet(async (set) => {
      const odd = ['(a', '+', '-', '[a']
      await set.addAll(odd)
      expect(await set.range({ from: '(a', to: '[a' })).toEqual(odd)
      expect(await set.range({ from: '-', to: '-' })).toEqual(['-'])
      expect(await set.rangeHead({ to: '+' })).toEqual(['(a', '+'])
      expect(await set.countTail({ from: '[a' })).toBe(1)
    })
  })

  it('removes values and ranges', async () => {
    await withSet(async (set) => {
      await set.addAll(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'])
      expect(await set.remove('a')).toBe(true)
      expect(await set.removeAll(['a', 'none'])).toBe(false)
      expect(await set.removeAll(['b', 'none'])).toBe(true)
      expect(await set.removeRangeHead({ to: 'c' })).toBe(1)
      expect(await set.removeRangeTail({ from: 'g', fromInclusive: false })).toBe(1)
      expect(await set.removeRange({ from: 'd', fromInclusive: false, to: 'e' })).toBe(1)
      expect(await set.readAll()).toEqual(['d', 'f', 'g'])
      expect(await set.retainAll(['d', 'f', 'g', 'none'])).toBe(false)
      expect(await set.retainAll(new Set(['g']))).toBe(true)
      expect(await set.readAll()).toEqual(['g'])
      expect(await set.retainAll([])).toBe(true)
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
      await clients.other.getLexSortedSet(name).add('later')
      expect(await taken).toBe('later')
      expect(await set.pollLast(2, { waitMs: 300 })).toEqual([])
      expect(await set.isExists()).toBe(false)
    })
  })

  it('picks any values', async () => {
    await withSet(async (set) => {
      await set.addAll(['a', 'b', 'c'])
      expect(['a', 'b', 'c']).toContain(await set.random())
      expect((await set.random(5)).toSorted()).toEqual(['a', 'b', 'c'])
      expect(await set.random(0)).toEqual([])
    })
  })

  it(`has ${String(MANY)} values`, async () => {
    await withSet(async (set) => {
      expect(await set.addAll(many.toReversed())).toBe(true)
      expect(await set.size()).toBe(MANY)
      expect(await set.readAll()).toEqual(many)
      expect(await set.rangeTail({ from: '' })).toEqual(many)
      expect(await allOf(set.values({ count: 5_000 }))).toEqual(many)
      expect(await set.containsAll(many)).toBe(true)
      expect(await set.retainAll(many.slice(1))).toBe(true)
      expect(await set.retainAll(['v00001', 'v00002'])).toBe(true)
      await set.addAll(many)
      expect(await set.removeRangeTail({ from: '' })).toBe(MANY)
      expect(await set.isExists()).toBe(false)
    })
  })

  it('iterates over its values in order, page by page and as often as one likes', async () => {
    await withSet(async (set) => {
      const some = many.slice(0, 2_500)
      await set.addAll(some)
      const walk = set.values({ count: 999 })
      expect(await allOf(walk)).toEqual(some)
      expect(await allOf(walk)).toEqual(some)
      expect(await allOf(set.values({ from: 'v00010', to: 'v00014', toInclusive: false, count: 2 }))).toEqual(
        some.slice(10, 14),
      )
      expect(await allOf(set.values({ from: 'v02498', fromInclusive: false }))).toEqual(['v02499'])
      const seen: string[] = []
      for await (const value of set) if (seen.push(value) === 3) break
      expect(seen).toEqual(some.slice(0, 3))
      const abort = new AbortController()
      const aborted = async () => {
        for await (const _ of set.values({ count: 1, signal: abort.signal })) abort.abort(new Error('enough'))
      }
      await expect(aborted()).rejects.toThrow('enough')
    })
  })

  it('is walked through by several together, and is then over for all', async () => {
    const name = `lex-walked-${topology.kind}`
    const cursor = `__redisson_scored_sorted_set_cursor_{${name}}`
    const set = clients.mine.getLexSortedSet(name)
    const other = clients.other.getLexSortedSet(name)
    const some = many.slice(0, 2_500)
    await set.addAll(some)
    const walks = await Promise.all([set, other].map((one) => allOf(one.distributedIterator({ count: 50 }))))
    expect(walks.flat().toSorted()).toEqual(some)
    expect(await allOf(other.distributedIterator())).toEqual([])
    expect(await askOwner(topology, cursor, 'GET')).toBe('-1')
    const iteratorName = `{${name}}:walk`
    expect(new Set(await allOf(set.distributedIterator({ iteratorName, pattern: '*7' }))).size).toBe(250)
    expect(() => set.distributedIterator({ from: 'a' } as never)).toThrow(TypeError)
    for (const key of [name, cursor, iteratorName]) await clients.mine.getKeys().delete(key)
  })

  it('comes once to what stays while others come and go', async () => {
    await withSet(async (set) => {
      const staying = many.slice(0, 100)
      await set.addAll(staying)
      const seen: string[] = []
      for await (const value of set.values({ count: 7 })) {
        seen.push(value)
        await set.remove(`${value}-gone`)
        await set.addAll([`${value}-gone`, `u-${value}`]) // one is ahead, and one was passed
      }
      expect(seen.filter((value) => staying.includes(value))).toEqual(staying)
      expect(new Set(seen).size).toBe(seen.length)
      expect(seen.filter((value) => value.startsWith('u-'))).toEqual([])
    })
  })

  it('comes to an end where another program gave other scores', async () => {
    await withSet(async (set, name) => {
      await askOwner(topology, name, 'ZADD', '0', 'b', '0', 'd', '1', 'a', '1', 'c', '2', 'z')
      expect((await allOf(set.values({ count: 1 }))).length).toBeLessThanOrEqual(5)
      expect((await allOf(set.values({ count: 2 }))).length).toBeLessThanOrEqual(5)
      expect(await set.add('a')).toBe(false)
      expect(await askOwner(topology, name, 'ZSCORE', 'a')).toBe('0')
    })
  })

  it('leaves out what is no text, if that is wanted', async () => {
    await withSet(async (set, name) => {
      await set.add('a')
      await clients.mine.getScoredSortedSet(name, { codec: bytesCodec() }).add(0, new Uint8Array([255]))
      await expect(allOf(set)).rejects.toMatchObject({ code: 'CODEC', object: name })
      await expect(set.rangeTail({ from: '' })).rejects.toMatchObject({ code: 'CODEC', object: name })
      expect(await allOf(set.values({ onInvalid: 'skip' }))).toEqual(['a'])
    })
  })

  it('has its own codec, whatever that of the client is', async () => {
    const client = await Redisson.create({ ...topology.options(), codec: jsonCodec() })
    await withSet(async (set, name) => {
      await client.getLexSortedSet(name).add('a')
      expect(await set.readAll()).toEqual(['a'])
      expect(set.codec).toBe(stringCodec())
    })
    await client.shutdown()
  })

  it('is part of a batch', async () => {
    await withSet(async (set, name) => {
      const results = await clients.mine.batch((batch) => {
        const some = batch.getLexSortedSet(name)
        return [
          some.addAll(['a', 'b', 'c']),
          some.rangeTail({ from: 'b' }),
          some.removeRangeHead({ to: 'a' }),
          some.readAll(),
          some.pollLast(),
          some.countTail({ from: '' }),
        ]
      })
      expect(results).toEqual([true, ['b', 'c'], 1, ['b', 'c'], 'c', 1])
      expect(await set.readAll()).toEqual(['b'])
    })
  })

  it('is refused where the name belongs to another kind of object, and leaves that as it is', async () => {
    const name = `lex-${topology.kind}-wrong`
    const bucket = clients.mine.getBucket(name)
    await bucket.set('mine')
    const set = clients.mine.getLexSortedSet(name)
    const calls: readonly (() => Promise<unknown>)[] = [
      () => set.add('a'),
      () => set.addAll(['a']),
      () => set.contains('a'),
      () => set.remove('a'),
      () => set.removeRange({ from: 'a', to: 'b' }),
      () => set.retainAll(['a']),
      () => set.pollFirst(),
      () => set.first(),
      () => set.range({ from: 'a', to: 'b' }),
      () => set.rangeTailReversed({ from: 'a' }),
      () => set.countHead({ to: 'a' }),
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

describe('bad input to a lex sorted set', () => {
  const [single] = slottedTopologies
  if (single === undefined) throw new Error('Expected a topology')
  const clients = twoClients(single)
  const bad = () => clients.mine.getLexSortedSet('bad-lex')

  it('is refused where it is no value, or no list of them', async () => {
    const set = bad()
    for (const value of [5, null, {}, true, Buffer.from('a'), '\ud83d'] as unknown as string[])
      for (const call of [
        () => set.add(value),
        () => set.addAll(['a', value]),
        () => set.contains(value),
        () => set.containsAll([value]),
        () => set.remove(value),
        () => set.removeAll(['a', value]),
        () => set.retainAll([value]),
        () => set.rank(value),
        () => set.revRank(value),
      ])
        await expect(call()).rejects.toMatchObject({ code: 'CODEC', object: 'bad-lex' })
    const none = undefined as unknown as string
    for (const call of [
      () => set.add(none),
      () => set.addAll([none]),
      () => set.remove(none),
      () => set.addAll('abc'),
      () => set.removeAll('abc'),
      () => set.retainAll(5 as never),
    ])
      await expect(call()).rejects.toThrow(TypeError)
    expect(await set.isExists()).toBe(false)
  })

  it('is refused where a bound is missing or none', async () => {
    const set = bad()
    await set.add('a')
    for (const value of [undefined, null, 5, {}, '\ud83d', ['a']] as unknown as string[])
      for (const call of [
        () => set.range({ from: value, to: 'z' }),
        () => set.range({ from: 'a', to: value }),
        () => set.rangeTail({ from: value }),
        () => set.rangeHeadReversed({ to: value }),
        () => set.count({ from: value, to: 'z' }),
        () => set.countTail({ from: value }),
        () => set.removeRange({ from: 'a', to: value }),
        () => set.removeRangeTail({ from: value }),
        () => set.removeRangeHead({ to: value }),
      ])
        await expect(call()).rejects.toThrow(TypeError)
    expect(() => set.values({ from: 5 as never })).toThrow(TypeError)
    expect(await set.readAll()).toEqual(['a'])
    await set.delete()
  })

  it('is refused where it is no range, no count and no option', async () => {
    const set = bad()
    const range: LexRange = { from: 'a', to: 'b' }
    for (const call of [
      () => set.range(0.5, 1),
      () => set.range(0, undefined as never),
      () => set.range({ ...range, offset: -1 }),
      () => set.range({ ...range, count: -1 }),
      () => set.pollFirst(-1),
      () => set.pollLast(5_001),
      () => set.random(-1),
    ])
      await expect(call()).rejects.toThrow(RangeError)
    for (const call of [
      () => set.range({ ...range, min: 1 } as never),
      () => set.range({ ...range, fromInclusive: 1 } as never),
      () => set.range('a' as never, 'b' as never),
      () => set.rangeTail({ from: 'a', to: 'b' } as never),
      () => set.removeRangeHead({ from: 'a', to: 'b' } as never),
      () => set.count({ ...range, offset: 1 } as never),
      () => set.removeRange('a' as never),
      () => set.pollFirst({ timeoutMs: 1 } as never),
    ])
      await expect(call()).rejects.toThrow(/Expected/)
    expect(() => set.values({ count: 0 })).toThrow(RangeError)
    expect(() => set.values({ pattern: '*' } as never)).toThrow(TypeError)
    expect(() => clients.mine.getLexSortedSet('x', { codec: jsonCodec() } as never)).toThrow(TypeError)
    expect(() => clients.mine.getLexSortedSet('')).toThrow(TypeError)
    expect(await set.isExists()).toBe(false)
  })
})
