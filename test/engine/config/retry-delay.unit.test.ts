import { describe, expect, it } from 'vitest'
import type { DelayOptions } from '../../../src/api/redisson-options.js'
import { delayOf, longestDelayMs } from '../../../src/config/retry-delay.js'

const JUST_BELOW_ONE = 1 - Number.EPSILON

/** The shortest and the longest delay before an attempt. */
function range(options: DelayOptions, attempt: number): readonly [number, number] {
  return [delayOf(options, () => 0)(attempt), delayOf(options, () => JUST_BELOW_ONE)(attempt)]
}

describe('a constant delay', () => {
  it('is the same every time', () => {
    const delay = delayOf({ type: 'ConstantDelay', delay: 1500 })
    expect([0, 1, 1000].map(delay)).toEqual([1500, 1500, 1500])
  })
})

describe('a delay with equal jitter', () => {
  const options = { type: 'EqualJitterDelay', baseDelay: 1000, maxDelay: 2000 } as const

  it.each([
    [0, [500, 1000]],
    [1, [1000, 2000]],
    [2, [1000, 2000]],
    [5000, [1000, 2000]],
  ])('before attempt %i is half for certain and half at random', (attempt, expected) => {
    expect(range(options, attempt)).toEqual(expected)
  })

  it('stays at nothing when it begins with nothing', () => {
    expect(range({ ...options, baseDelay: 0 }, 5000)).toEqual([0, 0])
  })
})

describe('a delay with full jitter', () => {
  const options = { type: 'FullJitterDelay', baseDelay: 100, maxDelay: 1000 } as const

  it.each([
    [0, [0, 100]],
    [2, [0, 400]],
    [4, [0, 1000]],
  ])('before attempt %i is anything up to the whole', (attempt, expected) => {
    expect(range(options, attempt)).toEqual(expected)
  })
})

describe('a delay with decorrelated jitter', () => {
  const options = { type: 'DecorrelatedJitterDelay', baseDelay: 100, maxDelay: 1000 } as const

  it.each([
    [0, [100, 399]],
    [1, [100, 1000]],
    [1_000_000_000, [100, 1000]],
  ])('before attempt %i is the base and up to three times the delay before', (attempt, expected) => {
    expect(range(options, attempt)).toEqual(expected)
  })

  it('does not mix the delays of those who wait by it', () => {
    const delay = delayOf(options, () => JUST_BELOW_ONE)
    delay(20)
    expect(delay(0)).toBe(399)
  })
})

describe('the longest delay', () => {
  it.each<DelayOptions>([
    { type: 'ConstantDelay', delay: 7 },
    { type: 'EqualJitterDelay', baseDelay: 3, maxDelay: 101 },
    { type: 'FullJitterDelay', baseDelay: 3, maxDelay: 101 },
    { type: 'DecorrelatedJitterDelay', baseDelay: 3, maxDelay: 101 },
  ])('is never exceeded by $type', (options) => {
    const delay = delayOf(options)
    const delays = Array.from({ length: 500 }, (_, attempt) => delay(attempt % 50))
    expect(Math.max(...delays)).toBeLessThanOrEqual(longestDelayMs(options))
    expect(delays.every((ms) => Number.isInteger(ms) && ms >= 0)).toBe(true)
  })
})
