import { describe, expect, it } from 'vitest'
import type { RedissonClient } from '../../../src/index.js'
import { allOf } from '../../support/all-of.js'
import { askOwner } from '../../support/ask-owner.js'
import type { InteropFixture } from '../interop-fixture.js'
import { PLAIN_JSON, type JavaThread } from '../java-peer.js'
import { expectAlmost } from '../measure.js'
import { describeCodecs, openSides } from './codec-pairs.js'

/** So long that no test waits for its end. */
const LONG_MS = 600_000

/** More keys than Node looks at by one request. */
const MANY = 6_000

const sorted = (found: unknown) => (found as unknown[]).map((value) => JSON.stringify(value)).toSorted()

const kinds = [
  {
    what: 'sets',
    getter: 'getSetMultimap',
    of: (client: RedissonClient, name: string) => client.getSetMultimap(name),
  },
  {
    what: 'lists',
    getter: 'getListMultimap',
    of: (client: RedissonClient, name: string) => client.getListMultimap(name),
  },
] as const

/** What multimaps of either side owe the other. */
export function multimapsAcrossSides(bench: InteropFixture): void {
  describe.each(kinds)('multimaps with $what', ({ getter, of }) => {
    const inJava = (thread: JavaThread, name: string, ...call: [string, ...unknown[]]) =>
      thread.call([getter, name], call)

    describeCodecs(bench, 'a multimap', (sides, { keys, values }) => {
      it.each(['плод', '{tag}:multimap', 'a{tag}b'])(
        'called %s has the same entries on both sides',
        async (at) => {
          const name = `${bench.name()}${at}`
          const multimap = of(sides.node, name)
          const bytes = () => askOwner(bench.topology, name, 'HGETALL')
          for (const key of keys as readonly string[]) {
            for (const value of values) {
              expect(await multimap.put(key, value)).toBe(true)
              const before = await bytes()
              expect(await inJava(sides.java, name, 'containsEntry', key, value)).toBe(true)
              expect(await inJava(sides.java, name, 'containsValue', value)).toBe(true)
              expect(await inJava(sides.java, name, 'remove', key, value)).toBe(true)
              expect(await multimap.containsEntry(key, value)).toBe(false)
              expect(await inJava(sides.java, name, 'put', key, value)).toBe(true)
              expect(await bytes()).toEqual(before)
              expect(await multimap.containsEntry(key, value)).toBe(true)
            }
            expect(sorted(await inJava(sides.java, name, 'getAll', key))).toEqual(sorted(values))
            expect(sorted(await multimap.getAll(key))).toEqual(sorted(values))
          }
          expect(sorted(await inJava(sides.java, name, 'readAllKeySet'))).toEqual(sorted(keys))
          expect(await inJava(sides.java, name, 'size')).toBe(keys.length * values.length)
          expect(await multimap.size()).toBe(keys.length * values.length)
          expect(sorted(await inJava(sides.java, name, 'values'))).toEqual(
            sorted(await allOf(multimap.values())),
          )
          expect(await inJava(sides.java, name, 'fastRemove', keys)).toBe(keys.length)
          expect(await multimap.isExists()).toBe(false)
        },
      )

      it('is replaced and removed by either side', async () => {
        const name = bench.name()
        const multimap = of(sides.node, name)
        const [key, other] = keys as readonly [string, string, string]
        const [one, two, three] = values as readonly [unknown, unknown, unknown]
        expect(await inJava(sides.java, name, 'putAll', key, [one, two])).toBe(true)
        expect(sorted(await multimap.replaceValues(key, [three]))).toEqual(sorted([one, two]))
        expect(await inJava(sides.java, name, 'replaceValues', key, [one])).toEqual([three])
        await multimap.fastReplaceValues(other, [one, two])
        expect(await inJava(sides.java, name, 'keySize')).toBe(2)
        expect(await multimap.fastRemoveValue(one)).toBe(2)
        expect(await inJava(sides.java, name, 'containsKey', key)).toBe(false)
        expect(await inJava(sides.java, name, 'readAllKeySet')).toEqual([other])
        expect(await inJava(sides.java, name, 'removeAll', other)).toEqual([two])
        expect(await multimap.isExists()).toBe(false)
      })

      it('has the same values of a key on both sides, which change it', async () => {
        const name = bench.name()
        const multimap = of(sides.node, name)
        const [key] = keys as readonly [string, string, string]
        const [one, two] = values as readonly [unknown, unknown]
        const ofKey = (...call: [string, ...unknown[]]) => sides.java.call([getter, name], ['get', key], call)
        expect(await multimap.get(key).addAll([one, two])).toBe(true)
        expect(await ofKey('size')).toBe(2)
        expect(await ofKey('removeAll', [one])).toBe(true)
        expect(await multimap.get(key).readAll()).toEqual([two])
        expect(await ofKey('add', one)).toBe(true)
        expect(await multimap.get(key).retainAll([one])).toBe(true)
        expect(await ofKey('readAll')).toEqual([one])
        expect(await multimap.get(key).remove(one)).toBe(true)
        expect(await inJava(sides.java, name, 'keySize')).toBe(0)
      })
    })

    describeCodecs(bench, 'the keys of a multimap', (sides, { keys }) => {
      it('have the same locks on both sides', async () => {
        const name = bench.name()
        const multimap = of(sides.node, name)
        const [key] = keys as readonly [string, string, string]
        const byJava = (method: string) => sides.java.call([getter, name], ['getLock', key], [method])
        await multimap.getLock(key).withLock(async () => {
          expect(await byJava('tryLock')).toBe(false)
        })
        expect(await byJava('tryLock')).toBe(true)
        expect(await multimap.getLock(key).tryAcquire()).toBeUndefined()
        await byJava('unlock')
      })
    })

    describe('a multimap', () => {
      const sides = openSides(bench, { java: { codec: PLAIN_JSON } })

      it('of many keys is counted and walked through by either side', async () => {
        const name = bench.name()
        const multimap = of(sides.node, name)
        const keys = Array.from({ length: MANY }, (_, n) => `key ${String(n)}`)
        await Promise.all(keys.map((key) => multimap.put(key, 1)))
        await inJava(sides.java, name, 'putAll', 'key 7', [2, 3])
        expect(await multimap.size()).toBe(MANY + 2)
        expect(await inJava(sides.java, name, 'size')).toBe(MANY + 2)
        expect(new Set((await inJava(sides.java, name, 'readAllKeySet')) as string[])).toEqual(new Set(keys))
        expect(await allOf(multimap)).toHaveLength(MANY + 2)
        expect(await inJava(sides.java, name, 'delete')).toBe(true)
        expect(await multimap.size()).toBe(0)
      })

      it('has one time to live, which what Node puts has as well', async () => {
        const name = bench.name()
        const multimap = of(sides.node, name)
        await inJava(sides.java, name, 'put', 'a', 1)
        expect(await inJava(sides.java, name, 'expire', 'PT600S')).toBe(true)
        await multimap.put('b', 1)
        for (const key of ['a', 'b']) expectAlmost(await multimap.get(key).remainTimeToLive(), LONG_MS)
        expect(await multimap.clearExpire()).toBe(true)
        expect(await inJava(sides.java, name, 'remainTimeToLive')).toBe(-1)
        await multimap.delete()
      })

      it('bears keys without values, which Java leaves behind', async () => {
        const name = bench.name()
        const multimap = of(sides.node, name)
        await inJava(sides.java, name, 'putAll', 'a', [])
        expect(await multimap.containsKey('a')).toBe(false)
        expect(await allOf(multimap)).toEqual([])
        expect(await multimap.size()).toBe(0)
        expect(await multimap.fastRemove('a')).toBe(1)
        expect(await multimap.isExists()).toBe(false)
      })
    })
  })
}
