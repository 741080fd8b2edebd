import type { Client } from '../cell.js'
import type { PingPongSample } from '../client/tasks/ping-pong.js'
import { bareMessages } from '../contenders/bare-messages.js'
import { columns } from './columns.js'
import { summaryOf } from './summary.js'
import { atMost, reported } from './targets.js'
import type { Workload } from './workload.js'

/** Long enough that the other one waits. */
const HOLD_MS = 3

export const handOver: Workload = {
  name: 'hand-over',
  title: 'from the call of unlock in one process to the lock in another, which waits for it',
  kind: 'lock',
  floor: bareMessages,
  columns: [
    { key: 'p50', title: 'p50 ms', digits: 2 },
    { key: 'p99', title: 'p99 ms', digits: 2 },
    { key: 'p999', title: 'p99.9 ms', digits: 2 },
    { key: 'max', title: 'max ms', digits: 1 },
    { key: 'roundTrip', title: 'PING ms', digits: 2 },
    { key: 'handOvers', title: 'hand-overs', digits: 0 },
    columns.cpu,
    columns.commands,
  ],
  ranking: { key: 'p50', better: 'lower' },
  targets: [
    reported(
      'p50, as a multiple of its bound of two round trips',
      ({ p50 = NaN, roundTrip = NaN }) => p50 / (2 * roundTrip),
    ),
    atMost(50, 'ms in the p99.9', ({ p999 = NaN }) => p999),
    atMost(1_000, 'ms in any', ({ max = NaN }) => max),
  ],
  waits: 'drawn',

  async run(cell) {
    const { pings: rounds, limitMs } = cell.sizes
    const [one, other] = await Promise.all([cell.client(), cell.client()])
    const clients = [one, other]
    await Promise.all(clients.map((client) => client.warmUp(cell.sizes, { kind: 'lock', flows: 1 }))) // in turn, as below
    void relay(one, other).catch(ignore) // they end with the cell
    void relay(other, one).catch(ignore)
    const task = { name: 'bench:shared', rounds, limitMs: 2 * limitMs, holdMs: HOLD_MS }
    const samples = await Promise.all(clients.map((client) => client.perform('pingPong', task)))
    const passedMs = passesOf(samples)
    const sections = samples.reduce((sum, sample) => sum + sample.sections, 0)
    return {
      figures: {
        ...percentilesOf(passedMs),
        roundTrip: Math.min(...samples.map(({ roundTripMs }) => roundTripMs)),
        handOvers: passedMs.length,
        ...costsOf(samples),
      },
      lost: sections - (await cell.counted()),
      waitsMs: passedMs,
    }
  },
}

function costsOf(samples: readonly PingPongSample[]): { readonly cpu: number; readonly commands: number } {
  const { cpu = NaN, commands = NaN } = summaryOf(samples)
  return { cpu, commands }
}

/** How long it took to pass to the other process, wherever that had asked before. */
function passesOf(samples: readonly PingPongSample[]): number[] {
  const holds = samples
    .flatMap((sample, process) => sample.holds.map((hold) => ({ ...hold, process })))
    .sort((a, b) => a.hadAtMs - b.hadAtMs)
  return holds.flatMap((last, index) => {
    const next = holds[index + 1]
    const waited = next && next.process !== last.process && next.askedAtMs < last.returnedAtMs
    return waited ? [next.hadAtMs - last.returnedAtMs] : []
  })
}

/** Tells one process whenever the other one has the lock. */
async function relay(from: Client, to: Client): Promise<never> {
  for (;;) to.tell('other-had', { hadAtMs: (await from.hear('had'))['hadAtMs'] })
}

function ignore(): void {}

function percentilesOf(timesMs: readonly number[]): Readonly<Record<'p50' | 'p99' | 'p999' | 'max', number>> {
  const sorted = timesMs.toSorted((a, b) => a - b)
  const at = (share: number): number => sorted[Math.ceil(share * sorted.length) - 1] ?? NaN
  return { p50: at(0.5), p99: at(0.99), p999: at(0.999), max: at(1) }
}
