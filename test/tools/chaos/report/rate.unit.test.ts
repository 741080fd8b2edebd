import { describe, expect, it } from 'vitest'
import { grouped, rate } from '../../../../chaos/report/rate.js'

describe('a rate', () => {
  it('comes with the count that it rests on', () => {
    expect(rate(3, 40)).toBe('3 in 40 (0.075)')
  })

  it('may be one of a thousand cases', () => {
    expect(rate(5, 20_000, 1_000)).toBe('5 in 20 000 (0.25)')
  })

  it('has an upper bound if nothing was seen: three in as many cases', () => {
    expect(rate(0, 60)).toBe('0 in 60 (< 0.05)')
    expect(rate(0, 12_000, 1_000)).toBe('0 in 12 000 (< 0.25)')
  })

  it('is none without cases', () => {
    expect(rate(0, 0)).toBe('–')
  })

  it('has no more digits than it deserves', () => {
    expect(rate(1, 7)).toBe('1 in 7 (0.14)')
    expect(rate(7_000, 2)).toBe('7 000 in 2 (3 500)')
  })
})

it.each([
  [0, '0'],
  [999, '999'],
  [1_000, '1 000'],
  [1_234_567, '1 234 567'],
])('%d is written with its thousands apart', (count, text) => {
  expect(grouped(count)).toBe(text)
})
