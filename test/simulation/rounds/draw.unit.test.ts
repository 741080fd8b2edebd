import { describe, expect, it } from 'vitest'
import { MIX_NAMES } from '../../../chaos/random-use/mixes.js'
import { drawRound, type Round } from './draw.js'

const drawn = MIX_NAMES.flatMap((mix) =>
  Array.from({ length: 60 }, (_, seed) => drawRound({ mix, seed, playMs: 2_000 })),
)

describe('a round', () => {
  it('is the same for the same seed, and plain data', () => {
    const [first] = drawn as [Round]
    const again = drawRound({ mix: 'hand-overs', seed: 0, playMs: 2_000 })
    expect(JSON.stringify(again)).toBe(JSON.stringify(first))
    expect(JSON.parse(JSON.stringify(first))).toEqual(first)
  })

  it('has each fault in some seeds and not in others', () => {
    const shares = Object.entries({
      'lost requests': ({ network }: Round['circumstances']) => network.requestCut !== undefined,
      'lost replies': ({ network }: Round['circumstances']) => network.replyCut !== undefined,
      partitions: ({ disturbances }: Round['circumstances']) => disturbances.partition !== undefined,
      pauses: ({ disturbances }: Round['circumstances']) => disturbances.pause !== undefined,
      'clocks that are set': ({ disturbances }: Round['circumstances']) => disturbances.step !== undefined,
      'clocks that run apart': ({ clocks }: Round['circumstances']) =>
        clocks.some(({ drift }) => drift !== 1),
      failovers: ({ changes }: Round['circumstances']) => changes.failover !== undefined,
      'slots that move': ({ changes }: Round['circumstances']) => changes.move !== undefined,
      passwords: ({ password }: Round['circumstances']) => password !== undefined,
      'processes that stop': ({ stops }: Round['circumstances']) => stops.length > 0,
    }).map(([name, has]) => [name, drawn.filter(({ circumstances }) => has(circumstances)).length] as const)
    for (const [name, count] of shares) expect({ name, isSome: count > 20 }).toEqual({ name, isSome: true })
    for (const [name, count] of shares)
      expect({ name, isAll: count > drawn.length - 100 }).toEqual({ name, isAll: false })
  })

  it('can have all of them', () => {
    const { circumstances } = drawRound({ mix: 'threads', seed: 1, playMs: 2_000, faults: 'all' })
    expect(Object.keys(circumstances.disturbances).toSorted()).toEqual(
      ['away', 'cut', 'freeze', 'narrow', 'partition', 'pause', 'slow', 'step'].toSorted(),
    )
    expect(circumstances.stops).toHaveLength(1)
  })

  it('can have any servers, but independent ones for locks at a majority of them', () => {
    const { circumstances } = drawRound({
      mix: 'threads',
      seed: 1,
      playMs: 2_000,
      faults: 'all',
      topology: 'cluster',
    })
    expect(circumstances).toMatchObject({ topology: 'cluster', database: 0 })
    expect(Object.keys(circumstances.changes)).toEqual(['failover', 'move'])
    const redLocks = drawRound({ mix: 'red-locks', seed: 1, playMs: 2_000, topology: 'cluster' })
    expect(redLocks.circumstances).toMatchObject({ topology: 'single', changes: {} })
  })

  it('stops no process whose permits are gone with it', () => {
    const crowds = drawn.filter(({ name }) => name.startsWith('crowds'))
    expect(crowds.flatMap(({ circumstances }) => circumstances.stops)).toEqual([])
  })
})
