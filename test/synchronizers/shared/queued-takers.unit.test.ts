import { describe, expect, it } from 'vitest'
import { initialOf, QueuedTakers, type Claim } from '../../../src/synchronizers/shared/queued-takers.js'
import { Deadline } from '../../../src/util/time/deadline.js'

const claimOf = (permits: number, initial?: number): Claim => ({
  permits,
  initial,
  waitMs: Infinity,
  deadline: Deadline.never,
  signal: undefined,
})

const takersOf = (...permits: number[]) => {
  const takers = new QueuedTakers<Claim, number>()
  for (const each of permits) takers.add(claimOf(each))
  return takers
}

const permitsOf = (takers: Iterable<{ claim: Claim }> | undefined) =>
  takers && Array.from(takers, ({ claim }) => claim.permits)

describe('waiters for permits', () => {
  it('are asked for together up to a number of permits', () => {
    expect(permitsOf(takersOf(1, 2, 3).firstWithin(3))).toEqual([1, 2])
  })

  it('are asked for one by one where the first wants more than that', () => {
    expect(permitsOf(takersOf(5, 1).firstWithin(3))).toEqual([5])
  })

  it('are asked for a hundred at a time', () => {
    expect(takersOf(...Array<number>(150).fill(0)).firstWithin(1_000)).toHaveLength(100)
  })

  it('are found if they want exactly that number of permits together', () => {
    const takers = takersOf(1, 2, 3)
    expect(permitsOf(takers.firstFor(3))).toEqual([1, 2])
    expect(takers.firstFor(2)).toBeUndefined()
    expect(takers.firstFor(7)).toBeUndefined()
  })

  it('are refused as one that wanted no more', () => {
    const takers = new QueuedTakers<Claim, number>()
    const two = takers.add(claimOf(2))
    const one = takers.add(claimOf(1))
    expect(takers.isRefusedAs(two)).toBe(true)
    expect(takers.isRefusedAs(one)).toBe(true)
    takers.serve(two, 2)
    expect(takers.isRefusedAs(two)).toBe(false)
  })

  it('have what they got, once', async () => {
    const takers = new QueuedTakers<Claim, number>()
    const taker = takers.add(claimOf(1))
    expect(takers.serve(taker, 7)).toBe(true)
    expect(takers.serve(taker, 8)).toBe(false)
    await taker.served.wait(Infinity)
    expect(taker.got).toBe(7)
    expect(takers.isEmpty).toBe(true)
  })

  it('reject with an error of their own where they are dismissed', async () => {
    const takers = new QueuedTakers<Claim, number>()
    const first = takers.add(claimOf(1))
    const second = takers.add(claimOf(1))
    takers.dismiss(takers.until(1), new Error('away'))
    await expect(first.served.wait(Infinity)).rejects.toThrow('away')
    expect([...takers]).toEqual([second])
  })

  it('bring what the first of them brings that brings any', () => {
    const takers = takersOf(1)
    expect(initialOf(takers)).toBeUndefined()
    takers.add(claimOf(1, 3))
    takers.add(claimOf(1, 4))
    expect(initialOf(takers)).toBe(3)
  })
})
