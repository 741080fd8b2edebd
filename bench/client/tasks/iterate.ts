import { ITEM } from '../../contenders/values.js'
import { measure, type CountedSample } from '../measure.js'
import { demandObjects } from './plans.js'
import type { Stand } from './stand.js'

export interface IterateTask {
  /** How many fields the map has. */
  readonly fields: number
  /** How many fields a reply has, or so. */
  readonly count: number
}

export interface IterateSample extends CountedSample {
  /** Bytes that the process has in memory at most. */
  readonly peak: number
  /** Fields that it has not come to, or that had another value. */
  readonly wrong: number
}

const MAP = 'bench:iterated-map'

/** Fills a map on the server: it would take a client longer than what is measured. */
const FILL = `for index = tonumber(ARGV[1]), tonumber(ARGV[2]) do
  redis.call('hset', KEYS[1], 'key:' .. index, ARGV[3])
end`

/** How many fields are filled in by one script. */
const PART = 100_000

/** After how many fields the memory of the process is looked at each time. */
const LOOK_EACH = 1_000

/** Comes to all entries of a large map. A section is an entry. */
export async function iterate(
  { session, redis }: Stand,
  { fields, count }: IterateTask,
): Promise<IterateSample> {
  const map = demandObjects(session.values?.map)
  for (let first = 1; first <= fields; first += PART)
    await redis.eval(FILL, 1, MAP, first, Math.min(first + PART - 1, fields), JSON.stringify(ITEM))
  let [seen, wrong, peak] = [0, 0, 0]
  const sample = await measure(async () => {
    for await (const [, item] of map.entries(MAP, count)) {
      if (item.id !== ITEM.id) wrong += 1
      seen += 1
      if (seen % LOOK_EACH === 0) peak = Math.max(peak, process.memoryUsage.rss())
    }
  })
  return { ...sample, sections: seen, peak, wrong: wrong + Math.max(0, fields - seen) }
}
