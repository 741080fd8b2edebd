import { beforeEach, describe, expect, it } from 'vitest'
import { BatchError, UnsupportedCommandError, type RMapCacheNative } from '../../../src/index.js'
import { twoClients } from '../../support/clients.js'
import { noLeaks } from '../../support/no-leaks.js'
import { slottedTopologies } from '../../support/topologies.js'
import { knowsEndsOfFields } from './ends-of-fields.js'

const LIFE = { ttlMs: 600_000 }

type Cache = RMapCacheNative<string, number>

/** Those that set or read when entries end. */
const calls: Readonly<Record<string, (cache: Cache) => Promise<unknown>>> = {
  put: (cache) => cache.put('k', 2, LIFE),
  fastPut: (cache) => cache.fastPut('k', 2, LIFE),
  putAll: (cache) => cache.putAll({ k: 2, l: 3 }, LIFE),
  putIfAbsent: (cache) => cache.putIfAbsent('new', 2, LIFE),
  fastPutIfAbsent: (cache) => cache.fastPutIfAbsent('new', 2, LIFE),
  putIfExists: (cache) => cache.putIfExists('k', 2, LIFE),
  putIfAllKeysExist: (cache) => cache.putIfAllKeysExist({ k: 2 }, LIFE),
  putIfAllKeysAbsent: (cache) => cache.putIfAllKeysAbsent({ new: 2 }, LIFE),
  compute: (cache) => cache.compute('k', () => 2, LIFE),
  computeIfAbsent: (cache) => cache.computeIfAbsent('new', () => 2, LIFE),
  computeIfPresent: (cache) => cache.computeIfPresent('k', () => 2, LIFE),
  merge: (cache) => cache.merge('k', 2, () => 3, LIFE),
  expireEntry: (cache) => cache.expireEntry('k', LIFE),
  expireEntries: (cache) => cache.expireEntries(['k'], LIFE),
  expireEntryIfNotSet: (cache) => cache.expireEntryIfNotSet('k', LIFE),
  expireEntryIfGreater: (cache) => cache.expireEntryIfGreater('k', LIFE),
  expireEntryIfLess: (cache) => cache.expireEntryIfLess('k', LIFE),
  clearExpire: (cache) => cache.clearExpire('k'),
  clearExpireEach: (cache) => cache.clearExpireEach(['k']),
  remainTimeToLive: (cache) => cache.remainTimeToLive('k'),
  remainTimeToLiveEach: (cache) => cache.remainTimeToLiveEach(['k']),
}

describe.each(slottedTopologies)('a server that knows no ends of fields ($kind)', (topology) => {
  noLeaks(topology)
  beforeEach((context) => {
    context.skip(knowsEndsOfFields, 'needs a server without HPEXPIRE')
  })
  const clients = twoClients(topology)

  describe.each([false, true])('with exactlyOnce: %s', (exactlyOnce) => {
    it.each(Object.entries(calls))('refuses %s(), and changes nothing', async (method, call) => {
      const name = `no-ends-${topology.kind}-${method}-${String(exactlyOnce)}`
      const cache = clients.mine.getMapCacheNative<string, number>(name, { exactlyOnce })
      await cache.put('k', 1)
      const error: unknown = await call(cache).catch((reason: unknown) => reason)
      expect(error).toBeInstanceOf(UnsupportedCommandError)
      expect(error).toMatchObject({
        code: 'UNSUPPORTED_COMMAND',
        needs: 'Redis 7.4 or Valkey 9',
        mayHaveRun: false,
        message: 'The time to live of an entry needs Redis 7.4 or Valkey 9',
      })
      expect(await cache.readAllMap()).toEqual(new Map([['k', 1]]))
      await cache.delete()
    })
  })

  it('refuses them in a batch', async () => {
    const name = `no-ends-${topology.kind}-batch`
    const error: unknown = await clients.mine
      .batch((batch) => [batch.getMapCacheNative(name).put('k', 1, LIFE)])
      .catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(BatchError)
    expect((error as BatchError).results[0]).toMatchObject({ reason: { code: 'UNSUPPORTED_COMMAND' } })
    expect(await clients.mine.getMap(name).isExists()).toBe(false)
  })

  it('does all that has no times', async () => {
    const cache = clients.mine.getMapCacheNative<string, number>(`no-ends-${topology.kind}-plain`)
    expect(await cache.put('k', 1, { ttlMs: 0 })).toBeUndefined()
    expect(await cache.putIfExists('k', 2, {})).toBe(1)
    expect(await cache.putIfAllKeysExist({ k: 3 })).toBe(true)
    expect(await cache.putIfAllKeysAbsent({ k: 4, l: 4 })).toBe(false)
    expect(await cache.compute('k', (_, before = 0) => before + 1)).toBe(4)
    expect(await cache.remainTimeToLive()).toBe(-1)
    expect(await cache.expire(LIFE.ttlMs)).toBe(true)
    expect(await cache.clearExpire()).toBe(true)
    await cache.delete()
  })
})
