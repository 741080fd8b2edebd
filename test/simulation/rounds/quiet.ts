import { stepsOf, type RoundPlan } from '../../../chaos/random-use/mixes.js'
import type { Round } from './draw.js'

/** Whether nothing goes wrong in a round, so that its callers are served as soon as they can be. */
export function isQuiet({ plan, circumstances: { disturbances, stops } }: Round): boolean {
  return !plan.faulty && disturbances.pause === undefined && stops.length === 0
}

/** How long the programs of a round take if each waits for all others. */
export function lengthOf(plan: RoundPlan): number {
  return stepsOf(plan).reduce((sum, step) => sum + (step.do === 'pause' ? step.ms : 0), 0)
}
