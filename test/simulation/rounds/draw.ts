import { MIXES, stepsOf, type MixName, type RoundPlan } from '../../../chaos/random-use/mixes.js'
import { othersFor } from '../../../chaos/random-use/objects.js'
import { Random } from '../../../chaos/random.js'
import { Chance } from '../world/chance.js'
import { circumstancesOf, type Circumstances, type Faults, type Topology } from './circumstances.js'

/** All that a seed decides beforehand. It is plain data: what is taken from it gives a smaller round. */
export interface Round {
  readonly name: string
  /** What decides the rest: when messages arrive, and what processes draw. */
  readonly seed: string
  readonly plan: RoundPlan
  readonly circumstances: Circumstances
  /** How long the programs go on, in virtual milliseconds. */
  readonly playMs: number
}

/** Which round is drawn. */
export interface Draw {
  readonly mix: MixName
  readonly seed: number
  readonly playMs: number
  /** @defaultValue 'some' */
  readonly faults?: Faults
  /** @defaultValue what the seed chooses. Where locks are at a majority of servers, these are independent always. */
  readonly topology?: Topology | undefined
}

/** Rounds have seeds that follow each other, and should have nothing else in common. */
const SPREAD = 0x9e3779b1

/** Leases of the watchdog that are short enough to be renewed while a program is inside. */
const SHORT_WATCHDOGS_MS = [150, 600]

export function drawRound({ mix, seed, playMs, faults = 'some', topology }: Draw): Round {
  const name = `${mix} ${String(seed)}`
  const drawn = MIXES[mix](new Random(Math.imul(seed, SPREAD)))
  const watchdogMs = new Chance(`watchdog of ${name}`).pick([...SHORT_WATCHDOGS_MS, drawn.watchdogMs])
  const plan = mayLoseLeases(drawn) ? { ...drawn, watchdogMs } : drawn
  const servers = 1 + othersFor(plan.objects)
  const circumstances = circumstancesOf(plan, new Chance(`circumstances of ${name}`), {
    playMs,
    servers,
    faults,
    topology: servers > 1 ? 'single' : topology,
  })
  return { name, seed: name, plan, circumstances, playMs }
}

/**
 * Turns are counted between processes that keep their leases, what runs once may run again when its mark ends with one, and a late release of
 * a thread that is named may release its next hold if the lease of the first one has ended.
 */
function mayLoseLeases(plan: RoundPlan): boolean {
  const namesThreads = stepsOf(plan).some((step) => 'threadId' in step)
  return !plan.turns && !namesThreads && plan.objects.every(({ kind }) => kind !== 'once')
}
