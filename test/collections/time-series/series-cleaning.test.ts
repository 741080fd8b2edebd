import { afterAll, describe, expect, it } from 'vitest'
import { jsonCodec } from '../../../src/index.js'
import { SeriesCleaning } from '../../../src/collections/time-series/series-cleaning.js'
import { RedissonTimeSeries } from '../../../src/collections/time-series/time-series.js'
import { EvictionService } from '../../../src/eviction/eviction-service.js'
import { objectContext } from '../../engine/core/object-fixture.js'
import { askOwner } from '../../support/ask-owner.js'
import { collectGarbage } from '../../support/collect-garbage.js'
import { eventually } from '../../support/eventually.js'
import { Monitor } from '../../support/monitor.js'
import { single } from '../../support/topologies.js'

describe('the cleaning of a time series', () => {
  const context = objectContext(() => single.options())
  const closing = new AbortController()
  const eviction = new EvictionService(closing.signal, { minSeconds: 1, maxSeconds: 1, limit: 100 })
  afterAll(() => {
    closing.abort()
  })

  const seriesOf = (name: string) => {
    const own = { ...context(), eviction }
    return new RedissonTimeSeries<number, string>(
      own,
      name,
      { codec: jsonCodec(), run: {} },
      new SeriesCleaning(own),
    )
  }

  it('removes entries that have ended, up to 100 at a time, while the program refers to the series', async () => {
    const series = seriesOf('series-cleaned')
    expect(eviction.size).toBe(0)
    await using monitor = await Monitor.of(single.nodes)
    await series.addAll(
      Array.from({ length: 150 }, (_, place) => [place, place]),
      { ttlMs: 1 },
    )
    await series.add(1_000, 1_000)
    expect(eviction.size).toBe(1)
    const sizes = async () => [
      await askOwner(single, 'series-cleaned', 'ZCARD'),
      await askOwner(single, 'redisson__ts_ttl:{series-cleaned}', 'ZCARD'),
    ]
    await eventually(async () => {
      expect(await sizes()).toEqual([1, 1])
    })
    const deeds = await monitor.deedsOn('series-cleaned')
    const removed = deeds.flatMap(({ words }) => (words[0] === 'zrem' ? [words.slice(2).length] : []))
    expect(removed).toEqual([100, 50])
    expect(await series.last()).toBe(1_000)
    await series.delete()
  })

  it('ends when the program does not refer to the series any more', async () => {
    await (async () => {
      await Promise.all(Array.from({ length: 10 }, (_, place) => seriesOf(`series-${String(place)}`).size()))
    })()
    expect(eviction.size).toBeGreaterThanOrEqual(10)
    await eventually(() => {
      collectGarbage()
      expect(eviction.size).toBe(0)
    })
  })
})
