import { describe, expectTypeOf, it } from 'vitest'
import { longCodec, type RBatch, type RedissonClient, type RMapCacheNative } from '../../src/index.js'

declare const client: RedissonClient
declare const batch: RBatch

interface User {
  readonly name: string
}

const ada = { name: 'Ada' }

describe('the types of a native map cache', () => {
  it('have keys that are texts and unknown values by default, and those of codecs', () => {
    expectTypeOf(client.getMapCacheNative('x')).toEqualTypeOf<RMapCacheNative<string, unknown>>()
    expectTypeOf(client.getMapCacheNative<string, User>('x')).toEqualTypeOf<RMapCacheNative<string, User>>()
    expectTypeOf(client.getMapCacheNative<number, User>('x', { codec: { key: longCodec() } })).toEqualTypeOf<
      RMapCacheNative<number, User>
    >()
    expectTypeOf(batch.getMapCacheNative<string, User>('x')).toEqualTypeOf<RMapCacheNative<string, User>>()
    // @ts-expect-error: keys that are no texts need a codec
    client.getMapCacheNative<number, User>('x')
    // @ts-expect-error: it has no loader
    client.getMapCacheNative<string, User>('x', { loader: { load: () => undefined } })
  })

  it('take the time of an entry as an option', () => {
    const cache = client.getMapCacheNative<string, User>('x')
    const life = { ttlMs: 5 }
    expectTypeOf(cache.put('a', ada, life)).resolves.toEqualTypeOf<User | undefined>()
    expectTypeOf(cache.putIfExists('a', ada, life)).resolves.toEqualTypeOf<User | undefined>()
    expectTypeOf(cache.putAll({ a: ada }, life)).resolves.toEqualTypeOf<void>()
    expectTypeOf(cache.putIfAllKeysAbsent({ a: ada }, life)).resolves.toEqualTypeOf<boolean>()
    expectTypeOf(cache.compute('a', () => ada, { ...life, waitMs: 5 })).resolves.toEqualTypeOf<
      User | undefined
    >()
    expectTypeOf(cache.expireEntriesIfLess(['a'], life)).resolves.toEqualTypeOf<number>()
    // @ts-expect-error: there is no idle time
    void cache.put('a', ada, { maxIdleMs: 5 })
    // @ts-expect-error: the time is an option
    void cache.put('a', ada, 5)
    // @ts-expect-error: a time has to be said
    void cache.expireEntry('a', {})
    // @ts-expect-error: it takes no time
    void cache.replace('a', ada, ada, life)
  })

  it('tell the time of an entry from that of the cache', () => {
    const cache = client.getMapCacheNative<string, User>('x')
    expectTypeOf(cache.remainTimeToLive()).resolves.toEqualTypeOf<number>()
    expectTypeOf(cache.remainTimeToLive('a')).resolves.toEqualTypeOf<number>()
    expectTypeOf(cache.remainTimeToLiveEach(['a'])).resolves.toEqualTypeOf<Map<string, number>>()
    expectTypeOf(cache.clearExpire('a')).resolves.toEqualTypeOf<boolean>()
    expectTypeOf(cache.clearExpireEach(['a'])).resolves.toEqualTypeOf<Map<string, boolean>>()
    void cache.addListener('entryExpired', (name) => {
      expectTypeOf(name).toEqualTypeOf<string>()
    })
    // @ts-expect-error: it has no events with keys
    void cache.addListener('entryCreated', () => undefined)
    expectTypeOf(cache).toHaveProperty('dump')
    expectTypeOf(cache).not.toHaveProperty('setMaxSize')
  })
})
