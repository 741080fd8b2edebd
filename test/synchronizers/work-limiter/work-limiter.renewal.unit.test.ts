import { describe, expect, it } from 'vitest'
import type { Lease } from '../../../src/renewal/lease.js'
import { workRenewal } from '../../../src/synchronizers/work-limiter/work-limiter.renewal.js'
import { Deadline } from '../../../src/util/time/deadline.js'

/** A server that knows the places of some requests. */
function renewalOf(...lost: readonly string[]) {
  const calls: (readonly string[])[] = []
  let running = 0
  const executor = {
    async run(_: unknown, { args: { owners } }: { readonly args: { readonly owners: readonly string[] } }) {
      expect((running += 1)).toBe(1)
      await Promise.resolve()
      running -= 1
      calls.push(owners)
      return owners.map((owner) => (lost.includes(owner) ? 0 : 1))
    },
  }
  const renew = (...owners: readonly string[]) => {
    const leases = owners.map((owner) => ({ name: 'api', owner })) as unknown as readonly Lease[]
    return workRenewal(executor as never).renew(leases, 30_000, Deadline.never)
  }
  return { calls, renew }
}

describe('the renewal of the places of functions', () => {
  it('is one script for many functions', async () => {
    const { calls, renew } = renewalOf('b 1 1')
    expect(await renew('a 1 1', 'b 1 1', 'c 4 2')).toEqual([true, false, true])
    expect(calls).toEqual([['a 1 1', 'b 1 1', 'c 4 2']])
  })

  it('is one script after the other where they would take long, each for at most 5 000 places', async () => {
    const { calls, renew } = renewalOf('heavy 10001 2000')
    expect(await renew('a 7 4999', 'b 1 2', 'heavy 1 12000', 'c 1 3000', 'd 1 1')).toEqual([
      true,
      true,
      false,
      true,
      true,
    ])
    expect(calls).toEqual([
      ['a 7 4999'],
      ['b 1 2'],
      ['heavy 1 5000'],
      ['heavy 5001 5000'],
      ['heavy 10001 2000', 'c 1 3000'],
      ['d 1 1'],
    ])
  })
})
