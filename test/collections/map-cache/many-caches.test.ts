import { describe, it } from 'vitest'
import { jsonCodec, stringCodec } from '../../../src/index.js'
import { MapCacheCleaning } from '../../../src/collections/map-cache/map-cache-cleaning.js'
import { RedissonMapCache } from '../../../src/collections/map-cache/map-cache.js'
import { Computations } from '../../../src/collections/map/computations.js'
import { EvictionService } from '../../../src/eviction/eviction-service.js'
import { objectContext } from '../../engine/core/object-fixture.js'
import { demandOneTimer } from '../../support/many-names.js'
import { single } from '../../support/topologies.js'

describe('map caches of many names', () => {
  const context = objectContext(() => single.options())

  /** Uses so many caches of different names, each of which is dropped then. */
  const demandNothingLeft = async (count: number): Promise<void> => {
    const closing = new AbortController()
    const eviction = new EvictionService(closing.signal)
    const own = { ...context(), eviction }
    const services = {
      rooms: undefined as never,
      computations: new Computations(),
      cleaning: new MapCacheCleaning(own),
    }
    const use = async (place: number) => {
      const name = `many-${String(place)}`
      const settings = { codec: { key: stringCodec(), value: jsonCodec() } as never, run: {} }
      await new RedissonMapCache<string, number>(own, name, settings, services).get('a')
    }
    await demandOneTimer(eviction, use, count)
    closing.abort()
  }

  it('leave one timer, and no memory', async () => {
    await demandNothingLeft(10_000)
  })

  it('leave one timer, and no memory, also 100 000 of them', { tags: ['full'] }, async () => {
    await demandNothingLeft(100_000)
  })
})
