import type { EndEntry } from '../history.js'
import { FAILOVERS } from './faults.js'
import {
  isOk,
  outerHolds,
  type ClientProcess,
  type Hold,
  type IndexedHistory,
  type Operation,
} from './indexed-history.js'
import { tally } from './tally.js'

export type Outcome = EndEntry['outcome'] | 'unanswered'

/** What went on in a run, in numbers. */
export interface Counts {
  readonly durationMs: number
  readonly operations: Readonly<Record<'acquire' | 'release', Readonly<Record<Outcome, number>>>>
  readonly faults: Readonly<Record<string, number>>
  /** Faults by which another server followed a master. */
  readonly failovers: number
  /** Changes of hands: those who entered again are not among them. */
  readonly acquisitions: number
  /** Acquisitions that followed one of another process. */
  readonly handOvers: number
  readonly errors: Readonly<Record<string, number>>
  readonly longestWaitMs: number
  readonly mostAtOnce: number
  /** Writes that the resource refused, because of their token. */
  readonly fencedOff: number
  /** Client processes that were alive at once, at most. */
  readonly clients: number
  readonly killedProcesses: number
  /** Names of resources that were written to, and not read at the end: nothing is known of their writes. */
  readonly unreadResources: readonly string[]
}

export function countsOf(history: IndexedHistory, mostAtOnce: number): Counts {
  const { operations, faults, holds, processes } = history
  const granted = outerHolds(holds.values()).filter(({ acquisition }) => isOk(acquisition))
  return {
    durationMs: history.endedAtMs,
    operations: { acquire: outcomes(operations, 'acquire'), release: outcomes(operations, 'release') },
    faults: tally(faults.all.map(({ kind }) => kind)),
    failovers: faults.of(FAILOVERS).length,
    acquisitions: granted.length,
    handOvers: handOvers(granted),
    errors: tally(operations.flatMap(errorOf)),
    longestWaitMs: longestWaitMs(operations),
    mostAtOnce,
    fencedOff: stepsOf(holds.values(), 'fenced-off'),
    clients: mostAlive(processes.values()),
    killedProcesses: [...processes.values()].filter(({ gone }) => gone?.phase === 'killed').length,
    unreadResources: unreadResources(history),
  }
}

/** The code of an error, also of one that means no. */
function errorOf({ end }: Operation): string[] {
  if (end?.error !== undefined) return [end.error]
  return end?.outcome === 'failed' ? ['no code'] : []
}

function outcomes(operations: readonly Operation[], op: 'acquire' | 'release'): Record<Outcome, number> {
  const counts = { ok: 0, refused: 0, failed: 0, unanswered: 0 }
  for (const { begin, end } of operations) if (begin.op === op) counts[end?.outcome ?? 'unanswered'] += 1
  return counts
}

function handOvers(granted: readonly Hold[]): number {
  const last = new Map<string, string>()
  let count = 0
  for (const { acquisition } of granted.toSorted((a, b) => grantedAtMs(a) - grantedAtMs(b))) {
    const { name, process } = acquisition.begin
    if ((last.get(name) ?? process) !== process) count += 1
    last.set(name, process)
  }
  return count
}

function grantedAtMs({ acquisition }: Hold): number {
  return acquisition.end?.at ?? Infinity
}

function longestWaitMs(operations: readonly Operation[]): number {
  return operations.reduce(
    (longest, { begin, end }) =>
      begin.op === 'acquire' && end ? Math.max(longest, end.at - begin.at) : longest,
    0,
  )
}

function stepsOf(holds: Iterable<Hold>, what: string): number {
  let count = 0
  for (const { steps } of holds) for (const step of steps) if (step.what === what) count += 1
  return count
}

function mostAlive(processes: Iterable<ClientProcess>): number {
  const changes = [...processes].flatMap(({ started, gone }) => [
    { at: started.at, by: 1 },
    ...(gone === undefined ? [] : [{ at: gone.at, by: -1 }]),
  ])
  let alive = 0
  return changes
    .sort((a, b) => a.at - b.at || a.by - b.by)
    .reduce((most, { by }) => Math.max(most, (alive += by)), 0)
}

function unreadResources({ holds, resources }: IndexedHistory): string[] {
  const written = [...holds.values()].filter(({ steps }) => steps.some(({ what }) => what === 'added'))
  const names = new Set(written.map(({ acquisition }) => acquisition.begin.name))
  return [...names].filter((name) => !resources.has(name)).sort()
}
