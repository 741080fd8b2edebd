import { beforeEach, describe, expect, it } from 'vitest'
import type { RedissonClient } from '../../../src/index.js'
import { multimapValues } from '../../../src/core/context/names.js'
import { highwayHashName } from '../../../src/util/hash/highway-hash.js'
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
    getter: 'getSetMultimapCacheNative',
    of: (client: RedissonClient, name: string) => client.getSetMultimapCacheNative(name),
  },
  {
    what: 'list',
    getter: 'getListMultimapCacheNative',
    of: (client: RedissonClient, name: string) => client.getListMultimapCacheNative(name),
  },
] as const

/** What multimaps whose keys end by the server itself, of either side, owe the other, where the servers have them. */
export function nativeMultimapCachesAcrossSides(bench: InteropFixture): void {
  describe.each(kinds)('a native multimap cache with a $what for each key', ({ getter, of }) => {
    beforeEach(async (context) => {
      const reply = askOwner(bench.topology, 'none', 'HPTTL', 'FIELDS', 1, 'none')
      const isKnown = await reply.then(
        () => true,
        () => false,
      )
      context.skip(!isKnown, 'needs HPEXPIRE: Redis 7.4 or Valkey 9')
    })
    const sides = openSides(bench, { java: { codec: PLAIN_JSON } })

    const inJava = (name: string, ...call: [string, ...unknown[]]) => sides.java.call([getter, name], call)

    const ask = (name: string, command: string, ...args: (string | number)[]) =>
      askOwner(bench.topology, name, command, ...args)

    const valuesAt = (name: string, key: string) => multimapValues(name, highwayHashName(Buffer.from(key)))

    /** A key and its values have one end. */
    const expectEnd = async (name: string, key: string) => {
      const [field] = (await ask(name, 'HPEXPIRETIME', 'FIELDS', 1, key)) as number[]
      expect(await ask(valuesAt(name, key), 'PEXPIRETIME'), key).toBe(field)
      expect(Math.abs(Number(field) - Date.now() - LONG_MS), key).toBeLessThan(TOLERANCE_MS)
    }

    it.each(['плод', '{tag}:native', 'a{tag}b'])('called %s has the same ends on both sides', async (at) => {
      const name = `${bench.name()}${at}`
      const cache = of(sides.node, name)
      await cache.putAll('mine', ['é', 1])
      await inJava(name, 'put', 'theirs', 'b')
      expect(await cache.expireKey('theirs', LONG_MS)).toBe(true)
      expect(await inJava(name, 'expireKey', 'mine', ...LONG)).toBe(true)
      await expectEnd(name, 'mine')
      await expectEnd(name, 'theirs')
      await inJava(name, 'put', 'mine', 'c')
      await cache.put('theirs', 'd')
      await expectEnd(name, 'mine')
      await expectEnd(name, 'theirs')
      expect(await inJava(name, 'containsEntry', 'theirs', 'd')).toBe(true)
      expect(await cache.getAll('mine')).toHaveLength(3)
      expect(await inJava(name, 'expireKey', 'none', ...LONG)).toBe(false)
      expect(await cache.expireKey('none', LONG_MS)).toBe(false)
      await inJava(name, 'removeAll', 'mine')
      await cache.removeAll('theirs')
      expect(await cache.isExists()).toBe(false)
    })

    it('has nothing of keys that have ended on either side', async () => {
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
      expect(await allOf(cache)).toEqual([['stays', 3]])
      expect(await inJava(name, 'readAllKeySet')).toEqual(['stays'])
      await inJava(name, 'put', 'theirs', 4)
      expect(await cache.getAll('theirs')).toEqual([4])
      await cache.delete()
    })

    it('has nothing of a key that has ended, although Java had its values last for longer', async () => {
      const name = bench.name()
      const cache = of(sides.node, name)
      await cache.put('k', 1)
      await cache.put('stays', 2)
      await cache.expireKey('k', 200)
      await inJava(name, 'clearExpire')
      await eventually(async () => {
        expect(await inJava(name, 'readAllKeySet')).toEqual(['stays'])
      })
      expect(await ask(valuesAt(name, 'k'), 'EXISTS')).toBe(1)
      expect(await cache.getAll('k')).toEqual([])
      await cache.put('k', 3)
      expect(await inJava(name, 'getAll', 'k')).toEqual([3])
      await cache.delete()
    })
  })
}
