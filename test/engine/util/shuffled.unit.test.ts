import { describe, expect, it } from 'vitest'
import { shuffled } from '../../../src/util/collections/shuffled.js'

describe('shuffled', () => {
  it('has the same items, and leaves the given ones', () => {
    const given = [1, 2, 3, 4]
    expect(shuffled(given).sort()).toEqual([1, 2, 3, 4])
    expect(given).toEqual([1, 2, 3, 4])
    expect(shuffled([])).toEqual([])
  })

  it('has each order about as often as any other', () => {
    const counts = new Map<string, number>()
    for (let n = 0; n < 6_000; n += 1) {
      const order = shuffled([1, 2, 3]).join('')
      counts.set(order, (counts.get(order) ?? 0) + 1)
    }
    expect(counts.size).toBe(6)
    for (const count of counts.values()) expect(Math.abs(count - 1_000)).toBeLessThan(200)
  })
})
