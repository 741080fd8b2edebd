import { describe, expectTypeOf, it } from 'vitest'
import {
  longCodec,
  type RBatch,
  type RedissonClient,
  type RListMultimap,
  type RListMultimapCache,
  type RSetMultimap,
  type RSetMultimapCache,
} from '../../src/index.js'

declare const client: RedissonClient
declare const batch: RBatch

interface User {
  readonly name: string
}

describe('the types of multimap caches', () => {
  it('have keys that are texts and unknown values by default, and those of codecs', () => {
    expectTypeOf(client.getSetMultimapCache('x')).toEqualTypeOf<RSetMultimapCache<string, unknown>>()
    expectTypeOf(client.getListMultimapCache<string, User>('x')).toEqualTypeOf<
      RListMultimapCache<string, User>
    >()
    expectTypeOf(
      client.getSetMultimapCache<number, User>('x', { codec: { key: longCodec() } }),
    ).toEqualTypeOf<RSetMultimapCache<number, User>>()
    expectTypeOf(batch.getListMultimapCache<string, User>('x')).toEqualTypeOf<
      RListMultimapCache<string, User>
    >()
    // @ts-expect-error: keys that are no texts need a codec
    client.getSetMultimapCache<number, User>('x')
  })

  it('are those of multimaps, with a time for each key', () => {
    const sets = client.getSetMultimapCache<string, User>('x')
    const lists = client.getListMultimapCache<string, User>('x')
    expectTypeOf(sets).toExtend<RSetMultimap<string, User>>()
    expectTypeOf(lists).toExtend<RListMultimap<string, User>>()
    expectTypeOf(sets.expireKey('a', 5)).resolves.toEqualTypeOf<boolean>()
    // @ts-expect-error: a key is a text here
    void lists.expireKey(5, 5)
    // @ts-expect-error: a time has to be said
    void lists.expireKey('a')
  })
})
