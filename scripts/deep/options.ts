import { parseArgs } from 'node:util'
import { namesIn, numberIn, wholeIn } from '../command-line.js'
import { KINDS, type Kind } from './checks.js'

/** What the command line asks for. */
export type Task = { readonly what: 'checks'; readonly plan: Plan } | { readonly what: 'help' }

export interface Plan {
  readonly kinds: readonly Kind[]
  /** Shared by the checks that run for as long as they may; no check begins when it is over. In milliseconds. */
  readonly runMs: number
  readonly seed: number
  /** The file that gets the report. */
  readonly report: string
}

const DEFAULT_MINUTES = 120
const LARGEST_SEED = 2 ** 31

export const usage = `Usage: npm run test:deep -- [options]

  --minutes <number>  no check begins later than that; ${String(DEFAULT_MINUTES)} by default, fractions count
  --only <kind>       ${KINDS.join(', ')}; all of them by default
  --seed <number>     the same seed draws the same values; random by default
  --report <file>     where the report goes; deep-report.md by default
  --help              this text

"--only" may be given several times, or several kinds with commas between.`

/**
 * Reads the command line.
 *
 * @throws Error that says in one line what is wrong with it
 */
export function readOptions(args: readonly string[]): Task {
  const { values } = parseArgs({
    args: [...args],
    options: {
      minutes: { type: 'string', default: String(DEFAULT_MINUTES) },
      only: { type: 'string', multiple: true, default: [...KINDS] },
      seed: { type: 'string', default: String(Math.floor(Math.random() * LARGEST_SEED)) },
      report: { type: 'string', default: 'deep-report.md' },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return { what: 'help' }
  return {
    what: 'checks',
    plan: {
      kinds: namesIn('--only', values.only, KINDS),
      runMs: numberIn('--minutes', values.minutes, 0.1, 7 * 24 * 60) * 60_000,
      seed: wholeIn('--seed', values.seed, 0, LARGEST_SEED),
      report: values.report,
    },
  }
}
