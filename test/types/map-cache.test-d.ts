import { describe, expectTypeOf, it } from 'vitest'
import {
  longCodec,
  type LeaseGetResult,
  type MapCacheEvent,
  type RBatch,
  type RedissonClient,
  type RMapCache,
  type Subscription,
} from '../../src/index.js'

declare const client: RedissonClient
declare const batch: RBatch

interface User {
  readonly name: string
}

describe('the types of a map cache', () => {
  it('have keys that are texts and unknown values by default, and those of codecs', () => {
    expectTypeOf(client.getMapCache('x')).toEqualTypeOf<RMapCache<string, unknown>>()
    expectTypeOf(client.getMapCache<string, User>('x')).toEqualTypeOf<RMapCache<string, User>>()
    expectTypeOf(client.getMapCache<number, User>('x', { codec: { key: longCodec() } })).toEqualTypeOf<
      RMapCache<number, User>
    >()
    expectTypeOf(batch.getMapCache<string, User>('x')).toEqualTypeOf<RMapCache<string, User>>()
    // @ts-expect-error: keys that are no texts need a codec
    client.getMapCache<number, User>('x')
    // @ts-expect-error: a map cache has no loader
    client.getMapCache<string, User>('x', { loader: { load: () => undefined } })
  })

  it('take the times of an entry as options', () => {
    const cache = client.getMapCache<string, User>('x')
    const life = { ttlMs: 5, maxIdleMs: 5 }
    expectTypeOf(cache.put('a', { name: 'Ada' }, life)).resolves.toEqualTypeOf<User | undefined>()
    expectTypeOf(cache.fastPut('a', { name: 'Ada' }, life)).resolves.toEqualTypeOf<boolean>()
    expectTypeOf(cache.putAll({ a: { name: 'Ada' } }, life)).resolves.toEqualTypeOf<void>()
    expectTypeOf(cache.compute('a', (_, user) => user, { ...life, waitMs: 5 })).resolves.toEqualTypeOf<
      User | undefined
    >()
    expectTypeOf(cache.expireEntries(['a'], life)).resolves.toEqualTypeOf<number>()
    // @ts-expect-error: times are options
    void cache.put('a', { name: 'Ada' }, 5)
    // @ts-expect-error: the end stays as it is
    void cache.replace('a', { name: 'Ada' }, { name: 'Ada' }, life)
    // @ts-expect-error: an end has to be said
    void cache.expireEntry('a')
  })

  it('tell the time of an entry from that of the cache, and take no other key', () => {
    const cache = client.getMapCache<string, User>('x')
    expectTypeOf(cache.remainTimeToLive()).resolves.toEqualTypeOf<number>()
    expectTypeOf(cache.remainTimeToLive('a')).resolves.toEqualTypeOf<number>()
    // @ts-expect-error: a key is a text here
    void cache.remainTimeToLive(5)
    // @ts-expect-error: there are two modes
    void cache.setMaxSize(5, { mode: 'FIFO' })
  })

  it('have a value or a lease', () => {
    const cache = client.getMapCache<string, User>('x')
    expectTypeOf(cache.getWithLease('a', 5)).resolves.toEqualTypeOf<LeaseGetResult<User>>()
    expectTypeOf(
      cache.putWithLease('a', { name: 'Ada' }, 'token', { ttlMs: 5 }),
    ).resolves.toEqualTypeOf<boolean>()
    expectTypeOf(cache.removeWithLease('a')).resolves.toEqualTypeOf<boolean>()
    // @ts-expect-error: a lease has a time
    void cache.getWithLease('a')
  })

  it('have events with keys and values', () => {
    const cache = client.getMapCache<string, User>('x')
    const subscription = cache.addListener('entryUpdated', (event) => {
      expectTypeOf(event).toEqualTypeOf<MapCacheEvent<string, User>>()
      expectTypeOf(event.oldValue).toEqualTypeOf<User | undefined>()
    })
    expectTypeOf(subscription).resolves.toEqualTypeOf<Subscription>()
    void cache.addListener('expired', (name) => {
      expectTypeOf(name).toEqualTypeOf<string>()
    })
    // @ts-expect-error: there is no such event
    void cache.addListener('created', () => undefined)
  })

  it('have the reads of a map', () => {
    const cache = client.getMapCache<string, User>('x')
    expectTypeOf(cache.getAll(['a'])).resolves.toEqualTypeOf<Map<string, User>>()
    expectTypeOf(cache.getWithTTLOnly('a')).resolves.toEqualTypeOf<User | undefined>()
    expectTypeOf(cache.entries()).toEqualTypeOf<AsyncIterable<[string, User]>>()
    expectTypeOf(cache.replace('a', { name: 'Ada' })).resolves.toEqualTypeOf<User | undefined>()
    expectTypeOf(cache.replace('a', { name: 'Ada' }, { name: 'Alan' })).resolves.toEqualTypeOf<boolean>()
    expectTypeOf(cache).not.toHaveProperty('dump')
  })
})
