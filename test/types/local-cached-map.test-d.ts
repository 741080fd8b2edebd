import { describe, expectTypeOf, it } from 'vitest'
import {
  longCodec,
  type RBatch,
  type RedissonClient,
  type RLocalCachedMap,
  type RMap,
} from '../../src/index.js'

declare const client: RedissonClient

interface User {
  readonly name: string
}

describe('the types of a local cached map', () => {
  it('have keys that are texts and unknown values by default, and those of codecs', () => {
    expectTypeOf(client.getLocalCachedMap('x')).toEqualTypeOf<RLocalCachedMap<string, unknown>>()
    expectTypeOf(client.getLocalCachedMap<string, User>('x')).toEqualTypeOf<RLocalCachedMap<string, User>>()
    expectTypeOf(client.getLocalCachedMap<number, User>('x', { codec: { key: longCodec() } })).toEqualTypeOf<
      RLocalCachedMap<number, User>
    >()
    // @ts-expect-error: keys that are no texts need a codec
    client.getLocalCachedMap<number, User>('x')
    // @ts-expect-error: a local cached map has no loader yet
    client.getLocalCachedMap<string, User>('x', { loader: { load: () => undefined } })
    expectTypeOf<RBatch>().not.toHaveProperty('getLocalCachedMap')
  })

  it('are those of a map, without loaders and writers', () => {
    const map = client.getLocalCachedMap<string, User>('x')
    expectTypeOf(map).toExtend<Omit<RMap<string, User>, 'flush' | 'loadAll'>>()
    expectTypeOf(map.get('a')).resolves.toEqualTypeOf<User | undefined>()
    expectTypeOf(map.getCachedMap()).resolves.toEqualTypeOf<Map<string, User>>()
    expectTypeOf(map.cachedEntrySet()).resolves.toEqualTypeOf<[string, User][]>()
    expectTypeOf(map.cachedKeySet()).resolves.toEqualTypeOf<string[]>()
    expectTypeOf(map.cachedValues()).resolves.toEqualTypeOf<User[]>()
    expectTypeOf(map.clearLocalCache()).resolves.toEqualTypeOf<boolean>()
    expectTypeOf(map).toExtend<AsyncDisposable>()
  })

  it('know the strategies', () => {
    client.getLocalCachedMap('x', {
      syncStrategy: 'UPDATE',
      reconnectionStrategy: 'LOAD',
      evictionPolicy: 'LFU',
    })
    // @ts-expect-error: there are three of them
    client.getLocalCachedMap('x', { evictionPolicy: 'SOFT' })
    // @ts-expect-error: there are three of them
    client.getLocalCachedMap('x', { syncStrategy: 'CLEAR' })
  })
})
