import { parseArgs } from 'node:util'
import { MIX_NAMES, type MixName } from '../../../chaos/random-use/mixes.js'
import { nameIn, namesIn, numberIn, wholeIn } from '../../../scripts/command-line.js'
import { scenarios } from '../scenarios/all.js'
import { TOPOLOGIES, type Faults, type Topology } from './circumstances.js'

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
  /** How the servers are arranged; otherwise each seed chooses. */
  readonly topology?: Topology
  readonly withTrace: boolean
  /** Whether the first round that breaks a promise is made smaller, and nothing is simulated after it. */
  readonly shrinks: boolean
  /** A scenario that is played instead, or `all` of them. */
  readonly scenario?: string
  /** The file of another build of the library. */
  readonly library?: string
}

const LARGEST_SEED = 2 ** 31

const SCENARIOS = ['all', ...scenarios.map(({ name }) => name)]

export const usage = `Usage: npm run simulate -- [options]

  --seed <number>       one seed; 1 by default
  --seeds <from>-<to>   all seeds from one to another
  --minutes <number>    all seeds from one on, for a time
  --kind <name>         ${MIX_NAMES.join(', ')}; all of them by default
  --seconds <number>    how long the programs of each seed go on, in virtual time; 2 by default
  --servers <name>      ${TOPOLOGIES.join(', ')}: how the servers are arranged; what the seed chooses by default
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
      servers: { type: 'string' },
      faults: { type: 'boolean', default: false },
      shrink: { type: 'boolean', default: false },
      scenario: { type: 'string' },
      library: { type: 'string' },
      trace: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  const { minutes } = values
  return {
    isHelp: values.help,
    mixes: namesIn('--kind', values.kind, MIX_NAMES),
    ...seedsIn(values, minutes === undefined ? undefined : LARGEST_SEED),
    runMs: minutes === undefined ? Infinity : numberIn('--minutes', minutes, 0.01, 24 * 60) * 60_000,
    playMs: numberIn('--seconds', values.seconds, 0.01, 3_600) * 1_000,
    faults: values.faults ? 'all' : 'some',
    ...(values.servers !== undefined && { topology: nameIn('--servers', values.servers, TOPOLOGIES) }),
    withTrace: values.trace,
    shrinks: values.shrink,
    ...(values.scenario !== undefined && { scenario: nameIn('--scenario', values.scenario, SCENARIOS) }),
    ...(values.library !== undefined && { library: values.library }),
  }
}

/**
 * Reads which seeds are meant: one, or a range.
 *
 * @param last - the last one where no range is given; otherwise the first is the last as well
 */
function seedsIn(
  { seed, seeds }: { readonly seed: string; readonly seeds?: string | undefined },
  last: number | undefined,
): Pick<Task, 'from' | 'to'> {
  if (seeds === undefined) {
    const from = wholeIn('--seed', seed, 0, LARGEST_SEED)
    return { from, to: last ?? from }
  }
  const [, first = '', end = first] = /^(\d+)(?:-(\d+))?$/.exec(seeds) ?? []
  if (first === '') throw new Error(`Expected \`--seeds\` to be like 1-20, got "${seeds}"`)
  const from = wholeIn('--seeds', first, 0, LARGEST_SEED)
  return { from, to: wholeIn('--seeds', end, from, LARGEST_SEED) }
}
