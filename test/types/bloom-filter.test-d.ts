import { describe, expectTypeOf, it } from 'vitest'
import { longCodec, stringCodec, type RBloomFilter, type RedissonClient } from '../../src/index.js'

declare const client: RedissonClient

describe('the types of a Bloom filter', () => {
  it('have unknown values by default, and those of the codec', () => {
    expectTypeOf(client.getBloomFilter('x')).toEqualTypeOf<RBloomFilter<unknown>>()
    expectTypeOf(client.getBloomFilter<string>('x')).toEqualTypeOf<RBloomFilter<string>>()
    expectTypeOf(client.getBloomFilter('x', { codec: stringCodec() })).toEqualTypeOf<RBloomFilter<string>>()
    // @ts-expect-error: the codec is of another type
    client.getBloomFilter<string>('x', { codec: longCodec() })
  })

  it('tell one value from many, and have no dump', () => {
    const filter = client.getBloomFilter<number>('x')
    expectTypeOf(filter.add(1)).resolves.toBeBoolean()
    expectTypeOf(filter.addAll(new Set([1]))).resolves.toBeNumber()
    expectTypeOf(filter.containsEach([1])).resolves.toEqualTypeOf<boolean[]>()
    expectTypeOf(filter.exists([1])).resolves.toEqualTypeOf<number[]>()
    // @ts-expect-error: the values are numbers
    void filter.add('a')
    // @ts-expect-error: one value is no list
    void filter.addAll(1)
    expectTypeOf(filter).not.toHaveProperty('dump') // it has two keys
  })
})
