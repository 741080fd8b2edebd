import type { Check } from './checks.js'

/** What became of a check. */
export interface Outcome {
  readonly check: Check
  /** The exit code, or why it has none. */
  readonly end: number | 'not begun' | NodeJS.Signals
  readonly tookMs: number
  /** The last lines that it printed. */
  readonly lastLines: readonly string[]
}

export function hasFound({ end }: Outcome): boolean {
  return end !== 0 && end !== 'not begun'
}

/** Writes the report, in Markdown. */
export function reportOf(outcomes: readonly Outcome[], seed: number): string {
  const found = outcomes.filter(hasFound)
  return [
    '# What the deep tests found',
    '',
    `Seed ${String(seed)}. ${sumOf(outcomes)}`,
    '',
    '| kind | check | seconds | result | run it again |',
    '| --- | --- | --- | --- | --- |',
    ...outcomes.map(rowOf),
    ...found.flatMap(storyOf),
    '',
  ].join('\n')
}

function sumOf(outcomes: readonly Outcome[]): string {
  const count = (some: (outcome: Outcome) => boolean) => String(outcomes.filter(some).length)
  const passed = count(({ end }) => end === 0)
  const unbegun = count(({ end }) => end === 'not begun')
  return `${passed} checks found nothing, ${count(hasFound)} found something, ${unbegun} were not begun in time.`
}

function rowOf(outcome: Outcome): string {
  const { check, tookMs } = outcome
  const seconds = (tookMs / 1_000).toFixed(0)
  // A pipe would end the cell.
  const again = commandOf(check).replaceAll('|', '\\|')
  return `| ${check.kind} | ${check.title} | ${seconds} | ${resultOf(outcome)} | \`${again}\` |`
}

function resultOf(outcome: Outcome): string {
  if (outcome.end === 0) return 'found nothing'
  return hasFound(outcome) ? `**failed (${String(outcome.end)})**` : 'not begun: the time was over'
}

function storyOf({ check, lastLines }: Outcome): readonly string[] {
  return ['', `## ${check.title}`, '', '```text', ...lastLines, '```']
}

/** How to run a check again, in a shell. */
export function commandOf({ command, args, env }: Check): string {
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`)
  const program = command === 'node' ? ['npx', 'node'] : [command]
  return [...variables, ...program, ...args.map(quoted)].join(' ')
}

function quoted(argument: string): string {
  return /^[\w./:=@*-]+$/.test(argument) ? argument : `'${argument}'`
}
