import { spawn } from 'node:child_process'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { Cell } from '../../../bench/cell.js'
import type { Contender } from '../../../bench/contenders/contender.js'
import { floor } from '../../../bench/contenders/floor.js'
import { ioredisson } from '../../../bench/contenders/ioredisson.js'
import { ownScripts } from '../../../bench/contenders/own-scripts.js'
import { threeRoundTrips } from '../../../bench/contenders/three-round-trips.js'
import { inOneProcess } from '../../../bench/contenders/variants.js'
import { runCell } from '../../../bench/measure-workload.js'
import { QUICK, type Sizes } from '../../../bench/sizes.js'
import { uncontended } from '../../../bench/workloads/uncontended.js'
import type { Figures, Outcome } from '../../../bench/outcome.js'
import { workloads } from '../../../bench/workloads/workloads.js'
import type { Workload } from '../../../bench/workloads/workload.js'
import { Child } from '../../support/child.js'
import { Monitor } from '../../support/monitor.js'
import { single } from '../../support/topologies.js'

const ownName = new URL('../../support/own-name.ts', import.meta.url)

/** Enough to count; times mean nothing here. */
const SMALL: Sizes = {
  ...QUICK,
  sections: 400,
  limitMs: 8_000,
  warmUps: 50,
  locksAtOnce: 100,
  waves: 2,
  pings: 10,
  holdMs: 300,
  locksHeld: 500,
  watchedLeaseMs: 900,
  watchMs: 600,
}

/** GET and SET. */
const OF_THE_SECTION = 2

describe('the benchmark', () => {
  beforeAll(() => {
    // The processes that it starts use the sources instead of what was built from them.
    vi.stubEnv('NODE_OPTIONS', `--no-warnings --import ${ownName.href}`)
  })
  afterAll(() => {
    vi.unstubAllEnvs()
  })
  afterEach(() => Promise.all(single.nodes.map((node) => node.command('FLUSHALL'))))

  it('counts exactly the commands that a process sends, and not what scripts do', async () => {
    await using cell = await Cell.open(ioredisson, single.nodes, SMALL)
    const [client] = await cell.clients(1)
    await client?.warmUp(SMALL, { kind: 'lock', flows: 5 }) // which connects all that there is to connect
    await using monitor = await Monitor.of(single.nodes)
    const task = { kind: 'lock', flows: 5, name: 'bench:lock', inside: 'count' } as const
    const sample = await client?.perform('loop', { ...task, sections: 100, limitMs: SMALL.limitMs })
    const deeds = await monitor.deeds()
    expect(sample?.commands).toBe(deeds.filter(({ by }) => by === 'client').length)
    expect(deeds.some(({ by }) => by === 'script')).toBe(true)
  })
  it('finds two commands in an uncontended cycle beside GET and SET, and no key afterwards', async () => {
    const { commands = NaN, keysLeft } = await figuresOf('uncontended')
    expect(commands - OF_THE_SECTION).toBe(2)
    expect(keysLeft).toBe(0)
  })

  it('finds two commands for each of many locks at once', async () => {
    const { commands } = await figuresOf('many-locks')
    expect(commands).toBe(2)
  })

  it(
    'finds one command in a hand-over inside a process, and little more on average',
    { tags: ['timed'] },
    async () => {
      const { commands } = await figuresOf('one-process')
      expect(commands).toBeGreaterThanOrEqual(OF_THE_SECTION + 1)
      expect(commands).toBeLessThanOrEqual(OF_THE_SECTION + 1.2)
    },
  )

  it('finds few commands of fifty who wait, and of those who get the lock in turn', async () => {
    const { whileWaiting, handOverCommands } = await figuresOf('waiting')
    expect(whileWaiting).toBeLessThanOrEqual(60)
    expect(handOverCommands).toBeLessThanOrEqual(3)
  })

  it('finds one script for a hundred locks in a third of a lease', { tags: ['timed'] }, async () => {
    const { per100, stillHeld } = await figuresOf('watchdog')
    expect(per100).toBeGreaterThan(0)
    expect(per100).toBeLessThanOrEqual(3 / 2) // of three turns, two periods may see each
    expect(stillHeld).toBe(SMALL.locksHeld)
  })

  it('measures hand-overs from one process to the other', async () => {
    const { handOvers, p50 = NaN, max = NaN } = await figuresOf('hand-over')
    expect(handOvers).toBeGreaterThan(0)
    expect(p50).toBeGreaterThan(0)
    expect(p50).toBeLessThanOrEqual(max)
  })

  it.each(['fair-lock', 'read-lock', 'semaphore', 'fenced-lock', 'rate-grant', 'rate-refusal'])(
    'measures %s without losing anything',
    async (name) => {
      const { perSecond } = await figuresOf(name, { ...SMALL, sections: 100 })
      expect(perSecond).toBeGreaterThan(0)
    },
  )

  it.each([
    { name: 'uncontended', reference: ownScripts, commands: 2 },
    { name: 'one-process', reference: threeRoundTrips, commands: 1 },
    { name: 'red-lock', reference: ownScripts, commands: 2 }, // at one server here
  ])(
    'finds $commands commands of $reference.name beside GET and SET',
    async ({ name, reference, commands }) => {
      const figures = await figuresOf(name, SMALL, reference)
      expect((figures['commands'] ?? NaN) - OF_THE_SECTION).toBe(commands)
    },
  )

  it('measures all flows of several processes in one', async () => {
    const { perSecond } = await figuresOf('four-processes', SMALL, inOneProcess)
    expect(perSecond).toBeGreaterThan(0)
  })

  it('notices what is lost without exclusion', { tags: ['timed'] }, async () => {
    const open: Workload = {
      ...uncontended,
      run: async (cell) => {
        const clients = await cell.clients(2)
        const task = {
          kind: 'lock',
          flows: 5,
          inside: 'count',
          sections: 200,
          limitMs: SMALL.limitMs,
        } as const
        const names = ['bench:one', 'bench:another']
        const samples = await Promise.all(
          clients.map((client, index) => client.perform('loop', { ...task, name: names[index] ?? '' })),
        )
        const sections = samples.reduce((sum, sample) => sum + sample.sections, 0)
        return { figures: {}, waitsMs: [], lost: sections - (await cell.counted()) }
      },
    }
    const { lost } = outcome(await runCell(open, floor, single.nodes, SMALL))
    expect(lost).toBeGreaterThan(0)
  })

  it('goes on when a contender dies', async () => {
    const doomed: Contender = {
      name: 'doomed',
      settings: '',
      cannot: {},
      start: () =>
        new Child(spawn(process.execPath, ['-e', 'throw new RangeError("enough")'], { stdio: 'pipe' })),
    }
    const result = await runCell(uncontended, doomed, single.nodes, SMALL)
    expect(result).toEqual({ failure: 'RangeError: enough' })
  })

  it('goes on when a contender gets nowhere', async () => {
    const stuck: Workload = { ...uncontended, run: () => new Promise(() => undefined) }
    const result = await runCell(stuck, floor, single.nodes, { ...SMALL, deadlineMs: 20 })
    expect(result).toEqual({ failure: 'TIMEOUT after 0.02 s' })
  })
})

/** What this library, or another contender, does at one workload, provided that nothing is lost. */
async function figuresOf(name: string, sizes = SMALL, contender: Contender = ioredisson): Promise<Figures> {
  const workload = workloads.find((each) => each.name === name)
  if (!workload) throw new RangeError(`There is no workload ${name}`)
  const { figures, lost } = outcome(await runCell(workload, contender, single.nodes, sizes))
  expect(lost).toBe(0)
  return figures
}

function outcome(result: Awaited<ReturnType<typeof runCell>>): Outcome {
  if ('failure' in result) throw new Error(result.failure)
  return result
}
