import { describe, expectTypeOf, it } from 'vitest'
import { jsonCodec, type RedissonClient, type RLexSortedSet } from '../../src/index.js'

declare const client: RedissonClient

describe('the types of a lex sorted set', () => {
  it('have texts as values, by no other codec', () => {
    expectTypeOf(client.getLexSortedSet('x')).toEqualTypeOf<RLexSortedSet>()
    expectTypeOf(client.getLexSortedSet('x', { exactlyOnce: true }).first()).resolves.toEqualTypeOf<
      string | undefined
    >()
    // @ts-expect-error: the values are texts as they are
    client.getLexSortedSet('x', { codec: jsonCodec() })
    // @ts-expect-error: a number is no text
    void client.getLexSortedSet('x').add(5)
  })

  it('tell one value from many', () => {
    const set = client.getLexSortedSet('x')
    expectTypeOf(set.pollFirst({ waitMs: 1 })).resolves.toEqualTypeOf<string | undefined>()
    expectTypeOf(set.pollLast(2, { waitMs: 1 })).resolves.toEqualTypeOf<string[]>()
    expectTypeOf(set.random()).resolves.toEqualTypeOf<string | undefined>()
    expectTypeOf(set.random(2)).resolves.toEqualTypeOf<string[]>()
  })

  it('take the bounds of each range, and no others', () => {
    const set = client.getLexSortedSet('x')
    void set.range(0, -1)
    void set.range({ from: 'a', to: 'b', toInclusive: false, count: 3 })
    void set.rangeTail({ from: 'a', offset: 1 })
    // @ts-expect-error: it has an end
    void set.range({ from: 'a' })
    // @ts-expect-error: its end is the last value
    void set.rangeTail({ from: 'a', to: 'b' })
    // @ts-expect-error: a bound is needed: without one it would remove all values
    void set.removeRangeHead({})
    // @ts-expect-error: a count is one of a range that is read
    void set.count({ from: 'a', to: 'b', count: 3 })
  })
})
