import { parseArgs } from 'node:util'
import { nameIn, namesIn, numberIn } from '../../scripts/command-line.js'
import { GROUNDS, type GroundName } from './ground.js'
import { MIX_NAMES, type MixName } from './mixes.js'

/** What the command line asks for. */
export type Task = { readonly what: 'rounds'; readonly plan: Plan } | { readonly what: 'help' }

export interface Plan {
  readonly runMs: number
  readonly roundMs: number
  readonly seed: number
  readonly topology: GroundName
  readonly mixes: readonly MixName[]
  /** The folder that gets a folder for every round. */
  readonly out: string
  /** The file of another build of the library. */
  readonly library?: string
}

const DEFAULT_MINUTES = 10
const DEFAULT_ROUND_S = 8
const LARGEST_SEED = 2 ** 31

export const usage = `Usage: npm run random -- [options]

  --minutes <number>       how long; ${String(DEFAULT_MINUTES)} by default, fractions count
  --round-seconds <number> how long the programs of one round go on; ${String(DEFAULT_ROUND_S)} by default
  --programs <name>        ${MIX_NAMES.join(', ')}; all of them in turn by default
  --topology <name>        ${GROUNDS.join(', ')}; single by default
  --seed <number>          the same seed has the same programs in the same order; random by default
  --library <file>         another build of the library, to see what the programs find in it
  --out <folder>           where the history of rounds goes that broke a promise; chaos-results by default
  --help                   this text

"--programs" may be given several times, or several names with commas between.`

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
      'round-seconds': { type: 'string', default: String(DEFAULT_ROUND_S) },
      programs: { type: 'string', multiple: true, default: MIX_NAMES },
      topology: { type: 'string', default: 'single' },
      seed: { type: 'string', default: String(Math.floor(Math.random() * LARGEST_SEED)) },
      library: { type: 'string' },
      out: { type: 'string', default: 'chaos-results' },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return { what: 'help' }
  return {
    what: 'rounds',
    plan: {
      runMs: numberIn('--minutes', values.minutes, 0.01, 24 * 60) * 60_000,
      roundMs: numberIn('--round-seconds', values['round-seconds'], 0.5, 600) * 1_000,
      seed: numberIn('--seed', values.seed, 0, LARGEST_SEED),
      topology: nameIn('--topology', values.topology, GROUNDS),
      mixes: namesIn('--programs', values.programs, MIX_NAMES),
      out: values.out,
      ...(values.library !== undefined && { library: values.library }),
    },
  }
}
