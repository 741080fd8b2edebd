import { parseArgs } from 'node:util'
import { namesIn } from '../scripts/command-line.js'
import { peers } from './contenders/contenders.js'
import { COSTS } from './costs/costs.js'
import { JAVA } from './java/java-redisson.js'
import { SHOP } from './shop.js'
import { FULL, QUICK, type Sizes } from './sizes.js'
import { workloads } from './workloads/workloads.js'

/** What the benchmark is to do. */
export interface Task {
  readonly workloads: readonly string[]
  readonly peers: readonly string[]
  readonly sizes: Sizes
  readonly outputs: readonly Output[]
}

/** What is written besides the tables on the screen: JSON instead of them, pictures, the page about the benchmark. */
export type Output = 'json' | 'plot' | 'page'

const NAMES = [...workloads.map(({ name }) => name), SHOP, COSTS]
const PEERS = [...peers.map(({ name }) => name), JAVA]
const NONE = 'none'

export const usage = `Usage: npm run bench -- [--quick] [--only <workload> …] [--peers <peer> …] [--rounds <count>] [--json] [--plot] [--write]

  --quick            small sizes, one round: to look at, not to publish
  --only <workload>  this workload alone; may be given more than once, or with commas
  --peers <peer>     these peers alone, likewise; "none" for the library and the floor
  --rounds <count>   how often each contender is measured
  --json             everything as JSON, and nothing else
  --plot             pictures of throughput and waiting, into docs/bench
  --write            the tables, into docs/bench/README.md
  --help             this text

Workloads: ${NAMES.join(', ')}
Peers: ${PEERS.join(', ')}`

/**
 * Reads the command line. Returns undefined if it asks for help.
 *
 * @throws Error that says in one line what is wrong with it
 */
export function readOptions(args: readonly string[]): Task | undefined {
  const { values } = parseArgs({
    args: [...args],
    options: {
      quick: { type: 'boolean' },
      only: { type: 'string', multiple: true, default: NAMES },
      peers: { type: 'string', multiple: true, default: PEERS },
      rounds: { type: 'string' },
      json: { type: 'boolean' },
      plot: { type: 'boolean' },
      write: { type: 'boolean' },
      help: { type: 'boolean' },
    },
  })
  if (values.help === true) return undefined
  const sizes = values.quick === true ? QUICK : FULL
  return {
    workloads: namesIn('--only', values.only, NAMES),
    peers: namesIn('--peers', values.peers, [...PEERS, NONE]).filter((name) => name !== NONE),
    sizes: { ...sizes, rounds: values.rounds === undefined ? sizes.rounds : countOf(values.rounds) },
    outputs: [
      ...(values.json === true ? ['json' as const] : []),
      ...(values.plot === true ? ['plot' as const] : []),
      ...(values.write === true ? ['page' as const] : []),
    ],
  }
}

function countOf(text: string): number {
  const count = Number(text)
  if (Number.isSafeInteger(count) && count > 0) return count
  throw new Error(`Expected \`--rounds\` to be a whole number from 1, got "${text}"`)
}
