import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readHistory } from './check/read-history.js'
import type { Entry } from './history.js'

const HISTORY = 'history.jsonl'

/** Brings the journals of all processes into one file, in the order of time. Returns what it holds. */
export async function mergeJournals(folder: string): Promise<Entry[]> {
  const journals = readdirSync(folder).filter((name) => name.endsWith('.jsonl') && name !== HISTORY)
  const entries = (await Promise.all(journals.map((name) => readHistory(join(folder, name))))).flat()
  entries.sort((one, other) => timeOf(one) - timeOf(other))
  writeFileSync(join(folder, HISTORY), entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''))
  return entries
}

function timeOf(entry: Entry): number {
  return entry.type === 'run' ? -Infinity : entry.at
}
