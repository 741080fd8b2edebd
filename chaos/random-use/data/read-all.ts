import { setTimeout as sleep } from 'node:timers/promises'
import type { RedissonClient } from '../../../src/index.js'
import { Recorder } from '../../client/recorder.js'
import type { Stopwatch } from '../../clock.js'
import type { Entry } from '../../history.js'
import type { EntryLog } from '../../journal.js'
import { Random } from '../../random.js'
import { isData, type SharedObject } from '../objects.js'
import { DataUser, type DataFacts } from '../player/data-user.js'
import { addedTo } from '../check/data/calls.js'
import { UNNOTICED_MS } from '../check/data/registers.js'
import { wordFor } from '../player/word-for.js'
import { READS_ALL } from './methods.js'

/** Reads all that data objects have at the end, and writes it down as one more process does. */
export async function readAllData(
  client: RedissonClient,
  objects: readonly SharedObject[],
  { journal, clock }: { readonly journal: EntryLog; readonly clock: Stopwatch },
): Promise<void> {
  const recorder = new Recorder(journal, clock, 'director')
  const user = new DataUser({ client, recorder, objects, random: new Random(0), newOwner: () => 0 })
  for (const [object, { kind }] of objects.entries()) {
    if (!isReadable(kind)) continue
    await user.use({
      do: 'use',
      how: 'one by one',
      exactlyOnce: false,
      calls: [{ object, method: READS_ALL[kind] }],
    })
  }
}

function isReadable(kind: SharedObject['kind']): kind is keyof typeof READS_ALL {
  return kind in READS_ALL
}

/** How processes read, at the end, what they keep. */
const READS_KEPT: Partial<Record<SharedObject['kind'], string>> = {
  near: 'getAll',
  nearCache: 'getAll',
  cache: 'getMany',
}

/** When everything that is kept has heard of each change, once the network is well. */
const HEARD_WITHIN_MS = UNNOTICED_MS + 1_000

/** Waits, and reads what this process keeps of objects: it has to be what there is. */
export async function readKeptData(facts: DataFacts): Promise<void> {
  const { objects } = facts
  const calls = objects.flatMap(({ kind }, object) => {
    const method = READS_KEPT[kind]
    return method === undefined ? [] : [{ object, method }]
  })
  if (calls.length === 0) return
  await sleep(HEARD_WITHIN_MS)
  await new DataUser(facts).use({ do: 'use', how: 'one by one', exactlyOnce: false, calls })
}

/** A client that stands still for a minute replies when it goes on. */
const LONGEST_SUM_MS = 120_000

/** The adders whose sum is not what the clients of the history have added that are still there. */
export async function wrongSums(
  client: RedissonClient,
  objects: readonly SharedObject[],
  entries: readonly Entry[],
): Promise<string[]> {
  const adders = objects.filter(isData).filter(({ kind }) => kind === 'adder')
  const sums = adders.map(async ({ name }) => {
    const expected = addedTo(name, entries)
    await using adder = client.getLongAdder(name)
    const sum = await adder.sum({ waitMs: LONGEST_SUM_MS }).catch(wordFor)
    return sum === expected ? [] : [`has the sum ${String(sum)} of ${name}, expected ${String(expected)}`]
  })
  return (await Promise.all(sums)).flat()
}
