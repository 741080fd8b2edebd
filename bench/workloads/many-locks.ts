import { scriptPair } from '../contenders/script-pair.js'
import { columns, ofSections } from './columns.js'
import { summaryOf } from './summary.js'
import { ofFloor } from './targets.js'
import type { Workload } from './workload.js'

export const manyLocks: Workload = {
  name: 'many-locks',
  title: '1 000 locks at once, each taken and given back by a flow of its own',
  kind: 'lock',
  floor: scriptPair,
  columns: ofSections,
  ranking: { key: columns.perSecond.key, better: 'higher' },
  targets: [ofFloor(0.8)],

  async run(cell) {
    const { locksAtOnce: locks, waves, limitMs } = cell.sizes
    const client = await cell.client()
    const task = { locks, waves, limitMs }
    await client.perform('wave', task) // as often as it is measured: Node goes on compiling for a second
    const sample = await client.perform('wave', task)
    return {
      figures: { ...summaryOf([sample]), keysLeft: await cell.keysLeft() },
      lost: 0, // there is nothing that two could do at the same time
      waitsMs: sample.waitsMs,
    }
  },
}
