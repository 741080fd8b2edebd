import { afterAll, describe, expect, it } from 'vitest'
import { jsonCodec, stringCodec } from '../../../src/index.js'
import { RedissonListMultimapCache } from '../../../src/collections/multimap-cache/list-multimap-cache.js'
import { RedissonSetMultimapCache } from '../../../src/collections/multimap-cache/set-multimap-cache.js'
import { MultimapCacheCleaning } from '../../../src/collections/multimap-cache/multimap-cache-cleaning.js'
import { multimapEnds } from '../../../src/core/context/names.js'
import { EvictionService } from '../../../src/eviction/eviction-service.js'
import { objectContext } from '../../engine/core/object-fixture.js'
import { askOwner } from '../../support/ask-owner.js'
import { collectGarbage } from '../../support/collect-garbage.js'
import { eventually } from '../../support/eventually.js'
import { demandOneTimer } from '../../support/many-names.js'
import { single } from '../../support/topologies.js'

const SOON = { withinMs: 10_000 }

describe('the cleaning of multimap caches', () => {
  const context = objectContext(() => single.options())
  const closing = new AbortController()
  afterAll(() => {
    closing.abort()
  })

  const newCaches = (eviction: EvictionService) => {
    const own = { ...context(), eviction }
    const services = { rooms: undefined as never, cleaning: new MultimapCacheCleaning(own) }
    const codec = { key: stringCodec(), value: jsonCodec() } as never
    return (name: string) =>
      new RedissonListMultimapCache<string, number>(own, name, { codec, run: {} }, services)
  }

  const ask = (key: string, command: string, ...args: (string | number)[]) =>
    askOwner(single, key, command, ...args)

  it('removes keys that have ended, with their values, also where only the values of a key are used', async () => {
    const eviction = new EvictionService(closing.signal, { minSeconds: 1, maxSeconds: 1, limit: 100 })
    const cacheOf = newCaches(eviction)
    const name = 'mm-cache-cleaned'
    const values = await (async () => {
      const cache = cacheOf(name)
      for (let n = 0; n < 150; n += 1) await cache.put(`k${String(n)}`, n)
      for (let n = 0; n < 150; n += 1) await cache.expireKey(`k${String(n)}`, 600_000)
      await cache.put('stays', 1)
      return cache.get('stays')
    })()
    const all = Array.from({ length: 150 }, (_, n) => [1, `k${String(n)}`]).flat()
    await ask(multimapEnds(name, 'list'), 'ZADD', 'XX', ...all)
    await eventually(async () => {
      collectGarbage()
      expect(await ask(name, 'HKEYS')).toEqual(['stays'])
    }, SOON)
    expect(await ask(multimapEnds(name, 'list'), 'EXISTS')).toBe(0)
    expect(await single.nodes[0].command('KEYS', `{${name}}:*`)).toHaveLength(1)
    expect(eviction.size).toBe(1)
    expect(await values.delete()).toBe(true)
    expect(await ask(name, 'EXISTS')).toBe(0)
  })

  it('is not left to a multimap of the other kind that had the name', async () => {
    const eviction = new EvictionService(closing.signal, { minSeconds: 1, maxSeconds: 1, limit: 100 })
    const name = 'mm-cache-renewed'
    const before = newCaches(eviction)(name)
    await before.put('a', 1)
    await before.delete()
    const own = { ...context(), eviction }
    const services = { rooms: undefined as never, cleaning: new MultimapCacheCleaning(own) }
    const codec = { key: stringCodec(), value: jsonCodec() } as never
    const cache = new RedissonSetMultimapCache<string, number>(own, name, { codec, run: {} }, services)
    await cache.put('a', 1)
    await cache.expireKey('a', 600_000)
    await ask(multimapEnds(name, 'set'), 'ZADD', 'XX', 1, 'a')
    await eventually(async () => {
      expect(await ask(name, 'EXISTS')).toBe(0)
    }, SOON)
    expect(await before.isEmpty()).toBe(true) // it is referred to
  })

  /** Uses so many caches of different names, each of which is dropped then. */
  const demandNothingLeft = async (count: number): Promise<void> => {
    const eviction = new EvictionService(closing.signal)
    const cacheOf = newCaches(eviction)
    const use = (place: number) => cacheOf(`mm-cache-${String(place)}`).containsKey('a')
    await demandOneTimer(eviction, use, count)
  }

  it('leaves one timer, and no memory, where many names were used', async () => {
    await demandNothingLeft(10_000)
  })

  it('leaves one timer, and no memory, also of 100 000 names', { tags: ['full'] }, async () => {
    await demandNothingLeft(100_000)
  })
})
