import { describe, expect, it } from 'vitest'
import { longCodec, stringCodec, type RScoredSortedSet, type ValueOptions } from '../../../src/index.js'
import { allOf } from '../../support/all-of.js'
import { askOwner } from '../../support/ask-owner.js'
import { twoClients } from '../../support/clients.js'
import { noLeaks } from '../../support/no-leaks.js'
import { slottedTopologies } from '../../support/topologies.js'

/** More than one request may be about. */
const MANY = 12_000

describe.each(slottedTopologies)('a scored sorted set ($kind)', (topology) => {
  noLeaks(topology)
  const clients = twoClients(topology)
  let names = 0

  /** A set that is removed after the test. */
  const withSet = async (
    use: (set: RScoredSortedSet<string>, name: string) => Promise<void>,
    options?: ValueOptions<string>,
    name = `scored-${topology.kind}-${String(names++)}`,
  ) => {
    const set = clients.mine.getScoredSortedSet<string>(name, options)
    try {
      await use(set, name)
    } finally {
      await set.delete()
    }
  }

  const many = Array.from({ length: MANY }, (_, n) => [`v${String(n)}`, n] as const)

  it('is shared by all clients, and is not there at first', async () => {
    await withSet(async (set, name) => {
      expect(await set.isExists()).toBe(false)
      expect(await set.add(1.5, 'é中😀')).toBe(true)
      expect(await clients.other.getScoredSortedSet(name).getScore('é中😀')).toBe(1.5)
      expect(await set.add(2, 'é中😀')).toBe(false)
      expect(await set.getScore('é中😀')).toBe(2)
    })
  })

  it.each(['{braces}:set', 'a{b}c', 'имя'])('may be called %s', async (name) => {
    await withSet(
      async (set) => {
        await set.add(1, 'a')
        expect(await set.readAllEntries()).toEqual([['a', 1]])
      },
      {},
      name,
    )
  })

  it('has nothing where it is not there', async () => {
    await withSet(async (set, name) => {
      expect(await set.getScore('a')).toBeUndefined()
      expect(await set.getScores(['a', 'b'])).toEqual([undefined, undefined])
      expect(await set.getScores([])).toEqual([])
      expect(await set.rank('a')).toBeUndefined()
      expect(await set.revRank('a')).toBeUndefined()
      expect(await set.revRanks(['a'])).toEqual([undefined])
      expect(await set.revRanks([])).toEqual([])
      expect(await set.rankEntry('a')).toBeUndefined()
      expect(await set.revRankEntry('a')).toBeUndefined()
      expect(await set.contains('a')).toBe(false)
      expect(await set.containsAll(['a'])).toBe(false)
      expect(await set.containsAll([])).toBe(true)
      expect(await set.addIfExists(1, 'a')).toBe(false)
      expect(await set.addAll([])).toBe(0)
      expect(await set.addAllIfExist({ a: 1 })).toBe(0)
      expect(await set.addAllAndGetRevRank([])).toEqual([])
      expect(await set.replace('a', 'b')).toBe(false)
      expect(await set.remove('a')).toBe(false)
      expect(await set.removeAll(['a'])).toBe(false)
      expect(await set.removeAll([])).toBe(false)
      expect(await set.retainAll(['a'])).toBe(false)
      expect(await set.retainAll([])).toBe(false)
      expect(await set.removeRangeByRank(0, -1)).toBe(0)
      expect(await set.removeRangeByScore({})).toBe(0)
      expect(await set.pollFirst()).toBeUndefined()
      expect(await set.pollFirst(3)).toEqual([])
      expect(await set.pollFirst(0)).toEqual([])
      expect(await set.pollFirstEntry()).toBeUndefined()
      expect(await set.pollFirstEntries(3)).toEqual([])
      expect(await set.pollLast()).toBeUndefined()
      expect(await set.pollLast(3)).toEqual([])
      expect(await set.pollLastEntry()).toBeUndefined()
      expect(await set.pollLastEntries(3)).toEqual([])
      expect(await set.first()).toBeUndefined()
      expect(await set.firstEntry()).toBeUndefined()
      expect(await set.firstScore()).toBeUndefined()
      expect(await set.last()).toBeUndefined()
      expect(await set.lastEntry()).toBeUndefined()
      expect(await set.lastScore()).toBeUndefined()
      expect(await set.random()).toBeUndefined()
      expect(await set.random(3)).toEqual([])
      expect(await set.randomEntries(3)).toEqual([])
      expect(await set.valueRange(0, -1)).toEqual([])
      expect(await set.valueRange({})).toEqual([])
      expect(await set.entryRangeReversed({})).toEqual([])
      expect(await set.rangeTo(name, 0, -1)).toBe(0)
      expect(await set.count({})).toBe(0)
      expect(await set.size()).toBe(0)
      expect(await set.isEmpty()).toBe(true)
      expect(await set.union([name])).toBe(0)
      expect(await set.readUnion([])).toEqual([])
      expect(await set.readIntersection([])).toEqual([])
      expect(await set.readDiff([])).toEqual([])
      expect(await set.readAll()).toEqual([])
      expect(await set.readAllEntries()).toEqual([])
      expect(await allOf(set)).toEqual([])
      await set.clear()
      expect(await set.isExists()).toBe(false)
    })
  })

  it('gives scores under conditions', async () => {
    await withSet(async (set) => {
      expect(await set.addIfExists(1, 'a')).toBe(false)
      expect(await set.addIfAbsent(5, 'a')).toBe(true)
      expect(await set.addIfAbsent(6, 'a')).toBe(false)
      expect(await set.addIfExists(5, 'a')).toBe(false)
      expect(await set.addIfExists(6, 'a')).toBe(true)
      expect(await set.addIfGreater(6, 'a')).toBe(false)
      expect(await set.addIfGreater(7, 'a')).toBe(true)
      expect(await set.addIfGreater(1, 'b')).toBe(true)
      expect(await set.addIfLess(8, 'a')).toBe(false)
      expect(await set.addIfLess(2, 'a')).toBe(true)
      expect(await set.addIfLess(9, 'c')).toBe(true)
      expect(await set.readAllEntries()).toEqual([
        ['b', 1],
        ['a', 2],
        ['c', 9],
      ])
    })
  })

  it('takes entries of all kinds at once, of which the last counts', async () => {
    await withSet(async (set) => {
      expect(await set.addAll(new Map([['a', 1]]))).toBe(1)
      expect(
        await set.addAll([
          ['a', 3],
          ['b', 2],
          ['b', 4],
        ]),
      ).toBe(1)
      expect(await set.addAll({ c: 5 })).toBe(1)
      expect(await set.addAllIfAbsent({ c: 6, d: 6 })).toBe(1)
      expect(await set.addAllIfExist({ d: 7, e: 7 })).toBe(1)
      expect(await set.addAllIfGreater({ a: 2, b: 8 })).toBe(1)
      expect(await set.addAllIfLess({ a: 2, b: 9, f: 0 })).toBe(2)
      expect(await set.addAllAndGetRevRank({ a: 100, none: -1 })).toEqual([0, 5])
      expect(await set.readAllEntries()).toEqual([
        ['none', -1],
        ['f', 0],
        ['c', 5],
        ['d', 7],
        ['b', 8],
        ['a', 100],
      ])
    })
  })

  it('adds to scores', async () => {
    await withSet(async (set) => {
      expect(await set.addScore('a', 1.5)).toBe(1.5)
      expect(await set.addScore('a', -2)).toBe(-0.5)
      expect(await set.addScoreAndGetRank('b', 3)).toBe(1)
      expect(await set.addScoreAndGetRevRank('a', 10)).toBe(0)
      expect(await set.addAndGetRank(5, 'c')).toBe(1)
      expect(await set.addAndGetRevRank(5, 'd')).toBe(1)
      await set.add(Infinity, 'a')
      const refused = { code: 'COMMAND', command: 'ZINCRBY', mayHaveRun: false }
      await expect(set.addScore('a', -Infinity)).rejects.toMatchObject(refused)
      await expect(set.addScoreAndGetRank('a', -Infinity)).rejects.toMatchObject(refused)
      await expect(set.addScoreAndGetRevRank('a', -Infinity)).rejects.toMatchObject(refused)
      expect(await set.getScore('a')).toBe(Infinity)
    })
  })

  it.each([
    0.1 + 0.2,
    5e-324,
    1.7976931348623157e308,
    -1.7976931348623157e308,
    2 ** 53 + 2,
    1e21,
    1e-7,
    123456789.12345679,
    1 / 3,
    Infinity,
    -Infinity,
  ])('has the score %d, and reads it back as it was', async (score) => {
    await withSet(async (set) => {
      await set.add(score, 'a')
      expect(await set.getScore('a')).toBe(score)
      expect(await set.getScores(['a'])).toEqual([score])
      expect(await set.firstScore()).toBe(score)
      expect(await set.rankEntry('a')).toEqual({ rank: 0, score })
      expect(await set.readAllEntries()).toEqual([['a', score]])
      expect(await allOf(set.entries())).toEqual([['a', score]])
      expect(await set.valueRange({ min: score, max: score })).toEqual(['a'])
      expect(await set.count({ min: score, minInclusive: false })).toBe(0)
      expect(await set.replace('a', 'b')).toBe(true)
      expect(await set.pollLastEntry()).toEqual(['b', score])
    })
  })

  it('takes 0 and -0 for the same score', async () => {
    await withSet(async (set) => {
      await set.addAll({ a: 0, b: -0 })
      expect(await set.valueRange({ min: -0, max: 0 })).toEqual(['a', 'b'])
      await set.addAll(Array.from({ length: 200 }, (_, n) => [`c${n}`, n] as const)) // Redis keeps large sets in another way
      await set.add(-0, 'd')
      expect(await set.getScores(['b', 'd'])).toEqual([0, 0])
    })
  })

  it('knows ranks, of values of one score by their bytes', async () => {
    await withSet(async (set) => {
      await set.addAll({ c: 1, a: 1, b: 0 })
      expect(await set.rank('a')).toBe(1)
      expect(await set.revRank('a')).toBe(1)
      expect(await set.revRanks(['b', 'none', 'c'])).toEqual([2, undefined, 0])
      expect(await set.rankEntry('c')).toEqual({ rank: 2, score: 1 })
      expect(await set.revRankEntry('c')).toEqual({ rank: 0, score: 1 })
      expect(await set.readAll()).toEqual(['b', 'a', 'c'])
    })
  })

  it('puts one value in the place of another', async () => {
    await withSet(async (set) => {
      await set.addAll({ a: 1, b: 2 })
      expect(await set.replace('a', 'b')).toBe(true)
      expect(await set.readAllEntries()).toEqual([['b', 1]])
      expect(await set.replace('b', 'b')).toBe(true)
      expect(await set.readAllEntries()).toEqual([['b', 1]])
    })
  })

  it('removes values, and tells whether any was there', async () => {
    await withSet(async (set) => {
      await set.addAll({ a: 1, b: 2, c: 3, d: 4, e: 5, f: 6 })
      expect(await set.remove('a')).toBe(true)
      expect(await set.removeAll(['a', 'none'])).toBe(false)
      expect(await set.removeAll(['b', 'none'])).toBe(true)
      expect(await set.retainAll(['c', 'd', 'e', 'f', 'none'])).toBe(false)
      expect(await set.retainAll(new Set(['d', 'e', 'f']))).toBe(true)
      expect(await set.removeRangeByScore({ min: 4, minInclusive: false, max: 5 })).toBe(1)
      expect(await set.removeRangeByRank(-1, -1)).toBe(1)
      expect(await set.readAll()).toEqual(['d'])
      expect(await set.retainAll([])).toBe(true)
      expect(await set.isExists()).toBe(false)
    })
  })

  it('returns ranges by rank and by score, from either end', async () => {
    await withSet(async (set, name) => {
      await set.addAll({ a: 1, b: 2, c: 3, d: 4 })
      expect(await set.valueRange(1, 2)).toEqual(['b', 'c'])
      expect(await set.valueRange(-2, -1)).toEqual(['c', 'd'])
      expect(await set.valueRangeReversed(0, 1)).toEqual(['d', 'c'])
      expect(await set.entryRange(0, 0)).toEqual([['a', 1]])
      expect(await set.entryRangeReversed(0, 0)).toEqual([['d', 4]])
      expect(await set.valueRange({ min: 2, max: 3 })).toEqual(['b', 'c'])
      expect(await set.valueRange({ min: 2, minInclusive: false, max: 4, maxInclusive: false })).toEqual([
        'c',
      ])
      expect(await set.valueRange({ max: 3, offset: 1 })).toEqual(['b', 'c'])
      expect(await set.valueRange({ min: 2, offset: 1, count: 1 })).toEqual(['c'])
      expect(await set.valueRange({ count: 0 })).toEqual([])
      expect(await set.valueRange({ min: 3, max: 2 })).toEqual([])
      expect(await set.valueRangeReversed({ max: 3, offset: 1, count: 5 })).toEqual(['b', 'a'])
      expect(await set.entryRange({ min: 4 })).toEqual([['d', 4]])
      expect(await set.entryRangeReversed({ min: 2, minInclusive: false })).toEqual([
        ['d', 4],
        ['c', 3],
      ])
      expect(await set.count({ min: 2, max: 4, maxInclusive: false })).toBe(2)
      expect(await set.rangeTo(name, 1, -1)).toBe(3)
      expect(await set.revRangeTo(name, { count: 2 })).toBe(2)
      expect(await set.readAll()).toEqual(['c', 'd'])
      expect(await set.revRangeTo(name, 1, 1)).toBe(1)
      expect(await set.rangeTo(name, { max: 3 })).toBe(1)
      expect(await set.readAll()).toEqual(['c'])
    })
  })

  it('returns what is at its ends, and removes it', async () => {
    await withSet(async (set) => {
      await set.addAll({ a: 1, b: 2, c: 3, d: 4, e: 5, f: 6, g: 7, h: 8 })
      expect([await set.first(), await set.last()]).toEqual(['a', 'h'])
      expect([await set.firstEntry(), await set.lastEntry()]).toEqual([
        ['a', 1],
        ['h', 8],
      ])
      expect([await set.firstScore(), await set.lastScore()]).toEqual([1, 8])
      expect([await set.pollFirst(), await set.pollLast()]).toEqual(['a', 'h'])
      expect(await set.pollFirst(2)).toEqual(['b', 'c'])
      expect(await set.pollLast(2)).toEqual(['f', 'g'])
      expect(await set.pollFirstEntry()).toEqual(['d', 4])
      expect(await set.pollLastEntries(5)).toEqual([['e', 5]])
      expect(await set.isExists()).toBe(false)
    })
  })

  it('picks any values', async () => {
    await withSet(async (set) => {
      await set.addAll({ a: 1, b: 2, c: 3 })
      expect(['a', 'b', 'c']).toContain(await set.random())
      expect((await set.random(5)).toSorted()).toEqual(['a', 'b', 'c'])
      expect(await set.random(0)).toEqual([])
      expect((await set.randomEntries(3)).toSorted()).toEqual([
        ['a', 1],
        ['b', 2],
        ['c', 3],
      ])
    })
  })

  it('is combined with others', async () => {
    await withSet(
      async (set, name) => {
        const other = clients.mine.getScoredSortedSet<string>(`${name}:other`)
        const target = clients.mine.getScoredSortedSet<string>(`${name}:target`)
        await set.addAll({ a: 1, b: 2 })
        await other.addAll({ b: 10, c: 20 })
        const both = [name, `${name}:other`]
        const weighted = new Map([
          [name, 2],
          [`${name}:other`, 0.5],
        ])
        expect(await set.readUnion([`${name}:other`])).toEqual(['a', 'b', 'c'])
        expect(await set.readUnionEntries([`${name}:other`], { aggregate: 'MAX' })).toEqual([
          ['a', 1],
          ['b', 10],
          ['c', 20],
        ])
        expect(await set.readUnionEntries(new Map([[`${name}:other`, -1]]))).toEqual([
          ['c', -20],
          ['b', -8],
          ['a', 1],
        ])
        expect(await set.readIntersection([`${name}:other`])).toEqual(['b'])
        expect(await set.readIntersectionEntries([`${name}:other`], { aggregate: 'MIN' })).toEqual([['b', 2]])
        expect(await set.readDiff([`${name}:other`])).toEqual(['a'])
        expect(await set.readDiffEntries([`${name}:other`])).toEqual([['a', 1]])
        expect(await target.union(both)).toBe(3)
        expect(await target.union(weighted)).toBe(3)
        expect(await target.readAllEntries()).toEqual([
          ['a', 2],
          ['b', 9],
          ['c', 10],
        ])
        expect(await target.intersection(weighted, { aggregate: 'MIN' })).toBe(1)
        expect(await target.readAllEntries()).toEqual([['b', 4]])
        expect(await target.diff(both)).toBe(1)
        expect(await target.readAllEntries()).toEqual([['a', 1]])
        expect(await target.union([`${name}:target`, name])).toBe(2)
        expect(await target.getScore('a')).toBe(2)
        await Promise.all([other.delete(), target.delete()])
      },
      {},
      `{scored-${topology.kind}-${String(names++)}}`,
    )
  })

  it('counts what it has in common with others, where the server can', async () => {
    const name = `{scored-${topology.kind}-common}`
    await withSet(
      async (set) => {
        await set.addAll({ a: 1, b: 2, c: 3 })
        const counted = set.countIntersection([name]).catch((error: unknown) => error)
        const result = await counted
        if (result instanceof Error) expect(result).toMatchObject({ code: 'UNSUPPORTED_COMMAND' })
        else expect([result, await set.countIntersection([name], { limit: 2 })]).toEqual([3, 2])
      },
      {},
      name,
    )
  })

  it(`has ${String(MANY)} values`, async () => {
    await withSet(async (set) => {
      expect(await set.addAll(many)).toBe(MANY)
      expect(await set.size()).toBe(MANY)
      expect(await set.readAllEntries()).toEqual(many)
      expect(await set.getScores(many.map(([value]) => value))).toEqual(many.map(([, score]) => score))
      expect(await set.containsAll(many.map(([value]) => value))).toBe(true)
      expect(await set.containsAll([...many.map(([value]) => value), 'none'])).toBe(false)
      const revRanks = many.map((_, n) => MANY - 1 - n)
      expect(await set.revRanks(many.map(([value]) => value))).toEqual(revRanks)
      expect(await set.addAllAndGetRevRank(many)).toEqual(revRanks)
      expect((await set.valueRange(0, -1)).length).toBe(MANY)
      expect(await set.retainAll(many.slice(1).map(([value]) => value))).toBe(true)
      expect(await set.retainAll(['v1', 'v2', 'v3'])).toBe(true)
      expect(await set.readAll()).toEqual(['v1', 'v2', 'v3'])
      await set.addAll(many)
      expect(await set.removeAll(many.map(([value]) => value))).toBe(true)
      expect(await set.isExists()).toBe(false)
    })
  })

  it('walks through its values and entries, as often as one likes', async () => {
    await withSet(async (set) => {
      await set.addAll(many)
      const walk = set.values({ count: 5_000 })
      expect(new Set(await allOf(walk)).size).toBe(MANY)
      expect(new Set(await allOf(walk)).size).toBe(MANY)
      expect(new Map(await allOf(set.entries()))).toEqual(new Map(many))
      expect((await allOf(set.values({ pattern: '"v1199?"' }))).toSorted()).toEqual(
        Array.from({ length: 10 }, (_, n) => `v1199${String(n)}`),
      )
      let seen = 0
      for await (const value of set) {
        expect(value).toMatch(/^v\d+$/)
        if ((seen += 1) === 3) break
      }
      expect(seen).toBe(3)
      const abort = new AbortController()
      const aborted = async () => {
        for await (const _ of set.values({ count: 1, signal: abort.signal })) abort.abort(new Error('enough'))
      }
      await expect(aborted()).rejects.toThrow('enough')
    })
  })

  it('leaves out what its codec cannot read, if that is wanted', async () => {
    await withSet(async (set, name) => {
      await set.add(1, 'a')
      await askOwner(topology, name, 'ZADD', '2', '{')
      await expect(allOf(set)).rejects.toMatchObject({ code: 'CODEC', object: name })
      await expect(set.readAll()).rejects.toMatchObject({ code: 'CODEC' })
      await expect(set.last()).rejects.toMatchObject({ code: 'CODEC' })
      expect(await set.lastScore()).toBe(2)
      expect(await allOf(set.values({ onInvalid: 'skip' }))).toEqual(['a'])
      expect(await allOf(set.entries({ onInvalid: 'skip' }))).toEqual([['a', 1]])
    })
  })

  it('has values of any codec', async () => {
    const name = `scored-${topology.kind}-codec`
    const set = clients.mine.getScoredSortedSet<number>(name, { codec: longCodec() })
    await set.addAll(new Map([[7, 1]]))
    expect(await clients.mine.getScoredSortedSet(name, { codec: stringCodec() }).readAll()).toEqual(['7'])
    expect(await set.readAll()).toEqual([7])
    await set.delete()
  })

  it('is refused where the name belongs to another kind of object, and leaves that as it is', async () => {
    const name = `scored-${topology.kind}-wrong`
    const bucket = clients.mine.getBucket(name)
    await bucket.set('mine')
    const set = clients.mine.getScoredSortedSet<string>(name)
    const calls: readonly (() => Promise<unknown>)[] = [
      () => set.add(1, 'a'),
      () => set.addAll({ a: 1 }),
      () => set.addScore('a', 1),
      () => set.addAndGetRank(1, 'a'),
      () => set.replace('a', 'b'),
      () => set.getScore('a'),
      () => set.rankEntry('a'),
      () => set.remove('a'),
      () => set.retainAll(['a']),
      () => set.retainAll([]),
      () => set.pollFirst(),
      () => set.pollLast({ waitMs: 10_000 }),
      () => set.takeFirst(),
      () => set.first(),
      () => set.valueRange(0, -1),
      () => set.union([name]),
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

describe('bad input to a scored sorted set', () => {
  const [single] = slottedTopologies
  if (single === undefined) throw new Error('Expected a topology')
  const clients = twoClients(single)
  const bad = () => clients.mine.getScoredSortedSet<string>('bad-scored')
  const none = undefined as unknown as string

  it('is refused where it is no score, and nothing is sent', async () => {
    const set = bad()
    for (const score of [NaN, '1', 1n, null, undefined, {}] as number[])
      for (const call of [
        () => set.add(score, 'a'),
        () => set.addIfGreater(score, 'a'),
        () =>
          set.addAll([
            ['a', 1],
            ['b', score],
          ]),
        () => set.addAndGetRank(score, 'a'),
        () => set.addScore('a', score),
        () => set.addScoreAndGetRevRank('a', score),
        () => set.union(new Map([['bad-scored', score]])),
      ])
        await expect(call()).rejects.toThrow(TypeError)
    expect(await set.isExists()).toBe(false)
  })

  it('is refused where it is no value, or no list of them', async () => {
    const set = bad()
    for (const call of [
      () => set.add(1, none),
      () => set.addAll([[none, 1]]),
      () => set.addScore(none, 1),
      () => set.replace('a', none),
      () => set.getScore(none),
      () => set.getScores(['a', none]),
      () => set.rank(none),
      () => set.remove(none),
      () => set.removeAll([none]),
      () => set.retainAll([none]),
      () => set.removeAll('abc'),
      () => set.retainAll(5 as never),
      () => set.addAll('ab' as never),
      () => set.addAll([5] as never),
      () => set.union('ab' as never),
      () => set.union([5] as never),
      () => set.union([''], {}),
      () => set.union(['a'], { aggregate: 'COUNT' } as never),
      () => set.readDiff(none as never),
    ])
      await expect(call()).rejects.toThrow(TypeError)
    expect(await set.isExists()).toBe(false)
  })

  it('is refused where it is no range, no count and no option', async () => {
    const set = bad()
    for (const call of [
      () => set.valueRange(0.5, 1),
      () => set.valueRange(0, none as never),
      () => set.removeRangeByRank(0, NaN),
      () => set.valueRange({ offset: -1 }),
      () => set.valueRange({ count: -1 }),
      () => set.pollFirst(-1),
      () => set.pollLast(5_001),
      () => set.pollFirstEntries(0.5),
      () => set.random(-1),
      () => set.countIntersection([], { limit: 0 }),
      () => set.union([]),
      () => set.diff([]),
    ])
      await expect(call()).rejects.toThrow(RangeError)
    for (const call of [
      () => set.valueRange({ min: NaN }),
      () => set.valueRange({ from: 1 } as never),
      () => set.valueRange({ minInclusive: 1 } as never),
      () => set.count({ offset: 1 } as never),
      () => set.removeRangeByScore(1 as never),
      () => set.pollFirst({ timeoutMs: 1 } as never),
      () => set.takeFirst({ waitMs: 1 } as never),
      () => (set.valueRange as (...args: unknown[]) => Promise<unknown>)({ min: 1 }, true),
    ])
      await expect(call()).rejects.toThrow(TypeError)
    expect(() => set.values({ count: 0 })).toThrow(RangeError)
    expect(() => set.values({ match: '*' } as never)).toThrow(TypeError)
    expect(() => clients.mine.getScoredSortedSet('x', { ttl: 5 } as never)).toThrow(TypeError)
    expect(() => clients.mine.getScoredSortedSet('')).toThrow(TypeError)
    expect(await set.isExists()).toBe(false)
  })

  it('is refused where more than one request would be part of a batch', async () => {
    const many = new Map(Array.from({ length: 5_001 }, (_, n) => [String(n), n]))
    for (const call of [
      (set: RScoredSortedSet<string>) => set.addAll(many),
      (set: RScoredSortedSet<string>) => set.removeAll(many.keys()),
      (set: RScoredSortedSet<string>) => set.retainAll(many.keys()),
      (set: RScoredSortedSet<string>) => set.pollFirst({ waitMs: 1 }),
    ])
      await expect(
        clients.mine.batch((batch) => [call(batch.getScoredSortedSet('bad-scored'))]),
      ).rejects.toMatchObject({ code: 'NOT_IN_BATCH' })
    expect(await bad().isExists()).toBe(false)
  })
})

describe.each(slottedTopologies.filter(({ kind }) => kind === 'cluster'))(
  'sets of several slots of a $kind',
  (topology) => {
    noLeaks(topology)
    const clients = twoClients(topology)

    it('are refused, and nothing is changed', async () => {
      const set = clients.mine.getScoredSortedSet<string>('{one}:scored')
      await set.add(1, 'a')
      const elsewhere = ['{two}:scored']
      for (const call of [
        () => set.union(elsewhere),
        () => set.readUnion(elsewhere),
        () => set.intersection(elsewhere),
        () => set.readIntersectionEntries(elsewhere),
        () => set.countIntersection(elsewhere),
        () => set.diff(elsewhere),
        () => set.readDiff(elsewhere),
        () => set.rangeTo('{two}:scored', 0, -1),
        () => set.revRangeTo('{two}:scored', {}),
      ])
        await expect(call()).rejects.toMatchObject({ code: 'CROSS_SLOT' })
      expect(await set.readAll()).toEqual(['a'])
      await set.delete()
    })
  },
)
