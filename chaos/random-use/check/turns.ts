import type { BeginEntry, Entry } from '../../history.js'
import type { Breach, Conditions } from './breach.js'

/** The guide: the other process gets the lock within a second plus seven sections. */
const FIXED_MS = 1_000
const SECTIONS = 7

/** Looks for processes that wait for longer than the guide says while another one has turn after turn. */
export function checkTurns(entries: readonly Entry[], { resources, turns }: Conditions): Breach[] {
  if (!turns) return []
  return resources.flatMap(({ name }) => {
    const changes = changesOf(entries, name)
    const boundMs = FIXED_MS + SECTIONS * longestSectionMs(changes)
    return [...Map.groupBy(changes, ({ process }) => process)].flatMap(([process, own]) =>
      waitsOf(own).flatMap(({ fromMs, toMs }) => {
        if (toMs - fromMs <= boundMs) return []
        const others = changes.filter(
          (change) =>
            change.process !== process &&
            change.what === 'granted' &&
            change.at >= fromMs &&
            change.at <= toMs,
        )
        const what = `${name}: ${process} waited ${(toMs - fromMs).toFixed(0)} ms while others had ${String(others.length)} turns, the bound is ${boundMs.toFixed(0)} ms`
        return [{ kind: 'turns', what, entries: [] }]
      }),
    )
  })
}

/** A flow requested, acquired, gave up, or released. */
interface Change {
  readonly at: number
  readonly what: 'asked' | 'granted' | 'gave up' | 'left'
  readonly process: string
  readonly hold: string
}

function changesOf(entries: readonly Entry[], name: string): Change[] {
  const begins = new Map<string, BeginEntry>()
  const changes: Change[] = []
  for (const entry of entries) {
    if (entry.type === 'begin' && entry.name === name) {
      begins.set(entry.id, entry)
      if (entry.op === 'acquire') changes.push(changeOf(entry, entry.at, 'asked'))
    }
    const begin = entry.type === 'end' ? begins.get(entry.id) : undefined
    if (entry.type !== 'end' || begin === undefined) continue
    if (begin.op === 'release') changes.push(changeOf(begin, entry.at, 'left'))
    else changes.push(changeOf(begin, entry.at, entry.outcome === 'ok' ? 'granted' : 'gave up'))
  }
  return changes
}

/** Clients of one process are one here: `p1.0` and `p1.1` are `p1`. */
function changeOf({ process, hold }: BeginEntry, at: number, what: Change['what']): Change {
  return { at, what, process: process.replace(/\.\d+$/, ''), hold }
}

function longestSectionMs(changes: readonly Change[]): number {
  const granted = new Map<string, number>()
  let longest = 0
  for (const { what, hold, at } of changes) {
    if (what === 'granted') granted.set(hold, at)
    else if (what === 'left') longest = Math.max(longest, at - (granted.get(hold) ?? at))
  }
  return longest
}

/** The times in which a process wanted to be inside, and was not, until it was let in. */
function waitsOf(changes: readonly Change[]): { readonly fromMs: number; readonly toMs: number }[] {
  const waits: { readonly fromMs: number; readonly toMs: number }[] = []
  let [asking, inside] = [0, 0]
  let sinceMs: number | undefined
  for (const { what, at } of changes) {
    if (what === 'granted' && sinceMs !== undefined) waits.push({ fromMs: sinceMs, toMs: at })
    asking += what === 'asked' ? 1 : what === 'left' ? 0 : -1
    inside += what === 'granted' ? 1 : what === 'left' ? -1 : 0
    const waiting = asking > 0 && inside === 0
    sinceMs = waiting ? (what === 'granted' ? undefined : (sinceMs ?? at)) : undefined
  }
  return waits
}
