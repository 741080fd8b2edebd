import { describe, expect, it } from 'vitest'
import type { RLocalCachedMap } from '../../../src/index.js'
import { eventually } from '../../support/eventually.js'
import type { InteropFixture } from '../interop-fixture.js'
import { PLAIN_JSON } from '../java-peer.js'
import { openSides } from './codec-pairs.js'

/** What local cached maps of either side owe the other. */
export function localCachedMapsAcrossSides(bench: InteropFixture): void {
  describe('a local cached map', () => {
    const sides = openSides(bench, { java: { codec: PLAIN_JSON } })

    /** The map on both sides, each of which keeps an entry. */
    const withMap = async (
      syncStrategy: 'INVALIDATE' | 'UPDATE',
      use: (
        map: RLocalCachedMap<string, unknown>,
        java: (...call: [string, ...unknown[]]) => Promise<unknown>,
      ) => Promise<void>,
    ) => {
      const name = bench.name()
      const getter = ['getLocalCachedMap', name, syncStrategy, 'LOAD'] as const
      const java = (...call: [string, ...unknown[]]) => sides.java.call([...getter], call)
      await using map = sides.node.getLocalCachedMap(name, { syncStrategy, reconnectionStrategy: 'LOAD' })
      await map.preloadCache()
      await map.put('k', 'first')
      await eventually(async () => {
        expect(await java('get', 'k')).toBe('first')
        expect(await map.get('k')).toBe('first')
        expect(await java('getCachedMap')).toEqual({ k: 'first' })
        expect(await map.cachedKeySet()).toEqual(['k'])
      })
      await use(map, java)
      await map.delete()
      await java('destroy')
    }

    describe.each(['INVALIDATE', 'UPDATE'] as const)('with %s', (syncStrategy) => {
      it('has what the other side has changed', async () => {
        await withMap(syncStrategy, async (map, java) => {
          const changes: readonly (readonly [string, unknown, () => Promise<unknown>])[] = [
            ['put in Java', 'a', () => java('put', 'k', 'a')],
            ['put', 'b', () => map.put('k', 'b')],
            ['fastPut in Java', 'c', () => java('fastPut', 'k', 'c')],
            ['fastPut', 'd', () => map.fastPut('k', 'd')],
            ['replace in Java', 'e', () => java('replace', 'k', 'e')],
            ['replace', 'f', () => map.replace('k', 'f', 'f').then(() => map.replace('k', 'e', 'f'))],
            ['putAll in Java', 'g', () => java('putAll', { k: 'g', other: 'x' })],
            ['putAll', 'h', () => map.putAll({ k: 'h', other: 'y' })],
            ['remove in Java', undefined, () => java('remove', 'k')],
            ['putIfAbsent', 'i', () => map.putIfAbsent('k', 'i')],
            ['fastRemove', undefined, () => map.fastRemove('k')],
            ['putIfAbsent in Java', 'j', () => java('putIfAbsent', 'k', 'j')],
            ['delete in Java', undefined, () => java('delete')],
            ['addAndGet', 5, () => map.addAndGet('k', 5)],
            ['addAndGet in Java', 7, () => java('addAndGet', 'k', 2)],
            ['clear', undefined, () => map.clear()],
          ]
          for (const [what, value, change] of changes) {
            await change()
            await eventually(
              async () => {
                expect(await map.get('k')).toEqual(value)
                expect(await java('get', 'k')).toEqual(value ?? null)
              },
              { what },
            )
          }
        })
      })
    })

    it('has the new value without asking, with UPDATE of either side', async () => {
      await withMap('UPDATE', async (map, java) => {
        await map.put('k', { x: [1] })
        await eventually(async () => {
          expect(await java('getCachedMap')).toEqual({ k: { x: [1] } })
        })
        await java('put', 'k', 'theirs')
        await eventually(async () => {
          expect(await map.getCachedMap()).toEqual(new Map([['k', 'theirs']]))
        })
      })
    })

    it('has the entries of a map cache in Java, where it is a map cache', async () => {
      const name = bench.name()
      const java = (...call: [string, ...unknown[]]) => sides.java.call(['getMapCache', name], call)
      await using map = sides.node.getLocalCachedMapCache(name)
      await map.put('k', 'here', { ttlMs: 600_000, maxIdleMs: 600_000 })
      expect(await java('get', 'k')).toBe('here')
      await java('put', 'k', 'there', 600_000, 'MILLISECONDS')
      expect(await map.clearLocalCache()).toBe(true)
      expect(await map.get('k')).toBe('there')
      expect(await map.remainTimeToLive('k')).toBeGreaterThan(0)
      expect(await map.getCachedMap()).toEqual(new Map([['k', 'there']]))
      await map.delete()
    })

    it('is cleared when the other side asks for it, which waits for that', async () => {
      await withMap('INVALIDATE', async (map, java) => {
        expect(await map.clearLocalCache()).toBe(true)
        expect(await java('getCachedMap')).toEqual({})
        expect(await java('get', 'k')).toBe('first')
        expect(await map.get('k')).toBe('first')
        await java('clearLocalCache')
        expect(await map.cachedKeySet()).toEqual([])
      })
    })
  })
}
