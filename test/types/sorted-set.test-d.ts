import { describe, expectTypeOf, it } from 'vitest'
import { longCodec, type RedissonClient, type RSortedSet } from '../../src/index.js'

declare const client: RedissonClient

describe('the types of a sorted set', () => {
  it('have texts by default, or numbers, and nothing else', () => {
    expectTypeOf(client.getSortedSet('x')).toEqualTypeOf<RSortedSet<string>>()
    expectTypeOf(client.getSortedSet<number>('x')).toEqualTypeOf<RSortedSet<number>>()
    expectTypeOf(client.getSortedSet('x', { codec: longCodec() })).toEqualTypeOf<RSortedSet<number>>()
    expectTypeOf(client.getSortedSet('x', { codec: longCodec({ bigint: true }) })).toEqualTypeOf<
      RSortedSet<bigint>
    >()
    // @ts-expect-error: objects have no natural order
    client.getSortedSet<{ id: number }>('x')
    // @ts-expect-error: the set has texts
    void client.getSortedSet('x').add(5)
  })

  it('tell one value from many', () => {
    const set = client.getSortedSet<number>('x')
    expectTypeOf(set.pollFirst({ waitMs: 1 })).resolves.toEqualTypeOf<number | undefined>()
    expectTypeOf(set.pollLast(2, { waitMs: 1 })).resolves.toEqualTypeOf<number[]>()
    expectTypeOf(set.first()).resolves.toEqualTypeOf<number | undefined>()
    expectTypeOf(set.readAll()).resolves.toEqualTypeOf<number[]>()
    // @ts-expect-error: it walks in order, without a pattern
    set.values({ pattern: '*' })
    expectTypeOf(set.distributedIterator({ iteratorName: 'x', count: 5 })).toEqualTypeOf<
      AsyncIterable<number>
    >()
  })
})
