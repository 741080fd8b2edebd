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
  /** The database that all clients use. */
  readonly database: number
  /** The clocks of the processes, in their order. */
  readonly clocks: readonly ClockOptions[]
  /** How far the clock of each server is ahead. */
  readonly serverSkewsMs: readonly number[]
  readonly stops: readonly Stop[]
  /** Whether processes compare what they believe to hold with Redis after each command. A hold that is asked may find its end itself. */
  readonly looks: boolean
}

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

/** Draws the circumstances of a round. What is drawn for one seed and what for another differ in kind, so that each is used often somewhere. */
export function circumstancesOf(
  plan: RoundPlan,
  chance: Chance,
  { playMs, servers, faults }: { readonly playMs: number; readonly servers: number; readonly faults: Faults },
): Circumstances {
  const has = (label: string, probability: number): boolean =>
    chance.fork(`has ${label}`).chance(faults === 'all' ? 1 : probability)
  const apart = has('clocks', 0.5)
  const skew = (draws: Chance) => (apart ? Math.round(draws.between(-SKEW_MS, SKEW_MS)) : 0)
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
    database: has('a database', 0.4) ? DATABASE : 0,
    clocks: plan.processes.map((_, n) => clockOf(chance.fork(`clock ${String(n)}`))),
    serverSkewsMs: Array.from({ length: servers }, (_, n) => skew(chance.fork(`server ${String(n)}`))),
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
