import { describe, expect, it } from 'vitest'
import { FAILOVERS, FORGETS, STOPS_CLIENTS } from '../../../../chaos/check/faults.js'
import { faultsFor } from '../../../../chaos/faults/faults.js'
import { TOPOLOGIES } from '../../../../chaos/history.js'

const kinds = [...new Set(TOPOLOGIES.flatMap((topology) => faultsFor(topology).map(({ kind }) => kind)))]

describe('the faults that excuse something', () => {
  it.each([...new Set([...FAILOVERS, ...FORGETS, ...STOPS_CLIENTS])])(
    '%s is one that runs inflict',
    (part) => {
      expect(kinds.filter((kind) => kind.includes(part))).not.toEqual([])
    },
  )

  it('are none of those that a lock has to live through', () => {
    const innocent = kinds.filter(
      (kind) => ![...FORGETS, ...STOPS_CLIENTS].some((part) => kind.includes(part)),
    )
    const network = faultsFor('single').filter(({ realm }) => realm === 'network')
    expect(innocent).toEqual(expect.arrayContaining([...network.map(({ kind }) => kind), 'client-kill']))
  })
})
