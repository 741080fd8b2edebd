import { describe, expect, it } from 'vitest'
import type { Step } from '../../../chaos/random-use/program.js'
import { drawRound, type Round } from './draw.js'
import { shrink } from './shrink.js'

const drawn = drawRound({ mix: 'threads', seed: 1, playMs: 2_000, faults: 'all' })

describe('shrinking a round', () => {
  it('takes away all that is not needed', async () => {
    const smallest = await shrink(drawn, () => Promise.resolve(true), { most: Infinity })
    const [process, ...otherProcesses] = smallest.plan.processes
    expect(otherProcesses).toEqual([])
    expect(process?.flows).toHaveLength(1)
    expect(stepsOf(smallest)).toHaveLength(1)
    expect(smallest.playMs).toBeLessThan(40)
    expect(smallest.circumstances).toMatchObject({ network: {}, disturbances: {}, stops: [], clocks: [{}] })
  })

  it('keeps what is needed', async () => {
    const needed = (round: Round) =>
      Promise.resolve(
        round.plan.processes.length === 2 &&
          round.circumstances.disturbances.cut !== undefined &&
          stepsOf(round).some((step) => step.do === 'enter' && step.leaseMs === 60_000),
      )
    const smallest = await shrink(drawn, needed, { most: Infinity })
    expect(await needed(smallest)).toBe(true)
    expect(smallest.plan.processes.flatMap(({ flows }) => flows)).toHaveLength(2)
    expect(smallest.circumstances.disturbances).toEqual({ cut: { everyMs: 1_500 } })
  })

  it('tries other seeds, of which only some show it', async () => {
    let tried = 0
    const shows = () => Promise.resolve((tried += 1) % 3 === 0)
    const smallest = await shrink(drawn, shows, { most: Infinity })
    expect(smallest.seed).not.toBe(drawn.seed)
    expect(stepsOf(smallest)).toHaveLength(1)
  })

  it('ends after a number of rounds, with the smallest so far', async () => {
    let tried = 0
    const smallest = await shrink(drawn, () => Promise.resolve((tried += 1) > 0), { most: 3 })
    expect(tried).toBe(3)
    expect(smallest.plan.processes).toHaveLength(1)
  })

  it('returns a round of which nothing can be missing as it is', async () => {
    expect(await shrink(drawn, () => Promise.resolve(false))).toBe(drawn)
  })
})

/** All steps of all programs, also those within others. */
function stepsOf({ plan }: Round): Step[] {
  const all = (steps: readonly Step[]): Step[] =>
    steps.flatMap((step) => [step, ...('steps' in step ? all(step.steps) : [])])
  return plan.processes.flatMap(({ flows }) => flows.flatMap(({ program }) => all(program)))
}
