import { describe, it } from 'vitest'
import { jsonCodec } from '../../../src/index.js'
import { SetCacheCleaning } from '../../../src/collections/set-cache/set-cache-cleaning.js'
import { RedissonSetCache } from '../../../src/collections/set-cache/set-cache.js'
import { EvictionService } from '../../../src/eviction/eviction-service.js'
import { objectContext } from '../../engine/core/object-fixture.js'
import { demandOneTimer } from '../../support/many-names.js'
import { single } from '../../support/topologies.js'

describe('set caches of many names', () => {
  const context = objectContext(() => single.options())

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
