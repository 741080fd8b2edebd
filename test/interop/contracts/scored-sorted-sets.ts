import { describe, expect, it } from 'vitest'
import { allOf } from '../../support/all-of.js'
import { askOwner } from '../../support/ask-owner.js'
import type { InteropFixture } from '../interop-fixture.js'
import { PLAIN_JSON, type JavaThread } from '../java-peer.js'
import { describeCodecs, openSides } from './codec-pairs.js'

/** More than Node reads by one request. */
const MANY = 6_000

/** Doubles whose digits both sides have to read and write alike. */
const SCORES = [0, 1, -1.5, 0.1 + 0.2, 1e21, 1e-7, 2 ** 53 - 1, 1 / 3, 5e-324, 1.7976931348623157e308]

/** What scored sorted sets of either side owe the other. */
export function scoredSortedSetsAcrossSides(bench: InteropFixture): void {
  const inJava = (thread: JavaThread, name: string, ...call: [string, ...unknown[]]) =>
    thread.call(['getScoredSortedSet', name], call)

  describeCodecs(bench, 'a scored sorted set', (sides, { values }) => {
    it.each(['плод', '{tag}:set', 'a{tag}b'])('called %s has the same values on both sides', async (at) => {
      const name = `${bench.name()}${at}`
      const set = sides.node.getScoredSortedSet(name)
      const content = () => askOwner(bench.topology, name, 'ZRANGE', '0', '-1', 'WITHSCORES')
      for (const value of values) {
        await set.add(1.5, value)
        const bytes = await content()
        expect(await inJava(sides.java, name, 'contains', value)).toBe(true)
        expect(await inJava(sides.java, name, 'add', 1.5, value)).toBe(false)
        expect(await content()).toEqual(bytes)
        expect(await inJava(sides.java, name, 'firstEntry')).toEqual([value, 1.5])
        expect(await inJava(sides.java, name, 'remove', value)).toBe(true)
        expect(await inJava(sides.java, name, 'add', -2.5, value)).toBe(true)
        expect(await set.readAllEntries()).toEqual([[value, -2.5]])
        expect(await inJava(sides.java, name, 'addScore', value, 3)).toBe(0.5)
        expect(await set.addScore(value, 0.25)).toBe(0.75)
        expect(await inJava(sides.java, name, 'pollFirst')).toEqual(value)
      }
      expect(await set.isExists()).toBe(false)
    })
  })

  describe('a scored sorted set', () => {
    const sides = openSides(bench, { java: { codec: PLAIN_JSON } })

    it('has the same scores on both sides, to the last bit', async () => {
      const name = bench.name()
      const set = sides.node.getScoredSortedSet<string>(name)
      for (const score of SCORES) {
        await set.add(score, 'node')
        await inJava(sides.java, name, 'add', score, 'java')
        expect(await inJava(sides.java, name, 'getScore', 'node')).toBe(score)
        expect(await set.getScores(['node', 'java'])).toEqual([score, score])
        expect(await set.count({ min: score, max: score })).toBe(2)
        expect(await inJava(sides.java, name, 'count', score, true, score, true)).toBe(2)
      }
      await set.delete()
    })

    it('has the same order, ranks and ranges on both sides', async () => {
      const name = bench.name()
      const set = sides.node.getScoredSortedSet<string>(name)
      await set.addAll({ a: 1, b: 2, c: 2, d: 3 })
      expect(await inJava(sides.java, name, 'readAll')).toEqual(await set.readAll())
      expect(await inJava(sides.java, name, 'rank', 'c')).toBe(await set.rank('c'))
      expect(await inJava(sides.java, name, 'revRank', 'c')).toBe(await set.revRank('c'))
      expect(await inJava(sides.java, name, 'valueRange', 1, 2)).toEqual(await set.valueRange(1, 2))
      expect(await inJava(sides.java, name, 'valueRange', 1, false, 2, true, 1, 5)).toEqual(
        await set.valueRange({ min: 1, minInclusive: false, max: 2, offset: 1, count: 5 }),
      )
      expect(await inJava(sides.java, name, 'entryRangeReversed', 0, 1)).toEqual(
        await set.entryRangeReversed(0, 1),
      )
      expect(await inJava(sides.java, name, 'addAndGetRank', 9, 'a')).toBe(3)
      expect(await set.rank('a')).toBe(3)
      expect(await inJava(sides.java, name, 'pollLast', 2)).toEqual(['d', 'a'])
      expect(await set.pollLast(2)).toEqual(['b', 'c'])
    })

    it('is changed by either side under the same conditions', async () => {
      const name = bench.name()
      const set = sides.node.getScoredSortedSet<string>(name)
      expect(await inJava(sides.java, name, 'addIfExists', 1, 'a')).toBe(false)
      expect(await set.addIfGreater(1, 'a')).toBe(true)
      expect(await inJava(sides.java, name, 'addIfGreater', 2, 'b')).toBe(true)
      expect(await inJava(sides.java, name, 'addIfLess', 3, 'a')).toBe(false)
      expect(await set.addIfLess(0, 'a')).toBe(true)
      expect(await inJava(sides.java, name, 'replace', 'a', 'c')).toBe(true)
      expect(await set.replace('c', 'd')).toBe(true)
      expect(await inJava(sides.java, name, 'retainAll', ['d'])).toBe(true)
      expect(await set.retainAll(['d'])).toBe(false)
      expect(await inJava(sides.java, name, 'removeAll', ['d'])).toBe(true)
      expect(await set.isExists()).toBe(false)
    })

    it('is waited for by one side, and filled by the other', async () => {
      const name = bench.name()
      const set = sides.node.getScoredSortedSet<string>(name)
      const taken = set.takeFirst()
      await inJava(sides.java, name, 'add', 1, 'a')
      expect(await taken).toBe('a')
      const inThread = inJava(sides.java, name, 'takeLast')
      await set.add(2, 'b')
      expect(await inThread).toBe('b')
      expect(await set.isExists()).toBe(false)
    })

    it('is walked through by both together, and sorted by either', async () => {
      const tag = `{${bench.name()}}`
      const set = sides.node.getScoredSortedSet<number>(`${tag}:scored`)
      const all = Array.from({ length: MANY }, (_, n) => n)
      await set.addAll(all.map((n) => [n, -n] as const))
      const iteratorName = `${tag}:walk`
      const mine: number[] = []
      const walk = set.distributedIterator({ count: 500, iteratorName })[Symbol.asyncIterator]()
      mine.push((await walk.next()).value as number)
      const theirs = (await inJava(
        sides.java,
        set.name,
        'distributedIterator',
        iteratorName,
        '*',
        500,
      )) as number[]
      for (let next = await walk.next(); next.done !== true; next = await walk.next()) mine.push(next.value)
      expect([...mine, ...theirs].toSorted((a, b) => a - b)).toEqual(all)
      expect(theirs.length).toBeGreaterThan(MANY / 2)
      expect(await inJava(sides.java, set.name, 'readSort', 'DESC', 5, 3)).toEqual(
        await set.readSort({ order: 'DESC', offset: 5, count: 3 }),
      )
      await sides.node.getKeys().delete(set.name, iteratorName)
    })

    it('of many values is read by the other side', async () => {
      const name = bench.name()
      const set = sides.node.getScoredSortedSet<string>(name)
      const all = Array.from({ length: MANY }, (_, n) => [`v${String(n)}`, n] as const)
      await set.addAll(all)
      expect(await inJava(sides.java, name, 'readAll')).toEqual(all.map(([value]) => value))
      expect(await set.readAllEntries()).toEqual(all)
      expect(new Map(await allOf(set.entries({ count: 700 })))).toEqual(new Map(all))
      await set.delete()
    })
  })
}
