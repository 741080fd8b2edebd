import { describe, expectTypeOf, it } from 'vitest'
import {
  longCodec,
  type RBatch,
  type RedissonClient,
  type RLocalCachedMapCache,
  type RMapCache,
} from '../../src/index.js'

declare const client: RedissonClient

interface User {
  readonly name: string
}

describe('the types of a local cached map cache', () => {
  it('have keys that are texts and unknown values by default, and those of codecs', () => {
    expectTypeOf(client.getLocalCachedMapCache('x')).toEqualTypeOf<RLocalCachedMapCache<string, unknown>>()
    expectTypeOf(
      client.getLocalCachedMapCache<number, User>('x', { codec: { key: longCodec() } }),
    ).toEqualTypeOf<RLocalCachedMapCache<number, User>>()
    // @ts-expect-error: keys that are no texts need a codec
    client.getLocalCachedMapCache<number, User>('x')
    expectTypeOf<RBatch>().not.toHaveProperty('getLocalCachedMapCache')
  })

  it('are those of a map cache, and of what is kept', () => {
    const map = client.getLocalCachedMapCache<string, User>('x')
    expectTypeOf(map).toExtend<RMapCache<string, User>>()
    expectTypeOf(map.put('a', { name: 'Ada' }, { ttlMs: 1 })).resolves.toEqualTypeOf<User | undefined>()
    expectTypeOf(map.getCachedMap()).resolves.toEqualTypeOf<Map<string, User>>()
    expectTypeOf(map.clearLocalCache()).resolves.toEqualTypeOf<boolean>()
    expectTypeOf(map).toExtend<AsyncDisposable>()
  })

  it('know the strategies', () => {
    client.getLocalCachedMapCache('x', { syncStrategy: 'UPDATE', reconnectionStrategy: 'NONE' })
    // @ts-expect-error: changes are not noted in Redis
    client.getLocalCachedMapCache('x', { reconnectionStrategy: 'LOAD' })
  })
})
