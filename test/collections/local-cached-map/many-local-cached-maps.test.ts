import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Redisson, type RedissonClient } from '../../../src/index.js'
import { collectGarbage } from '../../support/collect-garbage.js'
import { eventually } from '../../support/eventually.js'
import { single } from '../../support/topologies.js'

/** How much more memory may be in use at the end, whatever their number. */
const MOST_BYTES = 8_000_000

describe('local cached maps of many names', () => {
  let client: RedissonClient

  beforeAll(async () => {
    client = await Redisson.create(single.options())
  })

  afterAll(() => client.shutdown())

  const channels = async () =>
    ((await single.nodes[0].command('PUBSUB', 'CHANNELS', '{many-*}:topic')) as string[]).length

  const heap = () => {
    collectGarbage()
    return process.memoryUsage().heapUsed
  }

  const mapOf = (name: string) =>
    client.getLocalCachedMap<string, number>(name, { ttlMs: 600_000, reconnectionStrategy: 'LOAD' })

  const cacheOf = (name: string) => client.getLocalCachedMapCache<string, number>(name, { ttlMs: 600_000 })

  type Make = typeof mapOf | typeof cacheOf

  const useAll = async (from: number, to: number, isDestroyed: boolean, make: Make) => {
    const use = async (place: number) => {
      const map = make(`many-${String(place)}`)
      await map.get('a')
      if (isDestroyed) await map.destroy()
    }
    for (let first = from; first < to; first += 500)
      await Promise.all(Array.from({ length: Math.min(500, to - first) }, (_, place) => use(first + place)))
  }

  const demandNothingLeft = async (count: number, isDestroyed: boolean, make: Make = mapOf) => {
    await useAll(0, 1_000, isDestroyed, make)
    const early = heap()
    await useAll(1_000, count, isDestroyed, make)
    await eventually(async () => {
      const used = heap() - early
      expect(await channels()).toBe(0)
      expect(used).toBeLessThan(MOST_BYTES)
    })
  }

  it('leave no memory and no subscription when they are destroyed', async () => {
    await demandNothingLeft(10_000, true)
  })

  it('leave none when they are dropped', async () => {
    await demandNothingLeft(5_000, false)
  })

  it.each([true, false])(
    'leave none where they are map caches, destroyed or not: %s',
    async (isDestroyed) => {
      await demandNothingLeft(3_000, isDestroyed, cacheOf)
    },
  )

  it('leave none, also 100 000 of them', { tags: ['full'] }, async () => {
    await demandNothingLeft(100_000, true)
  })
})
