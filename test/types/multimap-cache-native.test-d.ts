import { describe, expectTypeOf, it } from 'vitest'
import {
  longCodec,
  type RBatch,
  type RedissonClient,
  type RListMultimap,
  type RListMultimapCacheNative,
  type RSetMultimap,
  type RSetMultimapCacheNative,
} from '../../src/index.js'

declare const client: RedissonClient
declare const batch: RBatch

interface User {
  readonly name: string
}

describe('the types of native multimap caches', () => {
  it('have keys that are texts and unknown values by default, and those of codecs', () => {
    expectTypeOf(client.getSetMultimapCacheNative('x')).toEqualTypeOf<
      RSetMultimapCacheNative<string, unknown>
    >()
    expectTypeOf(client.getListMultimapCacheNative<string, User>('x')).toEqualTypeOf<
      RListMultimapCacheNative<string, User>
    >()
    expectTypeOf(
      client.getSetMultimapCacheNative<number, User>('x', { codec: { key: longCodec() } }),
    ).toEqualTypeOf<RSetMultimapCacheNative<number, User>>()
    expectTypeOf(batch.getListMultimapCacheNative<string, User>('x')).toEqualTypeOf<
      RListMultimapCacheNative<string, User>
    >()
    // @ts-expect-error: keys that are no texts need a codec
    client.getSetMultimapCacheNative<number, User>('x')
  })

  it('are those of multimaps, with a time for each key', () => {
    const sets = client.getSetMultimapCacheNative<string, User>('x')
    const lists = client.getListMultimapCacheNative<string, User>('x')
    expectTypeOf(sets).toExtend<RSetMultimap<string, User>>()
    expectTypeOf(lists).toExtend<RListMultimap<string, User>>()
    expectTypeOf(sets.expireKey('a', 5)).resolves.toEqualTypeOf<boolean>()
    expectTypeOf(lists.get('a').remainTimeToLive()).resolves.toEqualTypeOf<number>()
    // @ts-expect-error: a key is a text here
    void lists.expireKey(5, 5)
    // @ts-expect-error: a time has to be said
    void lists.expireKey('a')
  })
})
