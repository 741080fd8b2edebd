import { floor } from '../contenders/floor.js'
import { columns } from './columns.js'
import { summaryOf } from './summary.js'
import { atMost } from './targets.js'
import type { Workload } from './workload.js'

const WAITERS = 50

/** GET and SET. */
const OF_THE_SECTION = 2

export const waiting: Workload = {
  name: 'waiting',
  title: `${String(WAITERS)} waiters of one process, while another process holds the lock for 2 s; then all get it in turn`,
  kind: 'lock',
  floor,
  columns: [
    { key: 'whileWaiting', title: 'commands waiting', digits: 0 },
    { key: 'handOverCommands', title: 'for each hand-over', digits: 2 },
    { key: 'drainMs', title: 'drain ms', digits: 0 },
    columns.cpu,
    columns.keysLeft,
  ],
  ranking: { key: 'drainMs', better: 'lower' },
  targets: [
    atMost(60, 'commands while waiting', ({ whileWaiting = NaN }) => whileWaiting),
    atMost(3, 'commands for each hand-over', ({ handOverCommands = NaN }) => handOverCommands),
  ],

  async run(cell) {
    const { holdMs } = cell.sizes
    const [holder, many] = await Promise.all([cell.client(), cell.client()])
    const clients = [holder, many]
    for (const client of clients) await client.warmUp(cell.sizes, { kind: 'lock', flows: 1 })
    const name = 'bench:shared'
    const holding = holder.perform('hold', { name, holdMs })
    const queueing = holder.hear('held').then(() => many.perform('queue', { name, waiters: WAITERS }))
    const [held, queued] = await Promise.all([holding, queueing])
    const drained = queued.commands - queued.whileWaiting + held.commands
    return {
      figures: {
        whileWaiting: queued.whileWaiting,
        handOverCommands: drained / WAITERS - OF_THE_SECTION,
        drainMs: queued.endedAtMs - held.startedAtMs,
        cpu: summaryOf([queued])['cpu'] ?? NaN,
        keysLeft: await cell.keysLeft(),
      },
      lost: queued.sections - (await cell.counted()),
      waitsMs: queued.waitsMs,
    }
  },
}
