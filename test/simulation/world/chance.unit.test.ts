import { describe, expect, it } from 'vitest'
import { Chance } from './chance.js'

function numbers(chance: Chance, count = 50): number[] {
  return Array.from({ length: count }, () => chance.uint32())
}

describe('chance', () => {
  it('is the same for the same seed, and another for another one', () => {
    expect(numbers(new Chance(7))).toEqual(numbers(new Chance(7)))
    expect(numbers(new Chance(7))).not.toEqual(numbers(new Chance(8)))
    expect(numbers(new Chance('a seed'))).not.toEqual(numbers(new Chance('a sead')))
  })

  it('forks into generators that no other draw shifts', () => {
    const chance = new Chance(1)
    const before = numbers(chance.fork('network'))
    chance.uint32()
    chance.fork('other').uint32()
    expect(numbers(chance.fork('network'))).toEqual(before)
    expect(numbers(chance.fork('processes'))).not.toEqual(before)
    expect(numbers(new Chance(2).fork('network'))).not.toEqual(before)
  })

  it('draws whole numbers below a bound, each about as often', () => {
    const chance = new Chance(3)
    const counts = [0, 0, 0, 0, 0]
    for (let draw = 0; draw < 10_000; draw += 1) {
      const drawn = chance.whole(5)
      counts[drawn] = (counts[drawn] ?? 0) + 1
    }
    for (const count of counts) expect(Math.abs(count - 2_000)).toBeLessThan(200)
  })

  it('draws numbers in a range, and items of a list', () => {
    const chance = new Chance(4)
    const drawn = Array.from({ length: 1_000 }, () => chance.between(-2, 3))
    expect(Math.min(...drawn)).toBeGreaterThanOrEqual(-2)
    expect(Math.max(...drawn)).toBeLessThan(3)
    expect(new Set(Array.from({ length: 100 }, () => chance.pick(['a', 'b'])))).toEqual(new Set(['a', 'b']))
    expect(() => chance.pick([])).toThrow(RangeError)
  })

  it('lets happen what is certain, and nothing that is impossible', () => {
    const chance = new Chance(5)
    const draws = Array.from({ length: 100 }, () => [chance.chance(1), chance.chance(0)])
    expect(new Set(draws.map(String))).toEqual(new Set(['true,false']))
  })

  it('draws one number for a probability, whichever it is', () => {
    const [often, never] = [new Chance(6), new Chance(6)]
    often.chance(0.9)
    never.chance(0)
    expect(often.uint32()).toBe(never.uint32())
  })
})
