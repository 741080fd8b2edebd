import { describe, expect, it, vi } from 'vitest'
import { KnownMatch } from '../../../src/util/collections/known-match.js'

describe('a match that is known', () => {
  const setUp = (...numbers: number[]) => {
    const values = new Set(numbers)
    const meets = vi.fn((value: number) => value > 0)
    return { values, meets, match: new KnownMatch(values, meets) }
  }

  it('is there as long as any value meets the condition', () => {
    const { values, match } = setUp(-1, 1, 2)
    expect(match.look()).toBe(true)
    values.delete(1)
    expect(match.look()).toBe(true)
    values.delete(2)
    expect([match.look(), match.look()]).toEqual([false, false])
    values.add(3)
    expect(match.look()).toBe(true)
    values.clear()
    expect(match.look()).toBe(false)
  })

  it('is one that has been passed over, and meets the condition by now', () => {
    const { values, meets, match } = setUp(-1, 1)
    expect(match.look()).toBe(true)
    values.delete(1)
    meets.mockReturnValue(true)
    expect(match.look()).toBe(true)
    meets.mockReturnValue(false)
    expect(match.look()).toBe(false)
  })

  it('is found without a new look at all values, while they leave one by one', () => {
    const { values, match } = setUp(-1, 1, 2, 3, 4, 5)
    match.look()
    const looks = vi.spyOn(values, 'values')
    for (const value of [1, 2, 3, 4]) {
      values.delete(value)
      expect(match.look()).toBe(true)
    }
    expect(looks).not.toHaveBeenCalled()
  })
})
