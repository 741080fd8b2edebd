import type { Finding, Verdict } from '../check.js'
import { tally } from '../check/tally.js'
import { runAgain } from './run-again.js'
import { windowTable } from './window-table.js'

/** The number of violations that are printed in full. */
const SHOWN = 5

/** What a run has shown, for a terminal. */
export function summarize(verdict: Verdict): string {
  const { violations, measured, counts } = verdict
  const { acquire, release } = counts.operations
  return [
    `${titleOf(verdict)}: ${violations.length === 0 ? 'holds' : 'BROKEN'}`,
    `  ${String(counts.acquisitions)} acquisitions, ${String(counts.handOvers)} hand-overs, ${String(counts.mostAtOnce)} inside at most, longest wait ${counts.longestWaitMs.toFixed(0)} ms`,
    `  acquire: ${list(acquire)}; release: ${list(release)}`,
    `  errors: ${list(counts.errors)}`,
    `  faults: ${list(counts.faults)}`,
    ...(counts.unreadResources.length > 0 ? [`  never read: ${counts.unreadResources.join(', ')}`] : []),
    ...(measured.length > 0 ? [`  not promised, and seen: ${list(kindsOf(measured))}`] : []),
    ...(violations.length > 0 ? [`  violations: ${list(kindsOf(violations))}`] : []),
    ...violations.slice(0, SHOWN).flatMap((violation) => ['', ...tell(violation)]),
    ...(violations.length > SHOWN ? ['', `… ${String(violations.length - SHOWN)} more`] : []),
    ...(violations.length > 0 ? ['', `again: ${runAgain(verdict)}`] : []),
  ].join('\n')
}

function titleOf({ run }: Verdict): string {
  const { lock, topology, syncedReplicas, seed } = run
  return `${lock} on ${topology}, ${String(syncedReplicas)} synced replicas, seed ${String(seed)}`
}

function tell(violation: Finding): string[] {
  const { kind, expected, got, fromMs, toMs } = violation
  return [
    `VIOLATION ${kind}, from ${fromMs.toFixed(3)} to ${toMs.toFixed(3)} ms: expected ${expected}, got ${got}`,
    ...windowTable(violation).map((line) => `  ${line}`),
  ]
}

function kindsOf(findings: readonly Finding[]): Readonly<Record<string, number>> {
  return tally(findings.map(({ kind }) => kind))
}

function list(counts: Readonly<Record<string, number>>): string {
  const words = Object.entries(counts).flatMap(([name, count]) =>
    count > 0 ? [`${String(count)} ${name}`] : [],
  )
  return words.length > 0 ? words.join(', ') : 'none'
}
