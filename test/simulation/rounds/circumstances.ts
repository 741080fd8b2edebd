import type { RoundPlan } from '../../../chaos/random-use/mixes.js'
import { isData, isPermits } from '../../../chaos/random-use/objects.js'
import type { Chance } from '../world/chance.js'
import type { Disturbance, Disturbances } from '../world/disturbances.js'
import type { NetworkOptions } from '../world/network/faults.js'
import type { ClockOptions } from '../world/process-clock.js'
import type { Refusals } from './refusals.js'

/** What happens around the programs of a round. All of it is plain data. */
export interface Circumstances {
  /** How messages travel, and what goes wrong with them. */
  readonly network: NetworkOptions
  readonly disturbances: Disturbances
  /** What servers do to their clients from time to time. */
  readonly refusals: Refusals
  /** How the servers are arranged. */
  readonly topology: Topology
  /** How their parts change. */
  readonly changes: Changes
  /** Whether clients read at replicas what need not be the newest. */
  readonly readsReplicas: boolean
  /** The database that all clients use. */
  readonly database: number
  /** What clients have to say before anything else; absent where that is nothing. */
  readonly password?: string
  /** The clocks of the processes, in their order. */
  readonly clocks: readonly ClockOptions[]
  /** How far the clock of each server is ahead. */
  readonly serverSkewsMs: readonly number[]
  readonly stops: readonly Stop[]
  /** Whether processes compare what they believe to hold with Redis after each command. A hold that is asked may find its end itself. */
  readonly looks: boolean
}

/** Servers that know nothing of each other, or a master with replicas and sentinels, or a cluster. */
export const TOPOLOGIES = ['single', 'sentinel', 'cluster'] as const

export type Topology = (typeof TOPOLOGIES)[number]

/** How servers change their parts from time to time. What is left out does not happen. */
export interface Changes {
  /** A replica takes the place of a master, and has all that it had. */
  readonly failover?: Disturbance
  /** A slot moves to another master. */
  readonly move?: Disturbance
}

/** What becomes of a master that is replaced. */
export const FATES = ['demoted', 'away', 'frozen'] as const

/** A process that ends without a word, as by SIGKILL. */
export interface Stop {
  /** Its number in the round. */
  readonly process: number
  readonly atMs: number
  /** When it is started again after that; never where left out. */
  readonly restartAfterMs?: number
}

/** Which circumstances are drawn: `all` of those that a round can have, or those that its seed chooses. */
export type Faults = 'all' | 'some'

/** The guide promises that leases end in time as long as clocks run apart by less than one percent. */
const DRIFT = 0.007

const SKEW_MS = 3_600_000

const DATABASE = 5

const PASSWORD = 'secret'

/** Draws the circumstances of a round. What is drawn for one seed and what for another differ in kind, so that each is used often somewhere. */
export function circumstancesOf(
  plan: RoundPlan,
  chance: Chance,
  {
    playMs,
    servers,
    faults,
    topology = topologyOf(servers, chance),
  }: {
    readonly playMs: number
    readonly servers: number
    readonly faults: Faults
    readonly topology?: Topology | undefined
  },
): Circumstances {
  const has = (label: string, probability: number): boolean =>
    chance.fork(`has ${label}`).chance(faults === 'all' ? 1 : probability)
  const apart = has('clocks', 0.5)
  const skew = (draws: Chance) => (apart ? Math.round(draws.between(-SKEW_MS, SKEW_MS)) : 0)
  const isSingle = topology === 'single'
  const clockOf = (draws: Chance): ClockOptions => ({
    skewMs: skew(draws),
    drift: apart ? 1 + draws.between(-DRIFT, DRIFT) : 1,
  })
  const { latencyMs } = plan
  return {
    network: {
      latencyMs: [latencyMs + 0.05, 2 * latencyMs + 0.3],
      ...(!plan.turns && has('late messages', 0.3) && { spike: 0.01, spikeMs: [5, 120] }),
      ...(plan.faulty && messageFaults(has)),
    },
    disturbances: {
      ...(plan.faulty && networkFaults(has)),
      ...(plan.faulty &&
        plan.objects.some(isData) &&
        has('long pauses', 0.25) && { cutAndPause: LONG_PAUSE }),
      ...(!plan.turns && has('pauses', 0.3) && { pause: pausesOf(plan, chance.fork('pauses')) }),
      ...(has('steps', 0.2) && { step: { everyMs: 700, byMs: [-SKEW_MS, SKEW_MS] } }),
    },
    refusals: plan.faulty ? refusalsOf(has) : {},
    topology,
    changes: plan.faulty && !isSingle ? changesOf(topology, has) : {},
    readsReplicas: !isSingle && !plan.objects.some(isData) && has('replica reads', 0.4),
    database: topology !== 'cluster' && has('a database', 0.4) ? DATABASE : 0,
    ...(has('a password', 0.3) && { password: PASSWORD }),
    clocks: plan.processes.map((_, n) => clockOf(chance.fork(`clock ${String(n)}`))),
    // Deadlines of keys are times of day, so that servers which replicate each other have one clock.
    serverSkewsMs: Array.from({ length: servers }, (_, n) =>
      isSingle ? skew(chance.fork(`server ${String(n)}`)) : 0,
    ),
    looks: has('looks', 0.75),
    stops: mayStop(plan) && has('stops', 0.25) ? [stopOf(plan, chance.fork('stops'), playMs)] : [],
  }
}

/** Redis forgets its replies to requests within about a minute. */
const LONG_PAUSE: Disturbance = { everyMs: 300, lastsMs: [55_000, 70_000] }

type Has = (label: string, probability: number) => boolean

function messageFaults(has: Has): NetworkOptions {
  return {
    ...(has('lost requests', 0.7) && { requestCut: 0.004 }),
    ...(has('lost replies', 0.8) && { replyCut: 0.004 }),
    ...(has('little bandwidth', 0.15) && { bandwidth: 100_000 }),
    ...(has('spikes', 0.6) && { spike: 0.002, spikeMs: [5, 300] }),
  }
}

function networkFaults(has: Has): Disturbances {
  return {
    ...(has('partitions', 0.7) && { partition: { everyMs: 1_500, lastsMs: [5, 900] } }),
    ...(has('absences', 0.7) && { away: { everyMs: 3_000, lastsMs: [300, 900] } }),
    ...(has('cuts', 0.8) && { cut: { everyMs: 1_500 } }),
    ...(has('freezes', 0.3) && { freeze: { everyMs: 1_500, lastsMs: [5, 400] } }),
    ...(has('narrow links', 0.3) && { narrow: { everyMs: 1_500, lastsMs: [50, 900] } }),
    ...(has('slow ways', 0.3) && { slow: { everyMs: 1_500, lastsMs: [50, 900] } }),
  }
}

/** Independent servers are for locks at a majority of them. Most rounds have a single one, of which most is known. */
function topologyOf(servers: number, chance: Chance): Topology {
  if (servers > 1) return 'single'
  const draws = chance.fork('topology')
  return draws.chance(0.8) ? 'single' : draws.pick(['sentinel', 'cluster'])
}

function changesOf(topology: Topology, has: Has): Changes {
  return {
    ...(has('failovers', 0.8) && { failover: { everyMs: 1_500, lastsMs: [5, 900] } }),
    ...(topology === 'cluster' && has('moves', 0.8) && { move: { everyMs: 200, lastsMs: [1, 400] } }),
  }
}

function refusalsOf(has: Has): Refusals {
  return {
    ...(has('refused steps', 0.4) && { step: { everyMs: 700, lastsMs: [20, 900] } }),
    ...(has('long scripts', 0.3) && { busy: { everyMs: 1_500, lastsMs: [5, 600] } }),
  }
}

/** Where clients are shut down, calls are promised to return soon: pauses are short there. */
function pausesOf({ closing }: RoundPlan, chance: Chance): Disturbance {
  const lastsMs = chance.pick<readonly [number, number]>(
    closing
      ? [[1, 150]]
      : [
          [1, 60],
          [50, 600],
          [500, 3_500],
        ],
  )
  return { everyMs: 10 * lastsMs[1], lastsMs }
}

/** The permits of a semaphore without leases are gone with their process, and turns are counted between processes that live. */
function mayStop({ objects, turns, processes }: RoundPlan): boolean {
  const losesPermits = objects.some((object) => isPermits(object) && object.kind === 'semaphore')
  return !turns && !losesPermits && processes.length > 1
}

function stopOf({ processes }: RoundPlan, chance: Chance, playMs: number): Stop {
  const process = chance.whole(processes.length)
  const atMs = Math.round(chance.between(0.1, 0.8) * playMs)
  const restartAfterMs = Math.round(chance.between(0, playMs - atMs))
  return { process, atMs, ...(chance.chance(0.6) && { restartAfterMs }) }
}
