import { describe, expect, it } from 'vitest'
import { jsonCodec } from '../../../src/index.js'
import { SetCacheCleaning } from '../../../src/collections/set-cache/set-cache-cleaning.js'
import { RedissonSetCache } from '../../../src/collections/set-cache/set-cache.js'
import { EvictionService } from '../../../src/eviction/eviction-service.js'
import { objectContext } from '../../engine/core/object-fixture.js'
import { collectGarbage } from '../../support/collect-garbage.js'
import { eventually } from '../../support/eventually.js'
import { single } from '../../support/topologies.js'

/** How much more memory may be in use at the end, whatever their number. */
const MOST_BYTES = 8_000_000

describe('set caches of many names', () => {
  const context = objectContext(() => single.options())

  const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length

  /** Uses so many caches of different names, each of which is dropped then. */
  const demandNothingLeft = async (count: number): Promise<void> => {
    const closing = new AbortController()
    const eviction = new EvictionService(closing.signal)
    const own = { ...context(), eviction }
    const services = { rooms: undefined as never, cleaning: new SetCacheCleaning(own) }
    const use = async (place: number) => {
      const settings = { codec: jsonCodec(), run: {} }
      await new RedissonSetCache(own, `many-values-${String(place)}`, settings, services).contains('a')
    }
    const useAll = async (from: number, to: number) => {
      for (let first = from; first < to; first += 500)
        await Promise.all(Array.from({ length: Math.min(500, to - first) }, (_, place) => use(first + place)))
    }
    const heap = () => {
      collectGarbage()
      return process.memoryUsage().heapUsed
    }
    const gone = () =>
      eventually(() => {
        collectGarbage()
        expect(eviction.size).toBe(0)
      })
    const before = timers()
    await useAll(0, 1_000)
    expect(eviction.size).toBeGreaterThan(0)
    expect(timers()).toBeLessThanOrEqual(before + 1)
    await gone()
    const early = heap()
    await useAll(1_000, count)
    expect(timers()).toBeLessThanOrEqual(before + 1)
    await gone()
    expect(heap() - early).toBeLessThan(MOST_BYTES)
    expect(timers()).toBeLessThanOrEqual(before)
    closing.abort()
  }

  it('leave one timer, and no memory', async () => {
    await demandNothingLeft(10_000)
  })

  it('leave one timer, and no memory, also 100 000 of them', { tags: ['full'] }, async () => {
    await demandNothingLeft(100_000)
  })
})
