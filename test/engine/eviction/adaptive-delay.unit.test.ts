import { describe, expect, it } from 'vitest'
import { AdaptiveDelay } from '../../../src/eviction/adaptive-delay.js'

const BOUNDS = { minSeconds: 5, maxSeconds: 1_800, limit: 100 }

describe('the delay between two runs', () => {
  /** The delay after each of some runs. */
  const after = (counts: readonly number[], delay = new AdaptiveDelay(BOUNDS)): number[] =>
    counts.map((count) => {
      delay.note(count)
      return delay.seconds
    })
  const times = (length: number, count: number): number[] => Array.from({ length }, () => count)

  it('is the shortest at first', () => {
    expect(new AdaptiveDelay(BOUNDS).seconds).toBe(5)
  })

  it('grows by half, in whole seconds, from the third run on that finds nothing, up to the longest', () => {
    const grown = [5, 5, 7, 10, 15, 22, 33, 49, 73, 109, 163, 244, 366, 549, 823, 1234, 1800, 1800]
    expect(after(times(grown.length, 0))).toEqual(grown)
  })

  it('grows while each of three runs finds less than the one before', () => {
    expect(after([90, 80, 70, 60, 60, 50])).toEqual([5, 5, 7, 10, 10, 10])
  })

  it('becomes a quarter from the third run on that removes as many as it may, down to the shortest', () => {
    const delay = new AdaptiveDelay(BOUNDS)
    after(times(18, 0), delay)
    expect(after(times(8, 100), delay)).toEqual([1800, 1800, 450, 112, 28, 7, 5, 5])
  })

  it('becomes shorter for more than a run may remove, as several sorted sets have together', () => {
    const delay = new AdaptiveDelay(BOUNDS)
    after(times(5, 0), delay)
    expect(after(times(3, 250), delay)).toEqual([15, 15, 5])
  })

  it.each([
    { title: 'the same, and neither nothing nor all that it may', counts: [40, 40, 40, 99, 99, 99] },
    { title: 'more and more', counts: [1, 2, 3, 100, 101] },
    { title: 'first less and then as much', counts: [9, 8, 8, 7, 7] },
    { title: 'less, in turn with more', counts: [9, 1, 9, 1, 9] },
  ])('stays where runs find $title', ({ counts }) => {
    expect(after(counts)).toEqual(counts.map(() => 5))
  })

  it('keeps to other bounds', () => {
    const delay = new AdaptiveDelay({ minSeconds: 2, maxSeconds: 6, limit: 10 })
    expect(after(times(6, 0), delay)).toEqual([2, 2, 3, 4, 6, 6])
    expect(after(times(4, 10), delay)).toEqual([6, 6, 2, 2])
  })
})
