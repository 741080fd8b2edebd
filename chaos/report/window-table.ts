import type { Finding } from '../check.js'
import type { BeginEntry, Entry } from '../history.js'
import { columns } from './columns.js'

/** The number of lines for a violation; of more, the middle is left out. */
const MOST_LINES = 40

/** The history of a finding as lines: when, who, what, and of which hold. */
export function windowTable({ window }: Finding): string[] {
  const begins = new Map<string, BeginEntry>()
  for (const entry of window) {
    if (entry.type !== 'begin') continue
    begins.set(entry.id, entry)
    if (entry.op === 'acquire') begins.set(`hold ${entry.hold}`, entry)
  }
  return columns([['ms', 'who', 'what', 'hold'], ...shorten(window).map((entry) => rowOf(entry, begins))])
}

const GAP = Symbol('lines that are left out')

function shorten(window: readonly Entry[]): readonly (Entry | { readonly [GAP]: number })[] {
  if (window.length <= MOST_LINES) return window
  const half = MOST_LINES / 2
  return [...window.slice(0, half), { [GAP]: window.length - MOST_LINES }, ...window.slice(-half)]
}

function rowOf(entry: Entry | { readonly [GAP]: number }, begins: ReadonlyMap<string, BeginEntry>): string[] {
  if (GAP in entry) return ['…', '', `${String(entry[GAP])} more`]
  switch (entry.type) {
    case 'run':
      return ['', '', 'run']
    case 'fault':
      return [ms(entry.at), entry.target, `FAULT ${entry.kind} ${entry.phase}s`]
    case 'process':
      return [ms(entry.at), entry.process, entry.phase]
    case 'begin':
      return [ms(entry.at), who(entry), `${entry.op} ${entry.name}${sideOf(entry)}`, holdOf(entry)]
    case 'end': {
      const begin = begins.get(entry.id)
      const answer = [entry.outcome, entry.error, entry.token !== undefined && `token ${String(entry.token)}`]
      return [
        ms(entry.at),
        who(begin),
        `${begin?.op ?? ''}: ${answer.filter(Boolean).join(', ')}`,
        holdOf(begin),
      ]
    }
    case 'step':
      return [
        ms(entry.at),
        who(begins.get(`hold ${entry.hold}`)),
        [entry.what, entry.element].filter(Boolean).join(' '),
        entry.hold,
      ]
    case 'resource':
      return [ms(entry.at), entry.name, `holds ${entry.elements.join(', ')}`]
    case 'look': {
      const what = `look: claims ${String(entry.claimed)}, Redis has ${String(entry.found)}`
      return [ms(entry.at), who(begins.get(`hold ${entry.hold}`)), what, entry.hold]
    }
    case 'rejected':
      return [ms(entry.at), entry.process, `${entry.what}: ${entry.error}`]
    case 'closing':
      return [ms(entry.at), entry.process, `shutdown ${entry.phase}s`]
    case 'trouble':
      return [ms(entry.at), entry.where, entry.what]
    case 'call':
      return [ms(entry.at), entry.process, `${entry.method} of ${entry.name} (${entry.id})`]
    case 'answer':
      return [ms(entry.at), '', `${entry.error ?? entry.outcome} (${entry.id})`]
  }
}

function who(begin: BeginEntry | undefined): string {
  return begin === undefined ? '' : `${begin.process}/${String(begin.flow)}`
}

function holdOf(begin: BeginEntry | undefined): string {
  if (begin === undefined) return ''
  return begin.within === undefined ? begin.hold : `${begin.hold} within ${begin.within}`
}

function sideOf({ side }: BeginEntry): string {
  return side === 'read' ? ' for reading' : ''
}

function ms(at: number): string {
  return at.toFixed(3)
}
