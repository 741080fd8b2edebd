import { beforeEach, describe, expect, it } from 'vitest'
import { askOwner } from '../../support/ask-owner.js'
import type { InteropFixture } from '../interop-fixture.js'
import type { JavaThread } from '../java-peer.js'
import { describeCodecs } from './codec-pairs.js'

/** So long that no test waits for its end. */
const LONG_MS = 600_000
const LONG = { ttlMs: LONG_MS }
const LONG_IN_JAVA = 'PT600S'

/** What native map caches of either side owe the other, where the servers have them. */
export function nativeMapCachesAcrossSides(bench: InteropFixture): void {
  const inJava = (thread: JavaThread, name: string, ...call: [string, ...unknown[]]) =>
    thread.call(['getMapCacheNative', name], call)

  describe('on servers that know the ends of fields,', () => {
    beforeEach(async (context) => {
      const reply = askOwner(bench.topology, 'none', 'HPTTL', 'FIELDS', 1, 'none')
      const isKnown = await reply.then(
        () => true,
        () => false,
      )
      context.skip(!isKnown, 'needs HPEXPIRE: Redis 7.4 or Valkey 9')
    })

    describeCodecs(bench, 'a native map cache', (sides, { keys, values }) => {
      it.each(['плод', '{tag}:native', 'a{tag}b'])('called %s is the same on both sides', async (at) => {
        const name = `${bench.name()}${at}`
        const cache = sides.node.getMapCacheNative(name)
        const java = (...call: [string, ...unknown[]]) => inJava(sides.java, name, ...call)
        const [one, two] = values
        const isLong = (left: unknown) => Number(left) > LONG_MS - 60_000 && Number(left) <= LONG_MS
        for (const key of keys as readonly string[]) {
          expect(await cache.put(key, one, LONG)).toBeUndefined()
          const bytes = await askOwner(bench.topology, name, 'HGETALL')
          expect(isLong(await java('remainTimeToLive', key))).toBe(true)
          expect(await java('put', key, one, LONG_IN_JAVA)).toEqual(one)
          expect(await askOwner(bench.topology, name, 'HGETALL')).toEqual(bytes)
          expect(isLong(await cache.remainTimeToLive(key))).toBe(true)
          expect(await java('putIfAbsent', key, two, LONG_IN_JAVA)).toEqual(one)
          expect(await cache.putIfExists(key, two, LONG)).toEqual(one)
          expect(await java('clearExpire', key)).toBe(true)
          expect(await cache.remainTimeToLive(key)).toBe(-1)
          expect(await java('expireEntry', key, LONG_IN_JAVA)).toBe(true)
          expect(await cache.expireEntryIfNotSet(key, LONG)).toBe(false)
          expect(await cache.clearExpire(key)).toBe(true)
          expect(await java('remainTimeToLive', key)).toBe(-1)
          expect(await java('fastRemove', [key])).toBe(1)
        }
        await cache.putAll(new Map([[keys[0] as string, one]]), LONG)
        expect(await java('readAllMap')).toEqual({ [String(keys[0])]: one })
        await cache.delete()
      })
    })
  })
}
