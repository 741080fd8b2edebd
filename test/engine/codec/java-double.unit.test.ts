import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { plainJavaDouble } from '../../../src/codec/java-double.js'

describe('a number without an exponent', () => {
  it('reads as the same number', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        const text = plainJavaDouble(value)
        expect(text).toMatch(/^-?\d+(\.\d+)?$/)
        expect(Number(text)).toBe(value === 0 ? 0 : value)
      }),
    )
  })

  it.each([
    [-0, '0.0'],
    [-1, '-1.0'],
    [-1e7, '-10000000'],
    [123_456_789_012.5, '123456789012.5'],
    [-0.00025, '-0.00025'],
    [2e-5, '0.000020'],
  ])('is written as Java does: %d', (value, text) => {
    expect(plainJavaDouble(value)).toBe(text)
  })
})
