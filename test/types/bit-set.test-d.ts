import { describe, expectTypeOf, it } from 'vitest'
import type { RBitSet, RedissonClient } from '../../src/index.js'

declare const client: RedissonClient

describe('the types of a bit set', () => {
  it('have numbers in cells by default, and bigint as an option', () => {
    expectTypeOf(client.getBitSet('x')).toEqualTypeOf<RBitSet>()
    expectTypeOf(client.getBitSet('x', { bigint: true })).toEqualTypeOf<RBitSet<bigint>>()
    expectTypeOf(client.getBitSet('x', { exactlyOnce: true }).getLong(0)).resolves.toBeNumber()
    expectTypeOf(client.getBitSet('x', { bigint: true }).setByte(0, 1n)).resolves.toBeBigInt()
    expectTypeOf(client.getBitSet('x', { bigint: true }).cardinality()).resolves.toBeNumber()
    // @ts-expect-error: its cells are numbers
    void client.getBitSet('x').setByte(0, 1n)
  })

  it('tell one bit from many, and operations from each other', () => {
    const bits = client.getBitSet('x')
    expectTypeOf(bits.getEach(new Set([1]))).resolves.toEqualTypeOf<boolean[]>()
    expectTypeOf(bits.bitField([{ get: 'u8', offset: 0 }])).resolves.toEqualTypeOf<(number | undefined)[]>()
    // @ts-expect-error: several bits are one list
    void bits.setAll(1, 2)
    // @ts-expect-error: 1 is no value of a bit
    void bits.set(1, 1)
    // @ts-expect-error: what is set has a value
    void bits.bitField([{ set: 'u8', offset: 0 }])
    // @ts-expect-error: types begin with i or u
    void bits.bitField([{ get: 'x8', offset: 0 }])
  })
})
