import { describe, expect, it } from 'vitest'
import { Random } from '../../../chaos/random.js'

describe('choices by chance', () => {
  it('are the same for the same seed', () => {
    const choices = (seed: number) => {
      const random = new Random(seed)
      return [random.whole(1, 1_000), random.between(0, 1), random.pick(['a', 'b', 'c']), random.seed()]
    }
    expect(choices(7)).toEqual(choices(7))
    expect(choices(7)).not.toEqual(choices(8))
  })

  it('include both ends of whole numbers, and nothing else', () => {
    const random = new Random(1)
    const seen = new Set(Array.from({ length: 200 }, () => random.whole(1, 3)))
    expect([...seen].sort()).toEqual([1, 2, 3])
  })

  it('put things into another order, and lose none', () => {
    const things = Array.from({ length: 20 }, (_, index) => index)
    const shuffled = new Random(1).shuffled(things)
    expect(shuffled).not.toEqual(things)
    expect(shuffled.toSorted((one, other) => one - other)).toEqual(things)
  })

  it('need something to choose from', () => {
    expect(() => new Random(1).pick([])).toThrow('Expected something to choose from')
  })
})
