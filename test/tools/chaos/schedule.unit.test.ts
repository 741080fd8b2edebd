import { describe, expect, it } from 'vitest'
import { faultsFor } from '../../../chaos/faults/faults.js'
import { TOPOLOGIES } from '../../../chaos/history.js'
import { schedule, type Round } from '../../../chaos/schedule.js'

const faults = faultsFor('cluster')

const rounds = (seed: number, count = 100): Round[] => {
  const endless = schedule(seed, faults)
  return Array.from({ length: count }, () => endless.next().value)
}

describe('the schedule of faults', () => {
  it('is the same for the same seed', () => {
    expect(rounds(1)).toEqual(rounds(1))
  })

  it('is another one for another seed', () => {
    expect(rounds(1)).not.toEqual(rounds(2))
  })

  it('has every kind before one comes again', () => {
    const kinds = rounds(3, faults.length).map(([first]) => first?.fault.kind)
    expect(new Set(kinds).size).toBe(faults.length)
  })

  it('lets faults overlap now and then, but none that would undo each other', () => {
    const pairs = rounds(4).filter(({ length }) => length === 2)
    expect(pairs.length).toBeGreaterThan(0)
    expect(pairs.length).toBeLessThan(50)
    for (const [one, other] of pairs) expect(one?.fault.realm).not.toBe(other?.fault.realm)
  })

  it('keeps within the times of each fault', () => {
    for (const { fault, lastsMs } of rounds(5).flat()) {
      const [least, most] = fault.lastsMs
      expect(lastsMs).toBeGreaterThanOrEqual(least)
      expect(lastsMs).toBeLessThanOrEqual(most)
    }
  })

  it.each(TOPOLOGIES)('has faults of every realm for %s', (topology) => {
    const realms = new Set(faultsFor(topology).map(({ realm }) => realm))
    expect(realms).toEqual(new Set(['network', 'servers', 'clients']))
  })
})
