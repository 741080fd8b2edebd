import { describe, expectTypeOf, it } from 'vitest'
import type { CacheStats, RCache, RedissonClient } from '../../src/index.js'

declare const client: RedissonClient

interface User {
  readonly name: string
}

const ada: User = { name: 'Ada' }

describe('the types of a cache', () => {
  it('have unknown values by default', () => {
    expectTypeOf(client.getCache('x')).toEqualTypeOf<RCache<unknown>>()
    expectTypeOf(client.getCache<User>('x', { ttlMs: 5, local: { maxEntries: 5, ttlMs: 5 } })).toEqualTypeOf<
      RCache<User>
    >()
    // @ts-expect-error: there is no such option
    client.getCache<User>('x', { ttl: 5 })
    // @ts-expect-error: entries in memory have a time
    client.getCache<User>('x', { local: { maxEntries: 5 } })
  })

  it('have undefined only where the loader may return it', () => {
    const cache = client.getCache<User>('x')
    expectTypeOf(cache.getOrLoad('a', () => ada)).resolves.toEqualTypeOf<User>()
    expectTypeOf(cache.getOrLoad('a', () => Promise.resolve(ada))).resolves.toEqualTypeOf<User>()
    expectTypeOf(cache.getOrLoad('a', ({ previous }) => previous)).resolves.toEqualTypeOf<User | undefined>()
    expectTypeOf(cache.get('a')).resolves.toEqualTypeOf<User | undefined>()
    expectTypeOf(cache.getMany(['a'])).resolves.toEqualTypeOf<Map<string, User>>()
    expectTypeOf(cache.stats).toEqualTypeOf<CacheStats>()
    // @ts-expect-error: the loader returns something else
    void cache.getOrLoad('a', () => 5)
    // @ts-expect-error: there is no such value
    void cache.set('a', undefined)
  })

  it('give the loader what it may need', () => {
    void client.getCache<User>('x').getOrLoad('a', ({ key, signal, previous }) => {
      expectTypeOf(key).toEqualTypeOf<string>()
      expectTypeOf(signal).toEqualTypeOf<AbortSignal>()
      expectTypeOf(previous).toEqualTypeOf<User | undefined>()
      return ada
    })
  })

  it('keep the arguments of a wrapped function', () => {
    const cache = client.getCache<User>('x')
    const wrapped = cache.wrap((id: number, name: string): User => ({ name: name + String(id) }), {
      key: (id) => String(id),
    })
    expectTypeOf(wrapped).toEqualTypeOf<(id: number, name: string) => Promise<User>>()
    // @ts-expect-error: a key is made of the arguments
    cache.wrap((id: number) => ({ name: String(id) }))
  })
})
