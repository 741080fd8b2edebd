import type { Round } from './draw.js'

/** Whether nothing goes wrong in a round, so that its callers are served as soon as they can be. */
export function isQuiet({ plan, circumstances: { disturbances, stops } }: Round): boolean {
  return !plan.faulty && disturbances.pause === undefined && stops.length === 0
}
