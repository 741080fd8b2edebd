import { checkHistory } from '../../check.js'
import { checkFencing } from '../../check/fencing.js'
import { indexHistory } from '../../check/indexed-history.js'
import type { Entry, LockName, RunEntry } from '../../history.js'
import { deliveryBy, type Resource } from '../objects.js'
import type { Breach, Conditions } from './breach.js'

/** Judges each resource by the rules of its kind of lock, as if its part of the history were all that happened. */
export function checkResources(entries: readonly Entry[], { resources, forced }: Conditions): Breach[] {
  const parts = partsOf(entries)
  const delivered = [...parts.keys()].flatMap((name) => deliveryBy(name) ?? [])
  const distinct = new Map([...resources, ...delivered].map((each) => [each.name, each])).values()
  return [...distinct].flatMap((resource) =>
    forced.has(resource.name) ? [] : judge(resource, parts.get(resource.name) ?? [], entries),
  )
}

function judge(resource: Resource, part: readonly Entry[], entries: readonly Entry[]): Breach[] {
  const { rules } = resource
  if (rules === 'rate' || rules === 'once') return []
  const processes = entries.filter(({ type }) => type === 'process')
  // Not every form of a fenced lock tells its token, so tokens are judged by themselves.
  const lock = rules === 'fenced' ? 'rlock' : rules
  const { violations } = checkHistory([runOf(resource, lock), ...processes, ...part])
  const fencing =
    rules === 'fenced' ? checkFencing(indexHistory([runOf(resource, 'fenced'), ...withTokens(part)])) : []
  return [...violations, ...fencing].map(({ kind, expected, got, window }) => ({
    kind,
    what: `${resource.name}: expected ${expected}, got ${got}`,
    entries: window,
  }))
}

/** No program asks for a longer lease. Processes that are stopped keep what they hold for as long. */
const LONGEST_LEASE_MS = 60_000

function runOf({ permits }: Resource, lock: LockName): RunEntry {
  return {
    type: 'run',
    seed: 0,
    lock,
    topology: 'single',
    syncedReplicas: 0,
    leaseMs: LONGEST_LEASE_MS,
    permits,
  }
}

/** All that concerns each name. */
function partsOf(entries: readonly Entry[]): Map<string, Entry[]> {
  const [ofOperation, ofHold] = [new Map<string, string>(), new Map<string, string>()]
  for (const entry of entries) {
    if (entry.type !== 'begin') continue
    ofOperation.set(entry.id, entry.name)
    ofHold.set(entry.hold, entry.name)
  }
  const nameOf = (entry: Entry): string | undefined => {
    if (entry.type === 'begin') return entry.name
    if (entry.type === 'end') return ofOperation.get(entry.id)
    return entry.type === 'step' ? ofHold.get(entry.hold) : undefined
  }
  const parts = new Map<string, Entry[]>()
  for (const entry of entries) {
    const name = nameOf(entry)
    if (name === undefined) continue
    const part = parts.get(name)
    if (part === undefined) parts.set(name, [entry])
    else part.push(entry)
  }
  return parts
}

/** The operations of holds whose token is known. */
function withTokens(part: readonly Entry[]): Entry[] {
  const answered = new Set(
    part.flatMap((entry) => (entry.type === 'end' && entry.token !== undefined ? [entry.id] : [])),
  )
  const holds = new Set(
    part.flatMap((entry) => (entry.type === 'begin' && answered.has(entry.id) ? [entry.hold] : [])),
  )
  const kept = part.filter((entry) => entry.type === 'begin' && holds.has(entry.hold))
  const ids = new Set(kept.flatMap((entry) => (entry.type === 'begin' ? [entry.id] : [])))
  return part.filter((entry) =>
    entry.type === 'step' ? holds.has(entry.hold) : 'id' in entry && ids.has(entry.id),
  )
}
