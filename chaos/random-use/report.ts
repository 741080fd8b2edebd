import type { Breach } from './check.js'
import { inShort } from './program.js'
import type { Round } from './run.js'

const MOST_BREACHES = 10
const LONGEST_LINE = 300

/** What a round did, in one line. */
export function summaryOf({ mix, number, history, breaches }: Round): string {
  const granted = new Set(
    history.flatMap((entry) => (entry.type === 'begin' && entry.op === 'acquire' ? [entry.id] : [])),
  )
  const count = history.filter(
    (entry) => entry.type === 'end' && entry.outcome === 'ok' && granted.has(entry.id),
  ).length
  const calls = history.filter((entry) => entry.type === 'answer' && entry.outcome === 'ok').length
  const looks = history.filter(({ type }) => type === 'look').length
  const faults = history.filter((entry) => entry.type === 'fault' && entry.phase === 'begin').length
  const verdict = breaches.length === 0 ? 'ok' : `${String(breaches.length)} PROMISES BROKEN`
  return `${String(number)} ${mix}: ${calls > 0 ? `${String(calls)} calls` : `${String(count)} acquisitions, ${String(looks)} looks`}, ${String(faults)} faults: ${verdict}`
}

/** What was broken, and by which programs. */
export function storyOf({ breaches, plan, folder, mix, seed, topology }: Round): string {
  const shown = breaches.slice(0, MOST_BREACHES).map(breachInShort)
  const rest = breaches.length - shown.length
  const programs = plan.processes.flatMap(({ flows }, process) =>
    flows.map(({ client, program }) =>
      cut(`p${String(process + 1)}.${String(client)}: ${inShort(program, plan.objects)}`),
    ),
  )
  return [
    ...shown,
    ...(rest > 0 ? [`and ${String(rest)} more`] : []),
    `with ${String(plan.latencyMs)} ms latency, ${plan.faulty ? 'faults, ' : ''}a watchdog of ${String(plan.watchdogMs)} ms, and`,
    ...programs.map((program) => `  ${program}`),
    `the history is in ${folder}; the same programs again:`,
    `npm run random -- --topology ${topology} --programs ${mix} --seed ${String(seed)} --minutes 0.1`,
  ].join('\n')
}

function cut(text: string): string {
  return text.length <= LONGEST_LINE ? text : `${text.slice(0, LONGEST_LINE)} …`
}

function breachInShort({ kind, what }: Breach): string {
  return `${kind}: ${what}`
}
