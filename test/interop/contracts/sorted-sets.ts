import { describe, expect, it } from 'vitest'
import { longCodec, stringCodec } from '../../../src/index.js'
import { allOf } from '../../support/all-of.js'
import { askOwner } from '../../support/ask-owner.js'
import type { InteropFixture } from '../interop-fixture.js'
import { PLAIN_JSON, type JavaThread } from '../java-peer.js'
import { openSides } from './codec-pairs.js'

/** In the order of their UTF-16 code units, which is not that of their bytes. */
const TEXTS = ['', '"', '10', '9', 'B', '\\', 'a\nb', 'ab', 'é', '\ud7ff', '😀', '\ue000', '\ufffd']

const NUMBERS = [-1000, -12, -1, 0, 2, 9, 10, 2_147_483_647]

/** What naturally sorted sets of either side owe the other. */
export function sortedSetsAcrossSides(bench: InteropFixture): void {
  const inJava = (thread: JavaThread, name: string, ...call: [string, ...unknown[]]) =>
    thread.call(['getSortedSet', name], call)

  describe.each([
    ['JSON', PLAIN_JSON, undefined],
    ['texts', 'org.redisson.client.codec.StringCodec', stringCodec()],
  ] as const)('a sorted set of texts, written as %s', (_, codec, own) => {
    const sides = openSides(bench, { java: { codec } })
    const setOf = (name: string) => sides.node.getSortedSet(name, own === undefined ? {} : { codec: own })

    it.each(['имена', '{tag}:sorted', 'a{tag}b'])(
      'called %s has the same order on both sides, whichever adds',
      async (at) => {
        const name = `${bench.name()}${at}`
        const set = setOf(name)
        for (const [n, text] of TEXTS.toReversed().entries()) {
          if (n % 2 === 0) expect(await set.add(text)).toBe(true)
          else expect(await inJava(sides.java, name, 'add', text)).toBe(true)
          expect(await inJava(sides.java, name, 'add', text)).toBe(false)
          expect(await set.add(text)).toBe(false)
          expect(await inJava(sides.java, name, 'contains', text)).toBe(true)
          expect(await set.contains(text)).toBe(true)
        }
        expect(await inJava(sides.java, name, 'readAll')).toEqual(TEXTS)
        expect(await set.readAll()).toEqual(TEXTS)
        expect(await allOf(set.values({ count: 2 }))).toEqual(TEXTS)
        expect(await inJava(sides.java, name, 'first')).toBe(await set.first())
        expect(await inJava(sides.java, name, 'last')).toBe(await set.last())
        for (const [n, text] of TEXTS.entries()) {
          if (n % 2 === 0) expect(await set.remove(text)).toBe(true)
          else expect(await inJava(sides.java, name, 'remove', text)).toBe(true)
        }
        expect(await set.isExists()).toBe(false)
      },
    )

    it('is polled by either side, and waited for', async () => {
      const name = bench.name()
      const set = setOf(name)
      expect(await inJava(sides.java, name, 'addAll', ['d', 'b', 'a', 'c'])).toBe(true)
      expect(await set.pollFirst()).toBe('a')
      expect(await inJava(sides.java, name, 'pollFirst')).toBe('b')
      expect(await inJava(sides.java, name, 'pollLast')).toBe('d')
      expect(await set.pollLast(5)).toEqual(['c'])
      const waiting = set.pollFirst({ waitMs: 60_000 })
      expect(await inJava(sides.java, name, 'add', 'late')).toBe(true)
      expect(await waiting).toBe('late')
      expect(await set.isExists()).toBe(false)
    })
  })

  describe('a sorted set of numbers', () => {
    const sides = openSides(bench, { java: { codec: 'org.redisson.client.codec.LongCodec' } })

    it('has the same order on both sides', async () => {
      const name = bench.name()
      const set = sides.node.getSortedSet(name, { codec: longCodec() })
      await set.addAll(NUMBERS.toReversed())
      expect(await inJava(sides.java, name, 'readAll')).toEqual(NUMBERS)
      expect(await inJava(sides.java, name, 'pollFirst')).toBe(-1000)
      expect(await set.pollLast()).toBe(2_147_483_647)
      expect(await inJava(sides.java, name, 'delete')).toBe(true)
      expect(await set.isExists()).toBe(false)
    })
  })

  describe('a walk through a sorted set that both sides make', () => {
    const sides = openSides(bench, { java: { codec: 'org.redisson.client.codec.LongCodec' } })

    it.each(['both', 'Node alone'])('gives each value to one of them: by %s', async (who) => {
      const tag = `{${bench.name()}}`
      const set = sides.node.getSortedSet(`${tag}:sorted`, { codec: longCodec() })
      const all = Array.from({ length: 1_000 }, (_, n) => n)
      await set.addAll(all)
      const iteratorName = `${tag}:walk`
      const walk = set.distributedIterator({ count: 200, iteratorName })[Symbol.asyncIterator]()
      const mine = [(await walk.next()).value as number]
      const inTheirs = () => inJava(sides.java, set.name, 'distributedIterator', iteratorName, 100)
      const theirs = who === 'both' ? ((await inTheirs()) as number[]) : []
      for (let next = await walk.next(); next.done !== true; next = await walk.next()) mine.push(next.value)
      expect([...mine, ...theirs].toSorted((a, b) => a - b)).toEqual(all)
      expect(theirs).toHaveLength(who === 'both' ? 800 : 0)
      expect(await inTheirs()).toEqual([])
      await sides.node.getKeys().delete(set.name, iteratorName)
    })
  })

  describe('the lock of a sorted set', () => {
    const sides = openSides(bench, { java: { codec: PLAIN_JSON } })

    it('keeps changes of Node out while Java has it', async () => {
      const name = bench.name()
      const set = sides.node.getSortedSet(name)
      const lock: [string, string] = ['getLock', `redisson_sortedset_lock:{${name}}`]
      await sides.java.call(lock, ['lock'])
      const added = set.add('b')
      expect(await inJava(sides.java, name, 'add', 'a')).toBe(true)
      expect(await set.readAll()).toEqual(['a'])
      await sides.java.call(lock, ['unlock'])
      expect(await added).toBe(true)
      expect(await inJava(sides.java, name, 'readAll')).toEqual(['a', 'b'])
      await set.delete()
    })

    it('lets both sides add at once, and each value is there once and in its place', async () => {
      const name = bench.name()
      const set = sides.node.getSortedSet(name)
      const values = Array.from({ length: 40 }, (_, n) => `v${String((n * 17) % 40).padStart(2, '0')}`)
      const added = await Promise.all([
        ...values.map((value) => set.add(value)),
        inJava(sides.java, name, 'addAll', values.toReversed()),
      ])
      expect(added.slice(0, -1).filter(Boolean).length).toBeLessThanOrEqual(values.length)
      expect(await set.readAll()).toEqual(values.toSorted())
      expect(await askOwner(bench.topology, name, 'LLEN')).toBe(values.length)
      await set.delete()
    })
  })
}
