import { describe, expectTypeOf, it } from 'vitest'
import {
  longCodec,
  stringCodec,
  type RBatch,
  type RedissonClient,
  type RLock,
  type RSetCache,
  type SetCacheEvent,
  type Subscription,
} from '../../src/index.js'

declare const client: RedissonClient
declare const batch: RBatch

interface User {
  readonly name: string
}

describe('the types of a set cache', () => {
  it('have unknown values by default, and those of the codec', () => {
    expectTypeOf(client.getSetCache('x')).toEqualTypeOf<RSetCache<unknown>>()
    expectTypeOf(client.getSetCache<User>('x')).toEqualTypeOf<RSetCache<User>>()
    expectTypeOf(client.getSetCache('x', { codec: stringCodec() })).toEqualTypeOf<RSetCache<string>>()
    expectTypeOf(batch.getSetCache<User>('x')).toEqualTypeOf<RSetCache<User>>()
    // @ts-expect-error: the codec is of another type
    client.getSetCache<User>('x', { codec: longCodec() })
    // @ts-expect-error: each value has a time of its own
    client.getSetCache('x', { ttlMs: 5 })
  })

  it('take the time of a value as an option', () => {
    const cache = client.getSetCache<User>('x')
    const ada = { name: 'Ada' }
    expectTypeOf(cache.add(ada, { ttlMs: 5 })).resolves.toEqualTypeOf<boolean>()
    expectTypeOf(cache.addIfGreater(ada, { ttlMs: 5 })).resolves.toEqualTypeOf<boolean>()
    expectTypeOf(cache.addAll([ada], { ttlMs: ({ name }) => name.length })).resolves.toEqualTypeOf<boolean>()
    expectTypeOf(cache.addAllIfAbsent([ada], { ttlMs: 5 })).resolves.toEqualTypeOf<number>()
    expectTypeOf(cache.tryAddAll(new Set([ada]), { ttlMs: 5 })).resolves.toEqualTypeOf<boolean>()
    // @ts-expect-error: a time is an option
    void cache.add(ada, 5)
    // @ts-expect-error: a function is for several values
    void cache.add(ada, { ttlMs: () => 5 })
    // @ts-expect-error: the values are users
    void cache.add('ada')
    // @ts-expect-error: one value is no list
    void cache.addAll(ada)
  })

  it('have the methods of a set, but those that no set cache has', () => {
    const cache = client.getSetCache<User>('x')
    expectTypeOf(cache.random()).resolves.toEqualTypeOf<User | undefined>()
    expectTypeOf(cache.random(2)).resolves.toEqualTypeOf<User[]>()
    expectTypeOf(cache.readUnion(['a'])).resolves.toEqualTypeOf<User[]>()
    expectTypeOf(cache.values()).toEqualTypeOf<AsyncIterable<User>>()
    expectTypeOf(cache[Symbol.asyncIterator]()).toEqualTypeOf<AsyncIterator<User>>()
    expectTypeOf(cache.getLock({ name: 'Ada' })).toEqualTypeOf<RLock>()
    expectTypeOf(cache.move(1)).resolves.toEqualTypeOf<boolean>()
    // @ts-expect-error: a value stays where it is
    void cache.move('y', { name: 'Ada' })
    for (const none of ['removeRandom', 'readSort', 'readSortAlpha', 'sortTo'] as const)
      expectTypeOf(cache).not.toHaveProperty(none)
  })

  it('have events with and without values', () => {
    const cache = client.getSetCache<User>('x')
    expectTypeOf(
      cache.addListener('valueExpired', (event) => {
        expectTypeOf(event).toEqualTypeOf<SetCacheEvent<User>>()
      }),
    ).resolves.toEqualTypeOf<Subscription>()
    for (const event of ['added', 'removed', 'stored', 'deleted'] as const)
      void cache.addListener(event, (name) => name)
    // @ts-expect-error: that is an event of sets
    void cache.addListener('removedRandom', (name: string) => name)
  })
})
