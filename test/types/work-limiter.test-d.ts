import { describe, expectTypeOf, it } from 'vitest'
import type { RedissonClient, RWorkLimiter, Work, WorkCounts, WorkLimiterSettings } from '../../src/index.js'

declare const client: RedissonClient
declare const settings: WorkLimiterSettings

describe('the types of work limiters', () => {
  it('demand a concurrency, and take one rate or several', () => {
    const rate = { limit: 1, perMs: 1 }
    expectTypeOf(client.getWorkLimiter('x', settings)).toEqualTypeOf<RWorkLimiter>()
    expectTypeOf(client.getWorkLimiter('x', { concurrency: 1, rate })).toEqualTypeOf<RWorkLimiter>()
    expectTypeOf(client.getWorkLimiter('x', { concurrency: 1, rate: [rate] })).toEqualTypeOf<RWorkLimiter>()
    // @ts-expect-error: there is no concurrency
    client.getWorkLimiter('x', { rate })
    // @ts-expect-error: there are no settings
    client.getWorkLimiter('x')
    // @ts-expect-error: an interval is missing
    client.getWorkLimiter('x', { concurrency: 1, rate: { limit: 1 } })
  })

  it('return what functions return', () => {
    const limiter = client.getWorkLimiter('x', settings)
    expectTypeOf(limiter.run(() => 7)).resolves.toEqualTypeOf<number>()
    expectTypeOf(limiter.run(({ signal }) => Promise.resolve(signal))).resolves.toEqualTypeOf<AbortSignal>()
    expectTypeOf(limiter.wrap((_: Work, text: string, ...more: number[]) => [text, ...more])).toEqualTypeOf<
      (text: string, ...more: number[]) => Promise<(string | number)[]>
    >()
    expectTypeOf(limiter.counts()).resolves.toEqualTypeOf<WorkCounts>()
    expectTypeOf(limiter.reset()).resolves.toEqualTypeOf<boolean>()
    // @ts-expect-error: that is a setting
    void limiter.run(() => 7, { concurrency: 1 })
    expectTypeOf(limiter).not.toHaveProperty('delete')
  })
})
