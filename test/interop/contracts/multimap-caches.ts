import { describe, expect, it } from 'vitest'
import type { RedissonClient } from '../../../src/index.js'
import { multimapEnds } from '../../../src/core/context/names.js'
import { allOf } from '../../support/all-of.js'
import { askOwner } from '../../support/ask-owner.js'
import { eventually } from '../../support/eventually.js'
import type { InteropFixture } from '../interop-fixture.js'
import { PLAIN_JSON } from '../java-peer.js'
import { openSides } from './codec-pairs.js'

/** So long that no test waits for its end. */
const LONG_MS = 600_000

const LONG = [LONG_MS, 'MILLISECONDS'] as const

/** How far a measured time may be off. */
const TOLERANCE_MS = 60_000

const kinds = [
  {
    what: 'set',
    getter: 'getSetMultimapCache',
    of: (client: RedissonClient, name: string) => client.getSetMultimapCache(name),
  },
  {
    what: 'list',
    getter: 'getListMultimapCache',
    of: (client: RedissonClient, name: string) => client.getListMultimapCache(name),
  },
] as const

/** What multimaps whose keys end, of either side, owe the other. */
export function multimapCachesAcrossSides(bench: InteropFixture): void {
  describe.each(kinds)('a multimap cache with a $what for each key', ({ what, getter, of }) => {
    const sides = openSides(bench, { java: { codec: PLAIN_JSON } })

    const inJava = (name: string, ...call: [string, ...unknown[]]) => sides.java.call([getter, name], call)

    const ask = (name: string, command: string, ...args: (string | number)[]) =>
      askOwner(bench.topology, name, command, ...args)

    it.each(['плод', '{tag}:cache', 'a{tag}b'])('called %s has the same ends on both sides', async (at) => {
      const name = `${bench.name()}${at}`
      const ends = multimapEnds(name, what)
      const cache = of(sides.node, name)
      const expectEnd = async (key: string) => {
        const score = Number(await ask(ends, 'ZSCORE', key))
        expect(Math.abs(score - Date.now() - LONG_MS), key).toBeLessThan(TOLERANCE_MS)
      }
      await cache.putAll('mine', ['é', 1])
      await inJava(name, 'put', 'theirs', 'b')
      expect(await cache.expireKey('theirs', LONG_MS)).toBe(true)
      expect(await inJava(name, 'expireKey', 'mine', ...LONG)).toBe(true)
      await expectEnd('mine')
      await expectEnd('theirs')
      expect(await inJava(name, 'containsEntry', 'theirs', 'b')).toBe(true)
      expect(await cache.getAll('mine')).toHaveLength(2)
      expect(await inJava(name, 'expireKey', 'none', ...LONG)).toBe(false)
      expect(await cache.expireKey('none', LONG_MS)).toBe(false)
      await inJava(name, 'removeAll', 'mine')
      await cache.removeAll('theirs')
      expect(await ask(ends, 'EXISTS')).toBe(0)
      expect(await cache.isExists()).toBe(false)
    })

    it('hides keys that have ended on both sides', async () => {
      const name = bench.name()
      const cache = of(sides.node, name)
      await cache.put('mine', 1)
      await cache.expireKey('mine', 200)
      await inJava(name, 'put', 'theirs', 2)
      await inJava(name, 'expireKey', 'theirs', 200, 'MILLISECONDS')
      await cache.put('stays', 3)
      await eventually(async () => {
        expect(await inJava(name, 'containsKey', 'mine')).toBe(false)
        expect(await inJava(name, 'containsKey', 'theirs')).toBe(false)
      })
      await eventually(async () => {
        expect(await allOf(cache)).toEqual([['stays', 3]])
      })
      expect(await inJava(name, 'getAll', 'theirs')).toEqual([])
      expect(await inJava(name, 'readAllKeySet')).toEqual(['stays'])
      await inJava(name, 'put', 'theirs', 4)
      expect(await cache.getAll('theirs')).toEqual([4])
      await cache.delete()
    })

    it('expires as a whole, and is renamed with the ends of its keys', async () => {
      const name = `{${bench.name()}}`
      const names = [`${name}a`, `${name}b`] as const
      const cache = of(sides.node, names[0])
      await cache.put('k', 'v')
      await cache.expireKey('k', LONG_MS)
      await cache.rename(names[1])
      const again = of(sides.node, names[1])
      expect(await inJava(names[1], 'containsEntry', 'k', 'v')).toBe(true)
      expect(await ask(multimapEnds(names[1], what), 'ZCARD')).toBe(1)
      expect(await inJava(names[1], 'expire', 'PT600S')).toBe(true)
      expect(await again.remainTimeToLive()).toBeGreaterThan(0)
      expect(await again.clearExpire()).toBe(true)
      expect(await ask(multimapEnds(names[1], what), 'PTTL')).toBe(-1)
      expect(await inJava(names[1], 'delete')).toBe(true)
      expect(await again.isExists()).toBe(false)
    })
  })
}
