import { describe, expectTypeOf, it } from 'vitest'
import type { BitFieldGet, BitFieldIncrement, BitFieldSet, RBitSet, RedissonClient } from '../../src/index.js'

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
    // @ts-expect-error: one operation at a time
    void bits.bitField([{ get: 'u8', set: 'u8', offset: 0, value: 1 }])
    // @ts-expect-error: one operation at a time
    void bits.bitField([{ set: 'u8', increment: 'u8', offset: 0, value: 1, by: 1 }])
    // @ts-expect-error: what is read has no value
    void bits.bitField([{ get: 'u8', offset: 0, value: 1 }])
    // @ts-expect-error: what is read does not overflow
    void bits.bitField([{ get: 'u8', offset: 0, overflow: 'SAT' }])
  })

  it('have cells of 1 to 64 bits with a sign, and of 1 to 63 without', () => {
    const bits = client.getBitSet('x')
    void bits.bitField([
      { get: 'i1', offset: 0 },
      { get: 'i10', offset: 0 },
      { get: 'i64', offset: 0 },
      { get: 'u59', offset: 0 },
      { get: 'u63', offset: 0 },
    ])
    const [get, set, increment] = [{} as BitFieldGet, {} as BitFieldSet, {} as BitFieldIncrement]
    void bits.bitField([get, set, increment])
    // @ts-expect-error: types begin with i or u
    void bits.bitField([{ get: 'x8', offset: 0 }])
    // @ts-expect-error: Redis has no unsigned integers of 64 bits
    void bits.bitField([{ get: 'u64', offset: 0 }])
    // @ts-expect-error: there are 64 bits at most
    void bits.bitField([{ get: 'i65', offset: 0 }])
    // @ts-expect-error: a bit is the least
    void bits.bitField([{ get: 'i0', offset: 0 }])
    // @ts-expect-error: bits are whole
    void bits.bitField([{ get: 'i1.5', offset: 0 }])
    // @ts-expect-error: a size has no zeros before it
    void bits.bitField([{ get: 'u08', offset: 0 }])
    // @ts-expect-error: a text is no list of names
    void bits.or('abc')
  })
})
