import { describe, expectTypeOf, it } from 'vitest'
import type {
  RBatch,
  RBucket,
  RClientSideCaching,
  RedissonClient,
  RList,
  RMap,
  RStream,
  SignalledObjects,
} from '../../src/index.js'

declare const client: RedissonClient

describe('client-side caching', () => {
  it('hands out the objects that the client has, with the same options', () => {
    const cached = client.getClientSideCaching()
    expectTypeOf(cached).toEqualTypeOf<RClientSideCaching>()
    expectTypeOf(cached.getBucket<string>('x', { exactlyOnce: true })).toEqualTypeOf<RBucket<string>>()
    expectTypeOf(cached.getMap<string, number>('x')).toEqualTypeOf<RMap<string, number>>()
    expectTypeOf(cached.getList('x')).toEqualTypeOf<RList<unknown>>()
    expectTypeOf(cached.getStream('x')).toExtend<RStream<string, unknown>>()
    expectTypeOf(cached.destroy()).toEqualTypeOf<Promise<void>>()
  })

  it('has limits', () => {
    client.getClientSideCaching({ cacheSize: 5, evictionPolicy: 'LFU', ttlMs: 5, maxIdleMs: 5 })
    // @ts-expect-error no such policy
    client.getClientSideCaching({ evictionPolicy: 'SOFT' })
    // @ts-expect-error the option is `cacheSize`
    client.getClientSideCaching({ size: 5 })
  })

  it('has no objects whose reads cannot be kept, and is no part of a batch', () => {
    expectTypeOf<RClientSideCaching>().not.toHaveProperty('getAtomicLong')
    expectTypeOf<SignalledObjects>().not.toHaveProperty('getClientSideCaching')
    expectTypeOf<RBatch>().not.toHaveProperty('getClientSideCaching')
  })
})
