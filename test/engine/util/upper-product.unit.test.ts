import fc from 'fast-check'
import { expect, it } from 'vitest'
import { upperProduct } from '../../../src/util/hash/upper-product.js'

function exact(one: number, other: number): number {
  return Number(BigInt.asIntN(32, (BigInt(one >>> 0) * BigInt(other >>> 0)) >> 32n))
}

it.each([
  [0, 0],
  [1, 1],
  [-1, -1],
  [-1, 1],
  [-2147483648, -2147483648],
  [-2147483648, 2],
  [4250360926, 4238323],
])('the upper half of %d times %d is exact', (one, other) => {
  expect(upperProduct(one, other)).toBe(exact(one, other))
})

it('the upper half of any product is exact', () => {
  const word = fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 })
  fc.assert(
    fc.property(word, word, (one, other) => {
      expect(upperProduct(one, other)).toBe(exact(one, other))
    }),
    { numRuns: 1000 },
  )
})

it('the upper half is exact where the product is hardly more than a power of two', () => {
  const word = fc.integer({ min: 2 ** 31, max: 2 ** 32 - 1 })
  fc.assert(
    fc.property(word, fc.integer({ min: 54, max: 62 }), (one, power) => {
      const other = Math.floor(2 ** power / one) + 1
      expect(upperProduct(one, other)).toBe(exact(one, other))
    }),
    { numRuns: 1000 },
  )
})
