import { parseArgs } from 'node:util'
import { namesIn, wholeIn } from '../scripts/command-line.js'
import { LOCKS, TOPOLOGIES, type LockName, type TopologyName } from './history.js'
import { REPLICAS } from './replicas.js'

/** One topology and one kind of lock that goes with it. */
export interface Pair {
  readonly topology: TopologyName
  readonly lock: LockName
}

/** What the suite is to do. */
export type Task = { readonly what: 'runs'; readonly plan: Plan } | { readonly what: 'help' }

export interface Plan {
  readonly pairs: readonly Pair[]
  /** How long faults happen in each run, in milliseconds. */
  readonly runMs: number
  readonly seed: number
  readonly syncedReplicas: number
  readonly clients: number
  readonly leaseMs: number
  /** The folder that gets a folder for every run. */
  readonly out: string
}

/** Faults need time to happen in. */
const SHORTEST_RUN_MS = 10_000
const DEFAULT_MINUTES = 10
const DEFAULT_LEASE_MS = 2_000
/** Shorter leases end while a busy machine does something else. */
const SHORTEST_LEASE_MS = 500
const LARGEST_SEED = 2 ** 31

export const usage = `Usage: npm run chaos -- [options]

  --minutes <number>         how long, for all runs together; ${String(DEFAULT_MINUTES)} by default, fractions count
  --topology <name>          ${TOPOLOGIES.join(', ')}; all of them by default
  --lock <name>              ${LOCKS.join(', ')}; all of them by default
  --seed <number>            the same seed has the same sequence of faults; random by default
  --synced-replicas <count>  replicas that confirm each lock; none by default
  --clients <count>          client processes, 3 to 5; 3 by default
  --lease-ms <number>        the lease and the watchdog's time; ${String(DEFAULT_LEASE_MS)} by default
  --out <folder>             where results go; chaos-results by default
  --help                     this text

"--topology" and "--lock" may be given several times, or several names with commas between. Every lock meets every
topology, except that redlock and redlock5 only meet each other.`

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
      topology: { type: 'string', multiple: true, default: [...TOPOLOGIES] },
      lock: { type: 'string', multiple: true, default: [...LOCKS] },
      seed: { type: 'string', default: String(Math.floor(Math.random() * LARGEST_SEED)) },
      'synced-replicas': { type: 'string', default: '0' },
      clients: { type: 'string', default: '3' },
      'lease-ms': { type: 'string', default: String(DEFAULT_LEASE_MS) },
      out: { type: 'string', default: 'chaos-results' },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return { what: 'help' }
  const pairs = pairsOf(
    namesIn('--topology', values.topology, TOPOLOGIES),
    namesIn('--lock', values.lock, LOCKS),
  )
  const plan: Plan = {
    pairs,
    runMs: runMsOf(values.minutes, pairs.length),
    seed: wholeIn('--seed', values.seed, 0, LARGEST_SEED),
    syncedReplicas: wholeIn('--synced-replicas', values['synced-replicas'], 0, 2),
    clients: wholeIn('--clients', values.clients, 3, 5),
    leaseMs: wholeIn('--lease-ms', values['lease-ms'], SHORTEST_LEASE_MS, 60_000),
    out: values.out,
  }
  demandReplicas(plan)
  return { what: 'runs', plan }
}

function pairsOf(topologies: readonly TopologyName[], locks: readonly LockName[]): Pair[] {
  const pairs = topologies.flatMap((topology) => locks.map((lock) => ({ topology, lock }))).filter(isSensible)
  if (pairs.length > 0) return pairs
  throw new Error(
    `Expected a topology and a lock that go together, got ${topologies.join(',')} and ${locks.join(',')}`,
  )
}

/** A red lock is made for servers that know nothing of each other, and other locks have no use for them. */
function isSensible({ topology, lock }: Pair): boolean {
  return (topology === 'redlock5') === (lock === 'redlock')
}

function runMsOf(minutes: string, runs: number): number {
  const runMs = (Number(minutes) * 60_000) / runs
  if (minutes !== '' && runMs >= SHORTEST_RUN_MS && runMs < Infinity) return runMs
  const least = ((SHORTEST_RUN_MS * runs) / 60_000).toFixed(2)
  throw new Error(
    `Expected \`--minutes\` to be a number of at least ${least} for ${String(runs)} runs, got "${minutes}"`,
  )
}

function demandReplicas({ pairs, syncedReplicas }: Plan): void {
  const short = pairs.find(({ topology }) => REPLICAS[topology] < syncedReplicas)
  if (short === undefined) return
  throw new Error(
    `Expected \`--synced-replicas\` to be at most ${String(REPLICAS[short.topology])} for ${short.topology}, got ${String(syncedReplicas)}`,
  )
}
