import { plainIoredis } from '../contenders/plain-ioredis.js'
import { summaryOf } from './summary.js'
import { ofFloorIn } from './targets.js'
import type { Column, Target, Workload } from './workload.js'

/** How many fields a reply has, or so. */
const COUNT = 1_000

/** How much of the floor's entries in a second: at most 1.1 times as long. */
const LEAST = 0.91

/** How much more memory than the floor it may take, in megabytes. */
const MORE_MB = 30

const entries: Column = { key: 'entries', title: 'entries/s', digits: 0, shown: 'with its ratio' }

export const iteration: Workload = {
  name: 'iteration',
  title: `one map of a million values of 80 bytes whose entries are iterated over, ${String(COUNT)} to a reply`,
  kind: 'map',
  floor: plainIoredis,
  columns: [entries, { key: 'peak', title: 'MB at its peak', digits: 1 }],
  ranking: { key: 'entries', better: 'higher' },
  targets: [ofFloorIn(entries, LEAST), notMuchMoreMemory()],

  async run(cell) {
    const client = await cell.client()
    const sample = await client.perform('iterate', { fields: cell.sizes.fields, count: COUNT })
    const { perSecond = NaN, cpu = NaN } = summaryOf([sample])
    return {
      figures: { entries: perSecond, cpu, peak: sample.peak / 2 ** 20 },
      lost: sample.wrong,
      waitsMs: [],
    }
  },
}

function notMuchMoreMemory(): Target {
  return {
    says: `at most ${String(MORE_MB)} MB more than the floor at its peak`,
    of: ({ ours, floor }) => {
      const [peak, theirs] = [ours.figures?.['peak'], floor?.figures?.['peak']]
      if (peak === undefined || theirs === undefined) return undefined
      return { met: peak <= theirs + MORE_MB, got: `${(peak - theirs).toFixed(1)} MB` }
    },
  }
}
