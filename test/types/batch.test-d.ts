import { describe, expectTypeOf, it } from 'vitest'
import type { RBatch, RedissonClient } from '../../src/index.js'

declare const client: RedissonClient

describe('the types of a batch', () => {
  it('are a tuple, in the order in which the calls were returned', () => {
    const results = client.batch((batch) => [
      batch.getAtomicLong('a').incrementAndGet(),
      batch.getMap<string, { name: string }>('b').get('k'),
      batch.getBucket<string>('c').set('text'),
      batch.getAtomicLong('d', { bigint: true }).get(),
      batch.getList<string>('e').removeAt(0),
      'a value',
    ])
    expectTypeOf(results).resolves.toEqualTypeOf<
      [number, { name: string } | undefined, void, bigint, string | undefined, 'a value']
    >()
  })

  it('are a list where the number of calls is not known', () => {
    const results = client.batch((batch) => ['a', 'b'].map((name) => batch.getAtomicLong(name).get()), {
      mode: 'atomic',
    })
    expectTypeOf(results).resolves.toEqualTypeOf<number[]>()
  })

  it('are nothing where results are skipped', () => {
    const nothing = client.batch(
      (batch) => {
        void batch.getAtomicLong('a').incrementAndGet()
      },
      { skipResult: true },
    )
    expectTypeOf(nothing).resolves.toEqualTypeOf<void>()
  })

  it('refuse a function that waits or returns nothing', () => {
    // @ts-expect-error: nothing is sent while it waits
    void client.batch(async (batch) => [await batch.getAtomicLong('a').get()])
    // @ts-expect-error: nor without results
    void client.batch(async (batch) => [await batch.getAtomicLong('a').get()], { skipResult: true })
    // @ts-expect-error: results are wanted
    void client.batch(() => undefined)
  })

  it('have no locks', () => {
    expectTypeOf<RBatch>().not.toHaveProperty('getLock')
    expectTypeOf<RBatch>().not.toHaveProperty('getSemaphore')
    expectTypeOf<RBatch>().not.toHaveProperty('getPatternTopic')
  })
})
