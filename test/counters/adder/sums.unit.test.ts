import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { plainJavaDouble } from '../../../src/codec/java-double.js'
import { fractions, integers } from '../../../src/counters/adder/sums.js'

const sums = fractions(plainJavaDouble)

const sumOf = (values: readonly number[]) =>
  values.reduce((sum, value) => sums.plus(sum, value) ?? sum, sums.zero)

/** A number that is a multiple of 2^-40, so that a bigint has all of it. */
const exact = fc
  .tuple(fc.integer(), fc.integer({ min: -40, max: 300 }))
  .map(([value, power]) => value * 2 ** power)

const asInteger = (value: number) => {
  const scaled = value * 2 ** 40 // by a power of two: exact
  return BigInt(scaled)
}

describe('sums of fractions', () => {
  it.each([
    [[], '0.0'],
    [[0.1, 0.2, -0.3], '0.000000000000000027755575615628914'],
    [[1e20, 1, -1e20], '1.0'],
    [Array<number>(10).fill(0.1), '1.0'],
  ] as const)('are exact: %o', (values, text) => {
    expect(sums.text(sumOf(values))).toBe(text)
  })

  it('are exact in any order', () => {
    fc.assert(
      fc.property(fc.array(exact, { maxLength: 30 }), (values) => {
        const whole = values.reduce((sum, value) => sum + asInteger(value), 0n)
        const partials = sumOf(values)
        expect(partials.reduce((sum, partial) => sum + asInteger(partial), 0n)).toBe(whole)
        expect(Number(sums.text(partials))).toBe(Number(whole) / 2 ** 40)
      }),
      { numRuns: 1_000 },
    )
  })

  it('are, less what was added before, exactly the rest', () => {
    fc.assert(
      fc.property(fc.array(exact), fc.array(exact), (kept, gone) => {
        const left = sums.minus(sumOf([...kept, ...gone]), sumOf(gone))
        expect(sums.text(left)).toBe(sums.text(sumOf(kept)))
      }),
      { numRuns: 1_000 },
    )
  })

  it('are none where they would be infinite', () => {
    expect(sums.plus(sumOf([Number.MAX_VALUE]), Number.MAX_VALUE)).toBeUndefined()
    expect(sums.plus(sumOf([-Number.MAX_VALUE]), -1e300)).toBeUndefined()
  })
})

describe('sums of integers', () => {
  it('have 64 bits', () => {
    const largest = 2n ** 63n - 1n
    expect(integers.plus(largest, 1n)).toBeUndefined()
    expect(integers.plus(-largest, -1n)).toBe(-largest - 1n)
    expect(integers.plus(-largest, -2n)).toBeUndefined()
    expect(integers.minus(5n, 7n)).toBe(-2n)
  })
})
