import type { FindingKind, Verdict } from './check.js'
import { TOKEN_FINDINGS } from './check/finding.js'
import { markdownTable } from './report/markdown.js'
import { grouped, rate } from './report/rate.js'
import { runAgain } from './report/run-again.js'

export { summarize } from './report/summarize.js'

/** Puts runs side by side, as tables in Markdown. Runs of the same lock, topology and synced replicas count together. */
export function reportRuns(runs: readonly Verdict[]): string {
  const groups = groupsOf(runs)
  return [
    '## What was done',
    doneTable(groups),
    '## What was found',
    foundTable(groups),
    '## How often',
    'Each is the count, the cases that it rests on, and the rate. Where none was seen, the rate is below the number in ' +
      'parentheses with 95 % confidence (the rule of three).',
    rateTable(groups),
    '## Faults',
    faultTable(runs),
    '## Violations',
    violationList(runs),
  ].join('\n\n')
}

/** Runs that count together. */
interface Group {
  readonly words: readonly string[]
  readonly runs: readonly Verdict[]
}

const GROUP_HEAD = ['lock', 'topology', 'synced replicas']

function groupsOf(runs: readonly Verdict[]): Group[] {
  const wordsOf = ({ run }: Verdict) => [run.lock, run.topology, String(run.syncedReplicas)]
  return [...Map.groupBy(runs, (run) => wordsOf(run).join(' '))].map(([words, ofGroup]) => ({
    words: words.split(' '),
    runs: ofGroup,
  }))
}

function doneTable(groups: readonly Group[]): string {
  const head = [
    'runs',
    'minutes',
    'faults',
    'failovers',
    'operations',
    'acquisitions',
    'hand-overs',
    'longest wait',
  ]
  const rows = groups.map(({ runs }) => [
    String(runs.length),
    (sum(runs, ({ counts }) => counts.durationMs) / 60_000).toFixed(1),
    grouped(sum(runs, ({ counts }) => total(counts.faults))),
    grouped(sum(runs, ({ counts }) => counts.failovers)),
    grouped(sum(runs, ({ counts }) => total(counts.operations.acquire) + total(counts.operations.release))),
    grouped(sum(runs, ({ counts }) => counts.acquisitions)),
    grouped(sum(runs, ({ counts }) => counts.handOvers)),
    `${(Math.max(...runs.map(({ counts }) => counts.longestWaitMs)) / 1_000).toFixed(1)} s`,
  ])
  return groupTable(head, rows, groups)
}

function foundTable(groups: readonly Group[]): string {
  const head = [
    'holders at once',
    'too many at once',
    'lost updates',
    'fenced-off writes',
    'tokens out of order',
    'violations',
  ]
  const rows = groups.map(({ runs }) => [
    String(Math.max(...runs.map(({ counts }) => counts.mostAtOnce))),
    grouped(found(runs, TOO_MANY)),
    grouped(found(runs, LOST)),
    grouped(sum(runs, ({ counts }) => counts.fencedOff)),
    grouped(found(runs, TOKEN_FINDINGS)),
    grouped(sum(runs, ({ violations }) => violations.length)),
  ])
  return groupTable(head, rows, groups)
}

const TOO_MANY: readonly FindingKind[] = ['too-many-holders']
const LOST: readonly FindingKind[] = ['lost-update']

function rateTable(groups: readonly Group[]): string {
  const things = ['too many at once', 'lost updates', 'tokens out of order']
  const head = things.flatMap((thing) => [`${thing}, per failover`, 'per 1 000 acquisitions'])
  const rows = groups.map(({ runs }) => {
    const failovers = sum(runs, ({ counts }) => counts.failovers)
    const acquisitions = sum(runs, ({ counts }) => counts.acquisitions)
    return [TOO_MANY, LOST, TOKEN_FINDINGS].flatMap((kinds) => {
      const seen = found(runs, kinds)
      return [rate(seen, failovers), rate(seen, acquisitions, 1_000)]
    })
  })
  return groupTable(head, rows, groups)
}

function groupTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  groups: readonly Group[],
): string {
  const whole = groups.map(({ words }, index) => [...words, ...(rows[index] ?? [])])
  return markdownTable([...GROUP_HEAD, ...head], whole, { words: 2 })
}

function faultTable(runs: readonly Verdict[]): string {
  const topologies = [...new Set(runs.map(({ run }) => run.topology))]
  const kinds = [...new Set(runs.flatMap(({ counts }) => Object.keys(counts.faults)))].sort()
  const rows = kinds.map((kind) => [
    kind,
    ...topologies.map((topology) =>
      grouped(
        sum(
          runs.filter(({ run }) => run.topology === topology),
          ({ counts }) => counts.faults[kind] ?? 0,
        ),
      ),
    ),
  ])
  return rows.length === 0 ? 'None.' : markdownTable(['fault', ...topologies], rows, { words: 1 })
}

function violationList(runs: readonly Verdict[]): string {
  const broken = runs.filter(({ violations }) => violations.length > 0)
  if (broken.length === 0) return `None in ${grouped(runs.length)} runs.`
  return broken
    .map((verdict) => {
      const [first] = verdict.violations
      const what = first === undefined ? '' : `expected ${first.expected}, got ${first.got}`
      return `- \`${runAgain(verdict)}\`: ${String(verdict.violations.length)}, first ${what}`
    })
    .join('\n')
}

function found(runs: readonly Verdict[], kinds: readonly FindingKind[]): number {
  return sum(
    runs,
    ({ violations, measured }) =>
      [...violations, ...measured].filter(({ kind }) => kinds.includes(kind)).length,
  )
}

function sum<T>(items: readonly T[], amount: (item: T) => number): number {
  return items.reduce((so, item) => so + amount(item), 0)
}

function total(counts: Readonly<Record<string, number>>): number {
  return sum(Object.values(counts), (count) => count)
}
