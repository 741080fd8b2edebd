import { describe, expect, it } from 'vitest'
import { TakeSize } from '../../../src/queues/reliable-queue/take/take-size.js'

describe('how many messages a take asks for', () => {
  it('is what the program may get, at first', () => {
    expect([1, 100, 1_000].map((wanted) => new TakeSize().of(wanted))).toEqual([1, 100, 1_000])
  })

  it('is half of those that came too late, and at least one', () => {
    const size = new TakeSize()
    const after = [100, 50, 1, 1].map((came) => {
      size.late(came)
      return size.of(1_000)
    })
    expect(after).toEqual([50, 25, 1, 1])
  })

  it('doubles while all that it lets come is in time', () => {
    const size = new TakeSize()
    size.late(250)
    const sizes: number[] = []
    for (let each = 0; each < 4; each += 1) {
      const asked = size.of(1_000)
      size.inTime(asked, { asked, hasMore: true })
      sizes.push(size.of(1_000))
    }
    expect(sizes).toEqual([250, 500, 1_000, 1_000])
  })

  it('is twice as many as there was room for', () => {
    const size = new TakeSize()
    size.inTime(3, { asked: 100, hasMore: true })
    expect(size.of(100)).toBe(6)
  })

  it('stays where no more were there, or the program asked for fewer', () => {
    const size = new TakeSize()
    size.inTime(3, { asked: 100, hasMore: false })
    size.inTime(0, { asked: 100, hasMore: true })
    expect(size.of(1_000)).toBe(1_000)
    size.late(20)
    size.inTime(1, { asked: 1, hasMore: true })
    expect(size.of(1_000)).toBe(10)
  })
})
