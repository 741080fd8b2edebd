import { describe, expectTypeOf, it } from 'vitest'
import type { RedissonClient, Subscription } from '../../src/index.js'

declare const client: RedissonClient

describe('the types of events of objects', () => {
  it('are those that each kind of object has', () => {
    const hear = (name: string) => name
    expectTypeOf(client.getBucket('x').addListener('set', hear)).resolves.toEqualTypeOf<Subscription>()
    void client.getAtomicLong('x').addListener('incremented', hear)
    void client.getAtomicDouble('x').addListener('set', hear)
    void client.getMap('x').addListener('put', hear)
    void client.getMap('x').addListener('expired', hear, { signal: AbortSignal.timeout(5) })
    void client.getSemaphore('x').addListener('deleted', hear)
    // @ts-expect-error: a semaphore is not set
    void client.getSemaphore('x').addListener('set', hear)
    // @ts-expect-error: a bucket has no entries
    void client.getBucket('x').addListener('put', hear)
  })

  it('and increments take numbers of the counter', () => {
    void client.getAtomicLong('x').incrementAndGet({ by: 5, upperBound: 9, expire: new Date() })
    void client.getAtomicLong('x', { bigint: true }).incrementAndGet({ by: 5n })
    // @ts-expect-error: the counter has bigints
    void client.getAtomicLong('x', { bigint: true }).incrementAndGet({ by: 5 })
  })
})
