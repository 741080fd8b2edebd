import { parseArgs } from 'node:util'
import { MIX_NAMES, type MixName } from '../../../chaos/random-use/mixes.js'
import { namesIn, numberIn, wholeIn } from '../../../scripts/command-line.js'
import type { Faults } from './circumstances.js'

/** What the command line asks for. */
export interface Task {
  readonly isHelp: boolean
  readonly mixes: readonly MixName[]
  readonly from: number
  readonly to: number
  /** No round begins later than that, in milliseconds. */
  readonly runMs: number
  readonly playMs: number
  readonly faults: Faults
  readonly withTrace: boolean
  /** Whether the first round that breaks a promise is made smaller, and nothing is simulated after it. */
  readonly shrinks: boolean
  /** A scenario that is played instead, or `all` of them. */
  readonly scenario?: string
  /** The file of another build of the library. */
  readonly library?: string
}

const LARGEST_SEED = 2 ** 31

export const usage = `Usage: npm run simulate -- [options]

  --seed <number>       one seed; 1 by default
  --seeds <from>-<to>   all seeds from one to another
  --minutes <number>    all seeds from one on, for a time
  --kind <name>         ${MIX_NAMES.join(', ')}; all of them by default
  --seconds <number>    how long the programs of each seed go on, in virtual time; 2 by default
  --faults              everything goes wrong that can, and not only what the seed chooses
  --shrink              makes the first round that breaks a promise smaller, prints it, and ends
  --scenario <name>     plays a scenario instead, or all of them
  --library <file>      another build of the library, to see what is found in it
  --trace               prints everything that happens
  --help                this text

"--kind" may be given several times, or several names with commas between.`

export function read(args: readonly string[]): Task {
  const { values } = parseArgs({
    args: [...args],
    options: {
      seed: { type: 'string', default: '1' },
      seeds: { type: 'string' },
      minutes: { type: 'string' },
      kind: { type: 'string', multiple: true, default: [...MIX_NAMES] },
      seconds: { type: 'string', default: '2' },
      faults: { type: 'boolean', default: false },
      shrink: { type: 'boolean', default: false },
      scenario: { type: 'string' },
      library: { type: 'string' },
      trace: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  const { minutes } = values
  const last = minutes === undefined ? undefined : String(LARGEST_SEED)
  const [from = '', to = last ?? from] = (values.seeds ?? values.seed).split('-')
  return {
    isHelp: values.help,
    mixes: namesIn('--kind', values.kind, MIX_NAMES),
    from: wholeIn('--seeds', from, 0, LARGEST_SEED),
    to: wholeIn('--seeds', to, 0, LARGEST_SEED),
    runMs: minutes === undefined ? Infinity : numberIn('--minutes', minutes, 0.01, 24 * 60) * 60_000,
    playMs: numberIn('--seconds', values.seconds, 0.01, 3_600) * 1_000,
    faults: values.faults ? 'all' : 'some',
    withTrace: values.trace,
    shrinks: values.shrink,
    ...(values.scenario !== undefined && { scenario: values.scenario }),
    ...(values.library !== undefined && { library: values.library }),
  }
}
