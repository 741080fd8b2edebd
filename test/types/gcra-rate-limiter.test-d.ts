import { describe, expectTypeOf, it } from 'vitest'
import type {
  GcraLimitState,
  GcraRateLimiterSettings,
  GcraResult,
  RateLimiterSettings,
  RedissonClient,
  RGcraRateLimiter,
  ResolvedGcraLimit,
  RRateLimiter,
} from '../../src/index.js'

declare const client: RedissonClient
declare const settings: GcraRateLimiterSettings
declare const redisson: RateLimiterSettings

describe('the types of rate limiters', () => {
  it('tell the two kinds by the algorithm', () => {
    expectTypeOf(
      client.getRateLimiter('x', { algorithm: 'gcra', limit: 1, perMs: 1 }),
    ).toEqualTypeOf<RGcraRateLimiter>()
    expectTypeOf(client.getRateLimiter('x', settings)).toEqualTypeOf<RGcraRateLimiter>()
    expectTypeOf(client.getRateLimiter('x')).toEqualTypeOf<RRateLimiter>()
    expectTypeOf(client.getRateLimiter('x', redisson)).toEqualTypeOf<RRateLimiter>()
    expectTypeOf(client.getRateLimiter('x', { rate: 1, intervalMs: 1 })).toEqualTypeOf<RRateLimiter>()
  })

  it('demand one limit or several', () => {
    const limits = [{ limit: 1, perMs: 1 }]
    expectTypeOf(client.getRateLimiter('x', { algorithm: 'gcra', limits })).toEqualTypeOf<RGcraRateLimiter>()
    // @ts-expect-error: an interval is missing
    client.getRateLimiter('x', { algorithm: 'gcra', limit: 1 })
    // @ts-expect-error: there is no such algorithm
    client.getRateLimiter('x', { algorithm: 'leaky', limit: 1, perMs: 1 })
    // @ts-expect-error: a rate is Redisson's
    client.getRateLimiter('x', { algorithm: 'gcra', rate: 1, intervalMs: 1 })
    // @ts-expect-error: local limits have an interval
    client.getRateLimiter('x', { algorithm: 'gcra', limits, onRedisDown: { local: { limit: 1 } } })
  })

  it('have one result for all that asks', () => {
    const limiter = client.getRateLimiter('x', settings)
    expectTypeOf(limiter.consume('a', { cost: 2 })).resolves.toEqualTypeOf<GcraResult>()
    expectTypeOf(limiter.acquire('a', { waitMs: 2 })).resolves.toEqualTypeOf<GcraResult>()
    expectTypeOf(limiter.peek('a')).resolves.toEqualTypeOf<GcraResult>()
    expectTypeOf(limiter.refund('a')).resolves.toEqualTypeOf<GcraResult>()
    expectTypeOf(limiter.reset('a')).resolves.toEqualTypeOf<boolean>()
    expectTypeOf<GcraResult['refusedBy']>().toEqualTypeOf<ResolvedGcraLimit | undefined>()
    expectTypeOf<GcraResult['limits'][number]>().toExtend<ResolvedGcraLimit>()
    expectTypeOf<GcraResult['limits'][number]['remaining']>().toEqualTypeOf<number>()
    expectTypeOf<GcraResult['limits']>().toEqualTypeOf<readonly GcraLimitState[]>()
    // @ts-expect-error: that does not wait
    void limiter.consume('a', { waitMs: 2 })
    // @ts-expect-error: a key is a text
    void limiter.consume(7)
    expectTypeOf(limiter).not.toHaveProperty('delete')
  })
})
