import { describe, expect, it } from 'vitest'
import { allOf } from '../../support/all-of.js'
import type { InteropFixture } from '../interop-fixture.js'
import { PLAIN_JSON, type JavaThread } from '../java-peer.js'
import { openSides } from './codec-pairs.js'

/** More than Node reads by one request. */
const MANY = 6_000

const ORDERED = ['', '"', '(a', '10', '9', 'B', 'a', 'é', '\ufffd', '😀']

/** What lex sorted sets of either side owe the other. */
export function lexSortedSetsAcrossSides(bench: InteropFixture): void {
  const inJava = (thread: JavaThread, name: string, ...call: [string, ...unknown[]]) =>
    thread.call(['getLexSortedSet', name], call)

  describe('a lex sorted set', () => {
    const sides = openSides(bench, { java: { codec: PLAIN_JSON } })

    it.each(['слова', '{tag}:lex', 'a{tag}b'])(
      'called %s has the same texts on both sides, in the same order',
      async (at) => {
        const name = `${bench.name()}${at}`
        const set = sides.node.getLexSortedSet(name)
        for (const [n, value] of ORDERED.toReversed().entries()) {
          if (n % 2 === 0) expect(await set.add(value)).toBe(true)
          else expect(await inJava(sides.java, name, 'add', value)).toBe(true)
          expect(await inJava(sides.java, name, 'contains', value)).toBe(true)
          expect(await set.contains(value)).toBe(true)
        }
        expect(await set.readAll()).toEqual(ORDERED)
        expect(await inJava(sides.java, name, 'readAll')).toEqual(ORDERED)
        expect(await inJava(sides.java, name, 'addAll', ORDERED)).toBe(false)
        expect(await set.addAll(ORDERED)).toBe(false)
        expect(await inJava(sides.java, name, 'removeAll', ORDERED.slice(1))).toBe(true)
        expect(await set.remove('')).toBe(true)
        expect(await inJava(sides.java, name, 'isExists')).toBe(false)
      },
    )

    it('has the same ranks and ranges on both sides', async () => {
      const name = bench.name()
      const set = sides.node.getLexSortedSet(name)
      await set.addAll(['a', 'b', 'c', 'd', 'e'])
      const java = (...call: [string, ...unknown[]]) => inJava(sides.java, name, ...call)
      expect(await java('rank', 'b')).toBe(await set.rank('b'))
      expect(await java('revRank', 'b')).toBe(await set.revRank('b'))
      expect(await java('first')).toBe(await set.first())
      expect(await java('last')).toBe(await set.last())
      expect(await java('range', 1, 2)).toEqual(await set.range(1, 2))
      expect(await java('range', 'b', false, 'd', true)).toEqual(
        await set.range({ from: 'b', fromInclusive: false, to: 'd' }),
      )
      expect(await java('range', 'a', true, 'e', true, 1, 2)).toEqual(
        await set.range({ from: 'a', to: 'e', offset: 1, count: 2 }),
      )
      expect(await java('rangeTail', 'c', false)).toEqual(
        await set.rangeTail({ from: 'c', fromInclusive: false }),
      )
      expect(await java('rangeHead', 'c', true)).toEqual(await set.rangeHead({ to: 'c' }))
      expect(await java('rangeReversed', 'b', true, 'd', false)).toEqual(
        await set.rangeReversed({ from: 'b', to: 'd', toInclusive: false }),
      )
      expect(await java('rangeTailReversed', 'b', true, 1, 2)).toEqual(
        await set.rangeTailReversed({ from: 'b', offset: 1, count: 2 }),
      )
      expect(await java('rangeHeadReversed', 'c', false)).toEqual(
        await set.rangeHeadReversed({ to: 'c', toInclusive: false }),
      )
      expect(await java('count', 'b', true, 'd', true)).toBe(await set.count({ from: 'b', to: 'd' }))
      expect(await java('countTail', 'b', false)).toBe(
        await set.countTail({ from: 'b', fromInclusive: false }),
      )
      expect(await java('countHead', 'b', true)).toBe(await set.countHead({ to: 'b' }))
      await set.delete()
    })

    it('is emptied by either side', async () => {
      const name = bench.name()
      const set = sides.node.getLexSortedSet(name)
      const java = (...call: [string, ...unknown[]]) => inJava(sides.java, name, ...call)
      expect(await java('addAll', ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'])).toBe(true)
      expect(await set.removeRangeHead({ to: 'a' })).toBe(1)
      expect(await java('removeRangeTail', 'h', true)).toBe(1)
      expect(await set.removeRange({ from: 'b', to: 'c', toInclusive: false })).toBe(1)
      expect(await java('removeRange', 'c', true, 'd', false)).toBe(1)
      expect(await java('pollFirst')).toBe('d')
      expect(await set.pollLast()).toBe('g')
      expect(await java('retainAll', ['e'])).toBe(true)
      expect(await set.retainAll(['e'])).toBe(false)
      const taken = set.pollLast(2, { waitMs: 60_000 })
      expect(await taken).toEqual(['e'])
      const waiting = set.pollFirst({ waitMs: 60_000 })
      expect(await java('add', 'late')).toBe(true)
      expect(await waiting).toBe('late')
      expect(await set.isExists()).toBe(false)
    })

    it('of many texts is read by the other side', async () => {
      const name = bench.name()
      const set = sides.node.getLexSortedSet(name)
      const all = Array.from({ length: MANY }, (_, n) => `v${String(n).padStart(5, '0')}`)
      expect(await inJava(sides.java, name, 'addAll', all)).toBe(true)
      expect(await allOf(set)).toEqual(all)
      expect(await inJava(sides.java, name, 'readAll')).toEqual(await set.readAll())
      await set.delete()
    })
  })
}
