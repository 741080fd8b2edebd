import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, describe, expect, it } from 'vitest'
import { jsonCodec, stringCodec } from '../../../src/index.js'
import { MapCacheCleaning } from '../../../src/collections/map-cache/map-cache-cleaning.js'
import { RedissonMapCache } from '../../../src/collections/map-cache/map-cache.js'
import { Computations } from '../../../src/collections/map/computations.js'
import { EvictionService, type EvictionTask } from '../../../src/eviction/eviction-service.js'
import { objectContext } from '../../engine/core/object-fixture.js'
import { collectGarbage } from '../../support/collect-garbage.js'
import { eventually } from '../../support/eventually.js'
import { single } from '../../support/topologies.js'
import { CacheLook } from './cache-look.js'

describe('the cleaning of a map cache', () => {
  const context = objectContext(() => single.options())
  const look = new CacheLook(single)
  const closing = new AbortController()
  const eviction = new EvictionService(closing.signal, { minSeconds: 1, maxSeconds: 1, limit: 100 })
  afterAll(() => {
    closing.abort()
  })

  const cacheOf = (name: string, by = eviction) => {
    const own = { ...context(), eviction: by }
    return new RedissonMapCache<string, number>(
      own,
      name,
      { codec: { key: stringCodec(), value: jsonCodec() } as never, run: {} },
      { rooms: undefined as never, computations: new Computations(), cleaning: new MapCacheCleaning(own) },
    )
  }

  const texts = (count: number) =>
    Array.from({ length: count }, (_, place): [string, number] => [`k${String(place)}`, place])

  it('removes entries that have expired, while the program refers to the cache', async () => {
    const cache = cacheOf('cache-cleaned')
    expect(eviction.size).toBe(0)
    await cache.putAll(texts(150), { ttlMs: 600_000, maxIdleMs: 600_000 })
    await cache.put('stays', 1, { ttlMs: 600_000 })
    expect(eviction.size).toBe(1)
    await look.end(
      'cache-cleaned',
      texts(150).map(([key]) => key),
    )
    await eventually(
      async () => {
        expect(await look.fields('cache-cleaned')).toEqual(['stays'])
      },
      { withinMs: 10_000 },
    )
    await look.demandSound('cache-cleaned')
    expect(await cache.get('stays')).toBe(1)
    await cache.delete()
  })

  it('goes on at once where there are more', async () => {
    const tasks: EvictionTask[] = []
    const hold = (_: string, task: EvictionTask) => {
      tasks.push(task)
      return () => undefined
    }
    const cache = cacheOf('cache-many', { hold } as unknown as EvictionService)
    await cache.putAll(texts(1_200), { ttlMs: 600_000 })
    await look.end(
      'cache-many',
      texts(1_200).map(([key]) => key),
    )
    expect(await tasks[0]?.(closing.signal, { limit: 100, delaySeconds: 30 })).toBe(100)
    expect(await look.keys('cache-many')).toEqual([])
    await look.forgetCleaning('cache-many')
  })

  it('goes on where the server has no memory, and adds nothing there', async () => {
    const [node] = single.nodes
    const cache = cacheOf('cache-full')
    await cache.put('a', 1, { ttlMs: 600_000 })
    await look.end('cache-full', ['a'])
    await node.command('CONFIG', 'SET', 'maxmemory', 1)
    try {
      await expect(cache.put('b', 1)).rejects.toMatchObject({ code: 'SERVER_NOT_READY', mayHaveRun: false })
      await eventually(
        async () => {
          expect(await look.keys('cache-full')).toEqual([])
        },
        { withinMs: 10_000 },
      )
    } finally {
      await node.command('CONFIG', 'SET', 'maxmemory', 0)
    }
    await look.forgetCleaning('cache-full')
  })

  it('is done by one client at a time', { tags: ['timed'] }, async () => {
    const cache = cacheOf('cache-latch')
    await cache.put('a', 1, { ttlMs: 600_000 })
    await look.end('cache-latch', ['a'])
    await look.ask('cache-latch', 'SET', 'redisson__execute_task_once_latch:{cache-latch}', 1, 'EX', 30)
    await sleep(1_500)
    expect(await look.fields('cache-latch')).toEqual(['a'])
    await look.ask('cache-latch', 'DEL', 'redisson__execute_task_once_latch:{cache-latch}')
    await eventually(
      async () => {
        expect(await look.keys('cache-latch')).toEqual([])
      },
      { withinMs: 10_000 },
    )
  })

  it('ends when the program does not refer to the cache any more', async () => {
    await (async () => {
      await Promise.all(Array.from({ length: 10 }, (_, place) => cacheOf(`cache-${String(place)}`).size()))
    })()
    expect(eviction.size).toBeGreaterThanOrEqual(10)
    await eventually(() => {
      collectGarbage()
      expect(eviction.size).toBe(0)
    })
  })
})
