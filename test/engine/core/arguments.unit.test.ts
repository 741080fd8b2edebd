import { describe, expect, it } from 'vitest'
import { optionalLifeTime } from '../../../src/core/arguments/arguments.js'

describe('a life time that may be left out', () => {
  it.each([undefined, 0])('has no end for %o', (given) => {
    expect(optionalLifeTime(given)).toBe(undefined)
  })

  it.each([Symbol('s'), Object.create(null), '5', 5n, null, NaN])(
    'refuses %o with its own words',
    (given) => {
      expect(() => optionalLifeTime(given as number)).toThrow(/^Expected `ttlMs` to be/)
    },
  )

  it.each([-1, Infinity, 1e300])('refuses %o, which is out of range', (given) => {
    expect(() => optionalLifeTime(given)).toThrow(RangeError)
  })
})
