import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, describe, expect, it } from 'vitest'
import { jsonCodec, type RSetCache } from '../../../src/index.js'
import { MapCacheCleaning } from '../../../src/collections/map-cache/map-cache-cleaning.js'
import { SetCacheCleaning } from '../../../src/collections/set-cache/set-cache-cleaning.js'
import { RedissonSetCache } from '../../../src/collections/set-cache/set-cache.js'
import { EvictionService, type EvictionTask } from '../../../src/eviction/eviction-service.js'
import { objectContext } from '../../engine/core/object-fixture.js'
import { collectGarbage } from '../../support/collect-garbage.js'
import { eventually } from '../../support/eventually.js'
import { single } from '../../support/topologies.js'
import { SetCacheLook } from './set-cache-look.js'

const LONG = { ttlMs: 600_000 }

const SOON = { withinMs: 10_000 }

describe('the cleaning of a set cache', () => {
  const context = objectContext(() => single.options())
  const look = new SetCacheLook(single)
  const closing = new AbortController()
  const eviction = new EvictionService(closing.signal, { minSeconds: 1, maxSeconds: 1, limit: 100 })
  afterAll(() => {
    closing.abort()
  })

  const cacheOf = (name: string): RSetCache<unknown> => {
    const own = { ...context(), eviction }
    const services = { rooms: undefined as never, cleaning: new SetCacheCleaning(own) }
    return new RedissonSetCache<unknown>(own, name, { codec: jsonCodec(), run: {} }, services)
  }

  it('removes values that have ended, while the program refers to the cache', async () => {
    const name = 'values-cleaned'
    const cache = cacheOf(name)
    expect(eviction.size).toBe(0)
    const all = Array.from({ length: 150 }, (_, place) => place)
    await cache.addAll(all, LONG)
    await cache.add('stays', LONG)
    await cache.add('always')
    expect(eviction.size).toBe(1)
    await look.end(name, all)
    await eventually(async () => {
      expect(await look.members(name)).toEqual(['always', 'stays'])
    }, SOON)
    expect(await cache.contains('stays')).toBe(true)
    await cache.delete()
    await look.forgetCleaning(name)
  })

  it('goes on at once where there are more, by a run that holds off other clients', async () => {
    const name = 'values-many'
    const all = Array.from({ length: 1_200 }, (_, place) => place)
    const tasks: EvictionTask[] = []
    const hold = (_: string, task: EvictionTask) => {
      tasks.push(task)
      return () => undefined
    }
    new SetCacheCleaning({ ...context(), eviction: { hold } as unknown as EvictionService }).hold({}, name)
    await cacheOf(name).addAll(all, LONG)
    await look.end(name, all)
    const run = () => tasks[0]?.(closing.signal, { limit: 100, delaySeconds: 30 })
    expect(await run()).toBe(100)
    expect(await look.members(name)).toEqual([])
    await cacheOf(name).add('a', LONG)
    await look.end(name, ['a'])
    expect(await run()).toBeUndefined()
    expect(await look.members(name)).toEqual(['a'])
    await look.ask(name, 'DEL', name)
    await look.forgetCleaning(name)
  })

  it('goes on where the server has no memory', async () => {
    const name = 'values-full'
    const [node] = single.nodes
    const cache = cacheOf(name)
    await cache.add('a', LONG)
    await look.end(name, ['a'])
    await node.command('CONFIG', 'SET', 'maxmemory', 1)
    try {
      await expect(cache.add('b')).rejects.toMatchObject({ code: 'SERVER_NOT_READY', mayHaveRun: false })
      await eventually(async () => {
        expect(await look.members(name)).toEqual([])
      }, SOON)
    } finally {
      await node.command('CONFIG', 'SET', 'maxmemory', 0)
    }
    await look.forgetCleaning(name)
  })

  it('leaves another object alone that has the name by now', { tags: ['timed'] }, async () => {
    const name = 'values-taken'
    const cache = cacheOf(name)
    expect(await cache.size()).toBe(0)
    await look.ask(name, 'SET', name, 'text')
    await sleep(1_500)
    expect(await look.ask(name, 'GET', name)).toBe('text')
    await expect(cache.size()).rejects.toMatchObject({ code: 'WRONG_TYPE' })
    await look.ask(name, 'DEL', name)
  })

  it('is not left to a cache of another kind that had the name', async () => {
    const name = 'values-renewed'
    const before = {}
    new MapCacheCleaning({ ...context(), eviction }).hold(before, name)
    const cache = cacheOf(name)
    await cache.add('a', LONG)
    await look.end(name, ['a'])
    await eventually(async () => {
      expect(await look.members(name)).toEqual([])
    }, SOON)
    expect(before).toEqual({}) // it is referred to
    await look.forgetCleaning(name)
  })

  it('is done by one client at a time', { tags: ['timed'] }, async () => {
    const name = 'values-latch'
    const latch = `redisson__execute_task_once_latch:{${name}}`
    const cache = cacheOf(name)
    await cache.add('a', LONG)
    await look.end(name, ['a'])
    await look.ask(name, 'SET', latch, 1, 'EX', 30)
    await sleep(1_500)
    expect(await look.members(name)).toEqual(['a'])
    await look.ask(name, 'DEL', latch)
    await eventually(async () => {
      expect(await look.members(name)).toEqual([])
    }, SOON)
    await look.forgetCleaning(name)
  })

  it('notifies listeners for as long as they are subscribed, also where nothing else refers to the cache', async () => {
    const name = 'values-heard'
    const heard: unknown[] = []
    const subscription = await cacheOf(name).addListener('valueExpired', ({ value }) => heard.push(value))
    await look.ask(name, 'ZADD', name, 1, '"a"')
    await eventually(() => {
      collectGarbage()
      expect(heard).toEqual(['a'])
    }, SOON)
    await subscription.unsubscribe()
    await look.forgetCleaning(name)
  })

  it('ends when the program does not refer to the cache any more', async () => {
    await (async () => {
      await Promise.all(Array.from({ length: 10 }, (_, place) => cacheOf(`values-${String(place)}`).size()))
    })()
    expect(eviction.size).toBeGreaterThanOrEqual(10)
    await eventually(() => {
      collectGarbage()
      expect(eviction.size).toBe(0)
    })
  })
})
