import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { startSingle } from '../test/support/servers.js'
import { startArena } from './arena/start-arena.js'
import type { Entry } from './history.js'
import { Journal } from './journal.js'
import { mergeJournals } from './merge-journals.js'
import type { Pair, Plan } from './options.js'
import { play } from './play.js'

/** The result of a run. */
export interface RunResult {
  /** Where its history is. */
  readonly folder: string
  readonly history: readonly Entry[]
  /** The clients that did not come in any more when all faults were undone. */
  readonly stuck: readonly string[]
  /** How long its servers took to start, in milliseconds. */
  readonly startMs: number
}

/**
 * Runs one kind of lock on one topology, while faults happen, and records what all clients do.
 *
 * @throws Error if the run itself fails; its history is written even so
 */
export async function run(pair: Pair, plan: Plan): Promise<RunResult> {
  const folder = newFolder(pair, plan)
  const beforeStart = performance.now()
  await using ends = new AsyncDisposableStack()
  const resource = ends.use(await startSingle()).nodes[0]
  const arena = await startArena(pair.topology)
  ends.defer(() => arena.stop())
  const startMs = performance.now() - beforeStart
  const journal = ends.use(new Journal(join(folder, 'runner.jsonl')))
  let stuck: readonly string[]
  try {
    stuck = await play({ pair, plan, folder, arena, resource, journal })
  } catch (error) {
    await mergeJournals(folder) // it may show what went wrong
    throw error
  }
  return { folder, history: await mergeJournals(folder), stuck, startMs }
}

function newFolder({ topology, lock }: Pair, { out, seed }: Plan): string {
  const time = new Date().toISOString().replaceAll(':', '-').slice(0, 19)
  const folder = join(out, `${time}-${topology}-${lock}-${seed}`)
  mkdirSync(folder, { recursive: true })
  return folder
}
