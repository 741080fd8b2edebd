import { findingOf, type Finding } from './finding.js'
import { isOk, ownerOf, type Hold, type IndexedHistory, type Operation } from './indexed-history.js'

/** After the last fault, every flow gets a turn within this time. */
export const RECOVERY_MS = 30_000

/** Who was killed may keep a lock for a lease, and who comes next needs a turn as well. */
const LEASES = 2

/** Looks for those who wait for good. */
export function checkLiveness(history: IndexedHistory): Finding[] {
  return [...stuckFlows(history), ...neverAnswered(history)]
}

/** Flows that live and do not acquire and release again when all is well. */
function stuckFlows(history: IndexedHistory): Finding[] {
  const { run, faults } = history
  const recoveryMs = Math.max(RECOVERY_MS, LEASES * run.leaseMs)
  const flows = Map.groupBy(history.holds.values(), ({ acquisition }) => ownerOf(acquisition.begin))
  return [...flows].flatMap(([owner, holds]) => {
    const fromMs = Math.max(faults.overAtMs, startedAtMs(holds))
    const toMs = fromMs + recoveryMs
    if (toMs > livedUntilMs(holds, history) || holds.some((hold) => isTurn(hold, fromMs, toMs))) return []
    return [
      findingOf(
        {
          kind: 'not-alive',
          isPromised: true,
          expected: `${owner} to acquire and release within ${String(recoveryMs)} ms of calm`,
          got: 'no turn',
          holds: holds.filter((hold) => touches(hold, fromMs, toMs)),
          time: { fromMs, toMs },
        },
        history,
      ),
    ]
  })
}

function startedAtMs(holds: readonly Hold[]): number {
  return holds.reduce((first, { acquisition }) => Math.min(first, acquisition.begin.at), Infinity)
}

/** Until when the process of these holds, all of one flow, could have had a turn. */
function livedUntilMs([first]: readonly Hold[], { processes, endedAtMs }: IndexedHistory): number {
  const process = first?.acquisition.begin.process ?? ''
  return processes.get(process)?.gone?.at ?? endedAtMs
}

function isTurn({ acquisition, releases }: Hold, fromMs: number, toMs: number): boolean {
  if (!isOk(acquisition) || acquisition.end.at < fromMs) return false
  return releases.some((release) => isOk(release) && release.end.at <= toMs)
}

/** Whether something was asked for a hold in a time, or was still to be answered. */
function touches({ acquisition, releases }: Hold, fromMs: number, toMs: number): boolean {
  return [acquisition, ...releases].some(
    ({ begin, end }) => begin.at <= toMs && (end?.at ?? Infinity) >= fromMs,
  )
}

/** Operations of processes that ended in order, and had time to wait for the answer. */
function neverAnswered(history: IndexedHistory): Finding[] {
  return history.operations
    .filter(
      ({ begin, end }) => end === undefined && history.processes.get(begin.process)?.gone?.phase === 'ended',
    )
    .map((operation) =>
      findingOf(
        {
          kind: 'never-answered',
          isPromised: true,
          expected: `the ${operation.begin.op} ${operation.begin.id} of ${ownerOf(operation.begin)} to be answered`,
          got: 'no answer until its process ended',
          holds: [],
          others: entriesAbout(operation, history),
        },
        history,
      ),
    )
}

function entriesAbout({ begin }: Operation, { processes }: IndexedHistory) {
  const gone = processes.get(begin.process)?.gone
  return gone === undefined ? [begin] : [begin, gone]
}
