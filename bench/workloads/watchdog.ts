import { atMost } from './targets.js'
import type { Workload } from './workload.js'

/** A third of a lease, after which the watchdog renews: the measure for those as well that renew at other times. */
const PERIODS_PER_LEASE = 3

export const watchdog: Workload = {
  name: 'watchdog',
  title: 'many locks that one process holds for a while: what it takes in a third of a lease',
  kind: 'renewed-lock',
  columns: [
    { key: 'per100', title: 'commands for 100', digits: 2 },
    { key: 'cpu', title: 'CPU ms', digits: 1 },
    { key: 'heap', title: 'bytes a hold', digits: 0 },
    { key: 'stillHeld', title: 'still held', digits: 0 },
  ],
  ranking: { key: 'per100', better: 'lower' },
  targets: [
    atMost(1, 'script for each 100 locks', ({ per100 = NaN }) => per100),
    atMost(1_024, 'bytes of heap for each hold', ({ heap = NaN }) => heap),
  ],

  async run(cell) {
    const { locksHeld: locks, watchedLeaseMs: leaseMs, watchMs } = cell.sizes
    const client = await cell.client({ leaseMs })
    const keeping = client.perform('keep', { locks, leaseMs, forMs: watchMs })
    const counting = client.hear('watched').then(async () => {
      const count = await cell.keysLeft()
      client.tell('counted')
      return count
    })
    const [sample, stillHeld] = await Promise.all([keeping, counting])
    const periods = (sample.endedAtMs - sample.startedAtMs) / (leaseMs / PERIODS_PER_LEASE)
    return {
      figures: {
        per100: hundredths(sample.commands / periods / (locks / 100)),
        cpu: sample.cpuMs / periods,
        heap: sample.heapPerHold,
        stillHeld,
      },
      lost: Math.max(0, locks - stillHeld),
      waitsMs: [],
    }
  },
}

/** A PING more or less, and a millisecond, make no difference. */
function hundredths(count: number): number {
  return Math.round(count * 100) / 100
}
