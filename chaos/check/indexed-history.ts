import type {
  BeginEntry,
  EndEntry,
  Entry,
  ProcessEntry,
  ResourceEntry,
  RunEntry,
  StepEntry,
} from '../history.js'
import { Faults } from './faults.js'

/** A request and its answer, if it got one. */
export interface Operation {
  readonly begin: BeginEntry
  end?: EndEntry
}

/** All that one hold has left in the history. */
export interface Hold {
  readonly acquisition: Operation
  /** More than one if a release that failed was tried again. */
  readonly releases: Operation[]
  readonly steps: StepEntry[]
}

/** A client process, from its first sign of life to its last. */
export interface ClientProcess {
  readonly started: ProcessEntry
  /** That it was killed, or that it ended in order; neither, if the history ends before. */
  gone?: ProcessEntry
}

/** The entries of one run, by what they belong to. */
export interface IndexedHistory {
  readonly run: RunEntry
  readonly faults: Faults
  readonly processes: ReadonlyMap<string, ClientProcess>
  readonly operations: readonly Operation[]
  readonly holds: ReadonlyMap<string, Hold>
  /** What each resource held at the end; of several entries, the last. */
  readonly resources: ReadonlyMap<string, ResourceEntry>
  readonly endedAtMs: number
}

/**
 * Puts the entries of a run in order.
 *
 * @throws Error if they are inconsistent as a record, for any behaviour of the locks
 */
export function indexHistory(entries: readonly Entry[]): IndexedHistory {
  const run = entries[0]
  if (run?.type !== 'run') throw new Error(`Expected a history to begin with its run, got ${textOf(run)}`)
  const operations = operationsOf(entries)
  return {
    run,
    faults: new Faults(entries.filter((entry) => entry.type === 'fault')),
    processes: processesOf(entries),
    operations,
    holds: holdsOf(operations, entries),
    resources: new Map(
      entries.filter((entry) => entry.type === 'resource').map((entry) => [entry.name, entry] as const),
    ),
    endedAtMs: entries.reduce((last, entry) => Math.max(last, 'at' in entry ? entry.at : 0), 0),
  }
}

/** Who asks, as far as re-entry goes. */
export function ownerOf({ process, flow }: BeginEntry): string {
  return `${process}/${String(flow)}`
}

export function isOk(operation: Operation): operation is Operation & { readonly end: EndEntry } {
  return operation.end?.outcome === 'ok'
}

/** The holds that are no re-entries: each is a change of hands. */
export function outerHolds(holds: Iterable<Hold>): Hold[] {
  return [...holds].filter(({ acquisition }) => acquisition.begin.within === undefined)
}

function operationsOf(entries: readonly Entry[]): Operation[] {
  const operations = new Map<string, Operation>()
  for (const entry of entries) {
    if (entry.type !== 'begin') continue
    if (operations.has(entry.id))
      throw new Error(`Expected one begin of each id, got another ${textOf(entry)}`)
    operations.set(entry.id, { begin: entry })
  }
  for (const entry of entries) {
    if (entry.type !== 'end') continue
    const operation = operations.get(entry.id)
    if (operation === undefined || operation.end !== undefined)
      throw new Error(`Expected one end of each operation that began, got ${textOf(entry)}`)
    operation.end = entry
  }
  return [...operations.values()]
}

function holdsOf(operations: readonly Operation[], entries: readonly Entry[]): Map<string, Hold> {
  const holds = new Map<string, Hold>()
  for (const acquisition of operations) {
    const { begin } = acquisition
    if (begin.op !== 'acquire') continue
    if (holds.has(begin.hold))
      throw new Error(`Expected one acquisition of each hold, got another ${textOf(begin)}`)
    holds.set(begin.hold, { acquisition, releases: [], steps: [] })
  }
  for (const release of operations)
    if (release.begin.op === 'release') holds.get(release.begin.hold)?.releases.push(release)
  for (const entry of entries) {
    if (entry.type !== 'step') continue
    const hold = holds.get(entry.hold)
    if (hold === undefined)
      throw new Error(`Expected steps of holds that were asked for, got ${textOf(entry)}`)
    hold.steps.push(entry)
  }
  return holds
}

function processesOf(entries: readonly Entry[]): Map<string, ClientProcess> {
  const processes = new Map<string, ClientProcess>()
  for (const entry of entries) {
    if (entry.type !== 'process') continue
    const known = processes.get(entry.process)
    if (entry.phase === 'started') processes.set(entry.process, { started: entry })
    else if (known === undefined) throw new Error(`Expected a process to start first, got ${textOf(entry)}`)
    else known.gone ??= entry
  }
  return processes
}

function textOf(entry: Entry | undefined): string {
  return entry === undefined ? 'nothing' : JSON.stringify(entry)
}
