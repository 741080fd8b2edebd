import { describe, expect, it } from 'vitest'
import { CodecError, type MapCacheEvent, type RMapCache } from '../../../src/index.js'
import { twoClients } from '../../support/clients.js'
import { eventually } from '../../support/eventually.js'
import { noLeaks } from '../../support/no-leaks.js'
import { slottedTopologies } from '../../support/topologies.js'
import { CacheLook } from './cache-look.js'

const EVENTS = ['entryCreated', 'entryUpdated', 'entryRemoved', 'entryExpired'] as const

const LONG = { ttlMs: 600_000 }

type Cache = RMapCache<string, unknown>

describe.each(slottedTopologies)('the events of a map cache ($kind)', (topology) => {
  noLeaks(topology)
  const clients = twoClients(topology)
  const look = new CacheLook(topology)
  let names = 0

  /** What another client hears of while something is done. */
  const heard = async (
    act: (cache: Cache, name: string) => Promise<unknown>,
    count: number,
  ): Promise<MapCacheEvent<string, unknown>[]> => {
    const name = `events-${topology.kind}-${String(names++)}`
    const events: MapCacheEvent<string, unknown>[] = []
    const other = clients.other.getMapCache(name)
    const subscriptions = await Promise.all(
      EVENTS.map((event) => other.addListener(event, (each) => events.push(each))),
    )
    const cache = clients.mine.getMapCache(name)
    try {
      await act(cache, name)
      await eventually(() => {
        expect(events).toHaveLength(count)
      })
      await cache.fastRemove('last')
      await cache.fastPut('last', 'last')
      await eventually(() => {
        expect(events.at(-1)).toEqual({ type: 'entryCreated', key: 'last', value: 'last' })
      })
      expect(events).toHaveLength(count + 1)
    } finally {
      await Promise.all(subscriptions.map((each) => each.unsubscribe()))
      await cache.delete()
    }
    return events.slice(0, count)
  }

  it('tell of values that are set and replaced, by any call', async () => {
    const events = await heard(async (cache) => {
      await cache.put('a', 1)
      await cache.put('a', { é: 2 }, LONG)
      await cache.fastPut('b', null)
      await cache.putAll({ b: 2, c: 3 })
      await cache.putIfAbsent('c', 4)
      await cache.putIfAbsent('d', 5)
      await cache.fastPutIfExists('d', 6)
      await cache.replace('d', 7)
      await cache.addAndGet('d', 1)
      await cache.compute('e', () => 9)
    }, 10)
    expect(events).toEqual([
      { type: 'entryCreated', key: 'a', value: 1 },
      { type: 'entryUpdated', key: 'a', value: { é: 2 }, oldValue: 1 },
      { type: 'entryCreated', key: 'b', value: null },
      { type: 'entryUpdated', key: 'b', value: 2, oldValue: null },
      { type: 'entryCreated', key: 'c', value: 3 },
      { type: 'entryCreated', key: 'd', value: 5 },
      { type: 'entryUpdated', key: 'd', value: 6, oldValue: 5 },
      { type: 'entryUpdated', key: 'd', value: 7, oldValue: 6 },
      { type: 'entryUpdated', key: 'd', value: 8, oldValue: 7 },
      { type: 'entryCreated', key: 'e', value: 9 },
    ])
  })

  it('tell of entries that are removed, also to make room', async () => {
    const events = await heard(async (cache) => {
      await cache.putAll({ a: 1, b: 2, c: 3, d: 4, e: 5 })
      await cache.remove('a')
      await cache.remove('b', 3)
      await cache.remove('b', 2)
      await cache.fastRemove('c', 'x')
      await cache.setMaxSize(2)
      await cache.compute('d', () => undefined)
      await cache.get('e')
      await cache.setMaxSize(1)
      await cache.put('f', 6)
      await cache.setMaxSize(0)
    }, 11)
    expect(events.slice(5)).toEqual([
      { type: 'entryRemoved', key: 'a', value: 1 },
      { type: 'entryRemoved', key: 'b', value: 2 },
      { type: 'entryRemoved', key: 'c', value: 3 },
      { type: 'entryRemoved', key: 'd', value: 4 },
      { type: 'entryRemoved', key: 'e', value: 5 },
      { type: 'entryCreated', key: 'f', value: 6 },
    ])
  })

  it('tell of entries that have expired when their memory is freed', async () => {
    const events = await heard(async (cache, name) => {
      await cache.put('a', 1, LONG)
      await cache.put('b', 2, { maxIdleMs: 600_000 })
      await look.end(name, ['a', 'b'])
      expect(await cache.size()).toBe(0)
    }, 4)
    expect(events.slice(2)).toEqual([
      { type: 'entryExpired', key: 'a', value: 1 },
      { type: 'entryExpired', key: 'b', value: 2 },
    ])
  })

  it('are published once someone has listened, and not before', async () => {
    const name = `events-${topology.kind}-listeners`
    const cache = clients.mine.getMapCache(name)
    await cache.put('a', 1)
    expect(await look.keys(name)).toEqual([name])
    await (await cache.addListener('entryUpdated', () => undefined)).unsubscribe()
    expect(await look.ask(name, 'HGETALL', look.optionsOf(name))).toEqual(['has-listeners', '1'])
    await cache.delete()
  })

  it('are an error of the subscription where they cannot be read, and go on', async () => {
    const name = `events-${topology.kind}-unreadable`
    const cache = clients.mine.getMapCache(name)
    const events: unknown[] = []
    const errors: Error[] = []
    await using subscription = await cache.addListener('entryCreated', ({ key }) => events.push(key))
    subscription.on('error', (error) => errors.push(error))
    const bytes = clients.other.getMapCache<string, string>(name, {
      codec: {
        value: {
          name: 'raw',
          encode: (value) => value,
          decode: String,
        },
      },
    })
    await bytes.put('bad', '{')
    await bytes.put('good', '1')
    await eventually(() => {
      expect(events).toEqual(['good'])
    })
    expect(errors).toEqual([expect.any(CodecError)])
    await cache.delete()
  })

  it('end with a signal', async () => {
    const name = `events-${topology.kind}-signal`
    const cache = clients.mine.getMapCache(name)
    const reason = new Error('enough')
    const listening = cache.addListener('entryCreated', () => undefined, {
      signal: AbortSignal.abort(reason),
    })
    await expect(listening).rejects.toBe(reason)
    expect(await look.keys(name)).toEqual([])
  })
})
