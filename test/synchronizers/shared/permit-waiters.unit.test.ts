import { describe, expect, it } from 'vitest'
import {
  initialOf,
  PermitWaiter,
  PermitWaiters,
  type Claim,
} from '../../../src/synchronizers/shared/permit-waiters.js'
import { Deadline } from '../../../src/util/time/deadline.js'

const claimOf = (permits: number, initial?: number): Claim => ({
  permits,
  initial,
  waitMs: Infinity,
  deadline: Deadline.never,
  signal: undefined,
})

const waitersOf = (...permits: number[]) => {
  const waiters = new PermitWaiters<Claim, number>()
  for (const each of permits) waiters.add(new PermitWaiter(claimOf(each)))
  return waiters
}

const permitsOf = (waiters: Iterable<{ claim: Claim }> | undefined) =>
  waiters && Array.from(waiters, ({ claim }) => claim.permits)

describe('waiters for permits', () => {
  it('are asked for together up to a number of permits', () => {
    expect(permitsOf(waitersOf(1, 2, 3).firstWithin(3))).toEqual([1, 2])
  })

  it('are asked for one by one where the first wants more than that', () => {
    expect(permitsOf(waitersOf(5, 1).firstWithin(3))).toEqual([5])
  })

  it('are asked for a hundred at a time', () => {
    expect(waitersOf(...Array<number>(150).fill(0)).firstWithin(1_000)).toHaveLength(100)
  })

  it('are found if they want exactly that number of permits together', () => {
    const waiters = waitersOf(1, 2, 3)
    expect(permitsOf(waiters.firstFor(3))).toEqual([1, 2])
    expect(waiters.firstFor(2)).toBeUndefined()
    expect(waiters.firstFor(7)).toBeUndefined()
  })

  it('are refused as one that wanted no more', () => {
    const waiters = new PermitWaiters<Claim, number>()
    const two = waiters.add(new PermitWaiter(claimOf(2)))
    const one = waiters.add(new PermitWaiter(claimOf(1)))
    expect(waiters.isRefusedAs(two)).toBe(true)
    expect(waiters.isRefusedAs(one)).toBe(true)
    waiters.serve(two, 2)
    expect(waiters.isRefusedAs(two)).toBe(false)
  })

  it('have what they got, once', async () => {
    const waiters = new PermitWaiters<Claim, number>()
    const waiter = waiters.add(new PermitWaiter(claimOf(1)))
    expect(waiters.serve(waiter, 7)).toBe(true)
    expect(waiters.serve(waiter, 8)).toBe(false)
    await waiter.turn.wait(Infinity)
    expect(waiter.got).toBe(7)
    expect(waiters.isEmpty).toBe(true)
  })

  it('reject with an error of their own where they are dismissed', async () => {
    const waiters = new PermitWaiters<Claim, number>()
    const first = waiters.add(new PermitWaiter(claimOf(1)))
    const second = waiters.add(new PermitWaiter(claimOf(1)))
    waiters.reject(waiters.upTo(1), new Error('away'))
    await expect(first.turn.wait(Infinity)).rejects.toThrow('away')
    expect([...waiters]).toEqual([second])
  })

  it('bring what the first of them brings that brings any', () => {
    const waiters = waitersOf(1)
    expect(initialOf(waiters)).toBeUndefined()
    waiters.add(new PermitWaiter(claimOf(1, 3)))
    waiters.add(new PermitWaiter(claimOf(1, 4)))
    expect(initialOf(waiters)).toBe(3)
  })
})
