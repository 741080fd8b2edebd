import type { Fault } from './faults/fault.js'
import { Random } from './random.js'

/** One fault of the schedule. */
export interface Blow {
  readonly fault: Fault
  /** How long to wait before it, in milliseconds. */
  readonly pauseMs: number
  readonly lastsMs: number
  /** For the choices that are left to the moment, such as that of the target. */
  readonly seed: number
}

/** Faults that happen together: each begins when the one before has begun, and ends in its own time. */
export type Round = readonly Blow[]

const SHORTEST_PAUSE_MS = 200
const LONGEST_PAUSE_MS = 2_000
const LONGEST_PAUSE_INSIDE_MS = 500
const SHARE_OF_OVERLAPS = 0.2

/** An endless sequence of faults, the same for the same seed. No kind comes again before all have come. */
export function* schedule(seed: number, faults: readonly Fault[]): Generator<Round, never> {
  const random = new Random(seed)
  for (;;) {
    for (const fault of random.shuffled(faults)) {
      const first = blow(fault, random.between(SHORTEST_PAUSE_MS, LONGEST_PAUSE_MS), random)
      yield random.chance(SHARE_OF_OVERLAPS) ? [first, companion(fault, faults, random)] : [first]
    }
  }
}

/** A fault of another realm, so that neither undoes the other. */
function companion(fault: Fault, faults: readonly Fault[], random: Random): Blow {
  const others = faults.filter(({ realm }) => realm !== fault.realm)
  return blow(random.pick(others), random.between(0, LONGEST_PAUSE_INSIDE_MS), random)
}

function blow(fault: Fault, pauseMs: number, random: Random): Blow {
  const [least, most] = fault.lastsMs
  return { fault, pauseMs, lastsMs: random.between(least, most), seed: random.seed() }
}
