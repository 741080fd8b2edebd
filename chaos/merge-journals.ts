import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Entry } from './history.js'

const HISTORY = 'history.jsonl'

/** Brings the journals of all processes into one file, in the order of time. Answers what it holds. */
export function mergeJournals(folder: string): Entry[] {
  const journals = readdirSync(folder).filter((name) => name.endsWith('.jsonl') && name !== HISTORY)
  const entries = journals.flatMap((name) => entriesOf(readFileSync(join(folder, name), 'utf8')))
  entries.sort((one, other) => timeOf(one) - timeOf(other))
  writeFileSync(join(folder, HISTORY), entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''))
  return entries
}

/** Whoever was killed while it wrote has left half a line, which does not end. */
function entriesOf(text: string): Entry[] {
  const whole = text.slice(0, text.lastIndexOf('\n') + 1)
  return whole
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Entry)
}

function timeOf(entry: Entry): number {
  return entry.type === 'run' ? -Infinity : entry.at
}
