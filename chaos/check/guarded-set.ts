import type { ResourceEntry, StepEntry } from '../history.js'
import { findingOf, TOKEN_FINDINGS, type Finding } from './finding.js'
import { isOk, ownerOf, type Hold, type IndexedHistory } from './indexed-history.js'
import { areWritesPromised } from './promises.js'

/**
 * Compares what was added to the sets that the locks guard with what is there at the end.
 *
 * A fence is as good as its tokens, so it takes those that are known to be bad.
 */
export function checkGuardedSets(history: IndexedHistory, fencing: readonly Finding[]): Finding[] {
  const writes = Map.groupBy(writesOf(history.holds.values()), ({ hold }) => hold.acquisition.begin.name)
  return [...history.resources.values()].flatMap((resource) => {
    const ofName = writes.get(resource.name) ?? []
    return [...lostUpdates(resource, ofName, history, fencing), ...unknownElements(resource, ofName, history)]
  })
}

interface Write {
  readonly hold: Hold
  readonly step: StepEntry
  readonly element: string
}

function writesOf(holds: Iterable<Hold>): Write[] {
  return [...holds].flatMap((hold) =>
    hold.steps.flatMap((step) => (step.element === undefined ? [] : [{ hold, step, element: step.element }])),
  )
}

function lostUpdates(
  resource: ResourceEntry,
  writes: readonly Write[],
  history: IndexedHistory,
  fencing: readonly Finding[],
): Finding[] {
  if (history.run.permits > 1) return [] // those who are inside together overwrite each other by right
  const kept = new Set(resource.elements)
  const isPromised =
    history.run.lock === 'fenced' ? !areTokensKnownBad(resource.name, fencing) : areWritesPromised(history)
  return writes
    .filter(({ step, element }) => step.what === 'added' && step.at < resource.at && !kept.has(element))
    .map(({ hold, step, element }) =>
      findingOf(
        {
          kind: 'lost-update',
          isPromised,
          expected: `${element} to be in ${resource.name}, as ${ownerOf(hold.acquisition.begin)} added it`,
          got: 'a set without it',
          holds: [hold],
          time: { fromMs: step.at, toMs: step.at },
        },
        history,
      ),
    )
}

/** Whether a failover issued tokens of this name again, where that is not excluded. */
function areTokensKnownBad(name: string, fencing: readonly Finding[]): boolean {
  const kinds: readonly string[] = TOKEN_FINDINGS
  return fencing.some(
    ({ kind, isPromised, window }) =>
      !isPromised &&
      kinds.includes(kind) &&
      window.some((entry) => entry.type === 'begin' && entry.name === name),
  )
}

/**
 * Elements that no client has tried to add.
 *
 * A process that is killed may have written what it could not record any more: once for each hold that it had.
 */
function unknownElements(
  resource: ResourceEntry,
  writes: readonly Write[],
  history: IndexedHistory,
): Finding[] {
  const tried = new Set(writes.map(({ element }) => element))
  const unknown = [...new Set(resource.elements)].filter((element) => !tried.has(element))
  const unrecorded = holdsCutShort(resource.name, history)
  if (unknown.length <= unrecorded) return []
  return [
    findingOf(
      {
        kind: 'unknown-element',
        isPromised: true,
        expected: `only what was added to ${resource.name}, and at most ${String(unrecorded)} by killed processes`,
        got: `${String(unknown.length)} others: ${unknown.slice(0, SHOWN).join(', ')}`,
        holds: [],
        others: [{ ...resource, elements: unknown.slice(0, SHOWN) }],
      },
      history,
    ),
  ]
}

/** The number of elements that are printed. */
const SHOWN = 10

function holdsCutShort(name: string, { holds, processes }: IndexedHistory): number {
  return [...holds.values()].filter(({ acquisition, releases, steps }) => {
    const { begin } = acquisition
    if (begin.name !== name || !isOk(acquisition) || releases.length > 0) return false
    if (steps.some(({ what }) => what === 'lost')) return false
    return processes.get(begin.process)?.gone?.phase === 'killed'
  }).length
}
