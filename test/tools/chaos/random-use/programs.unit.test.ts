import { describe, expect, it } from 'vitest'
import { MIX_NAMES, MIXES } from '../../../../chaos/random-use/mixes.js'
import { isLock, isPermits, type SharedObject } from '../../../../chaos/random-use/objects.js'
import { readOptions } from '../../../../chaos/random-use/options.js'
import { inShort, type Step } from '../../../../chaos/random-use/program.js'
import { Random } from '../../../../chaos/random.js'

const SEEDS = Array.from({ length: 20 }, (_, seed) => seed)

/** For how long a round waits for what is left. */
const CLEAN_WITHIN_MS = 12_000

/** All steps of a program, with how many others each is inside of. */
function stepsOf(steps: readonly Step[], depth = 0): { readonly step: Step; readonly depth: number }[] {
  return steps.flatMap((step) => [{ step, depth }, ...insideOf(step, depth)])
}

function insideOf(step: Step, depth: number) {
  if (step.do === 'enter') return stepsOf(step.steps, depth + 1)
  if (step.do === 'thread') return stepsOf(step.steps, depth)
  return step.do === 'fork' ? step.branches.flatMap((branch) => stepsOf(branch, depth)) : []
}

/** Whether a lock may be extended to the lease of the watchdog. */
function extendsLock(step: Step, objects: readonly SharedObject[]): boolean {
  if (step.do === 'extend') return step.leaseMs === 0
  if (step.do !== 'enter' || step.extendMs !== 0) return false
  const object = objects[step.object]
  return object !== undefined && isLock(object)
}

describe.each(MIX_NAMES)('the programs %s', (name) => {
  const plans = SEEDS.map((seed) => MIXES[name](new Random(seed)))
  const programs = plans.flatMap(({ objects, processes }) =>
    processes.flatMap(({ flows }) => flows.map(({ program }) => ({ objects, steps: stepsOf(program) }))),
  )

  it('are the same for the same seed', () => {
    expect(SEEDS.map((seed) => MIXES[name](new Random(seed)))).toEqual(plans)
  })

  it('are plain data, which can be sent to other processes', () => {
    expect(JSON.parse(JSON.stringify(plans))).toEqual(plans)
  })

  it('enter what can be entered', () => {
    for (const { objects, steps } of programs)
      for (const { step } of steps) {
        if (step.do !== 'enter') continue
        const object = objects[step.object]
        expect(object !== undefined && (isLock(object) || isPermits(object))).toBe(true)
      }
  })

  it('wait inside of something else for a while at most, so that they cannot wait for each other for ever', () => {
    for (const { steps } of programs)
      for (const { step, depth } of steps)
        if (step.do === 'enter' && depth > 0) expect(step.waitMs).toBeDefined()
  })

  it('extend locks to leases that end while a round waits for what is left', () => {
    for (const { objects, processes, watchdogMs } of plans) {
      const steps = processes.flatMap(({ flows }) => flows.flatMap(({ program }) => stepsOf(program)))
      if (steps.some(({ step }) => extendsLock(step, objects)))
        expect(watchdogMs).toBeLessThan(CLEAN_WITHIN_MS)
    }
  })

  it('have clients for their flows', () => {
    for (const { processes } of plans)
      for (const { clients, flows } of processes)
        for (const { client } of flows) expect(client).toBeLessThan(clients)
  })
})

it('a program can be read', () => {
  const program: Step[] = [
    {
      do: 'thread',
      steps: [
        { do: 'enter', object: 0, form: 'lock', waitMs: 3, tries: 5, steps: [{ do: 'pause', ms: 2 }] },
        { do: 'fork', branches: [[{ do: 'force', object: 1 }], []] },
      ],
    },
  ]
  const objects = [
    { kind: 'lock', name: 'baton' },
    { kind: 'values', name: 'students', values: ['1', '2'] },
  ] as const
  expect(inShort(program, objects)).toBe(
    'thread { lock lock baton wait 3 tries 5 { 2 ms }; fork { force values students[1 2] } {  } }',
  )
})

describe('the command line', () => {
  it('has defaults', () => {
    expect(readOptions([])).toEqual({
      what: 'rounds',
      plan: {
        runMs: 600_000,
        roundMs: 8_000,
        seed: expect.any(Number),
        topology: 'single',
        mixes: MIX_NAMES,
        out: 'chaos-results',
      },
    })
  })

  it('chooses programs', () => {
    const args = ['--programs', 'turns,force', '--programs', 'names', '--topology', 'cluster', '--seed', '7']
    expect(readOptions(args)).toMatchObject({
      plan: { mixes: ['turns', 'names', 'force'], topology: 'cluster', seed: 7 },
    })
  })

  it.each([
    ['--programs=nothing'],
    ['--topology=redlock5'],
    ['--minutes=0'],
    ['--seed=x'],
    ['--round-seconds='],
  ])('is refused: %s', (argument) => {
    expect(() => readOptions([argument])).toThrow(/^Expected `--/)
  })
})
