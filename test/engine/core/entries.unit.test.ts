import { describe, expect, it } from 'vitest'
import { entriesOf, valuesOf } from '../../../src/core/entries.js'

function* forEver<T>(item: T): Generator<T, void> {
  for (;;) yield item
}

const TOO_MANY = new RangeError('Expected `values` to have at most 4194304 items, got more')

describe('what a program gives', () => {
  it('is read once', () => {
    const values = [1, 2].values()
    expect(valuesOf('values', values)).toEqual([1, 2])
    expect(valuesOf('values', values)).toEqual([])
  })

  it('is refused where it has no end, before it takes all memory', () => {
    expect(() => valuesOf('values', forEver(1))).toThrow(TOO_MANY)
    expect(() => {
      let sum = 0
      for (const [, one] of entriesOf('values', forEver(['key', 1] as const))) sum += one
      return sum
    }).toThrow(TOO_MANY)
  })
})
