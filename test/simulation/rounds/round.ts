import type { Entry } from '../../../chaos/history.js'
import { checkRound, type Breach } from '../../../chaos/random-use/check.js'
import { conditionsOf } from '../../../chaos/random-use/conditions.js'
import type * as Library from '../../../src/index.js'
import { createWorld } from '../world/world.js'
import { checkArrivals } from './arrivals.js'
import type { Round } from './draw.js'
import { checkIdle } from './idle.js'
import { isQuiet } from './quiet.js'
import { Stage } from './stage.js'

export interface SimulationSettings {
  /** What is tried: the library, or another build of it. */
  readonly library: typeof Library
  /** What scripts are called in the trace, by their hashes. */
  readonly scriptNames: ReadonlyMap<string, string>
  /** Whether all of the trace is kept, and not only its hash and its end. */
  readonly keepsTrace?: boolean
}

/** What came of a round. */
export interface SimulatedRound {
  readonly breaches: readonly Breach[]
  readonly history: readonly Entry[]
  /** The hash of everything that has happened. The same round has the same one. */
  readonly hash: string
  /** All that has happened, if it was to be kept. */
  readonly trace: readonly string[]
  readonly virtualMs: number
}

/** Has simulated processes do the programs of a round, and judges what they have seen and what they have left. */
export async function simulateRound(round: Round, settings: SimulationSettings): Promise<SimulatedRound> {
  const { circumstances, seed, playMs } = round
  using world = createWorld(seed, {
    network: { latencyMs: circumstances.network.latencyMs ?? [0.05, 0.3] },
    ...(settings.keepsTrace === true && { keep: Infinity }),
  })
  const stage = new Stage(world, round, settings)
  await stage.play(playMs)
  const history = stage.history.toSorted((one, other) =>
    'at' in one && 'at' in other ? one.at - other.at : 0,
  )
  return {
    history,
    breaches: breachesOf(history, round),
    hash: world.hash,
    trace: settings.keepsTrace === true ? world.trace.lines : [],
    virtualMs: world.clock.now,
  }
}

/** Messages of one call that follow each other, before it has its place. */
const MESSAGES_OF_A_CALL = 6

function breachesOf(history: readonly Entry[], round: Round): Breach[] {
  const { plan, circumstances } = round
  const { disturbances, network } = circumstances
  const conditions = conditionsOf(plan)
  const faulty = conditions.faulty || disturbances.pause !== undefined
  const [, standsStillMs] = (disturbances.cutAndPause ?? disturbances.pause)?.lastsMs ?? [0, 0]
  const breaches = checkRound(history, { ...conditions, faulty, standsStillMs })
  if (!isQuiet(round) || plan.closing) return breaches
  const apartMs = MESSAGES_OF_A_CALL * Math.max(...(network.latencyMs ?? [0]), ...(network.spikeMs ?? []))
  return [...breaches, ...checkIdle(history, plan.objects), ...checkArrivals(history, plan.objects, apartMs)]
}
