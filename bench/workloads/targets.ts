import type { Standings } from '../standings.js'
import type { Target, Verdict } from './workload.js'

/** At least so much of the floor. */
export function ofFloor(least: number): Target {
  return {
    says: `at least ${String(least)} of the floor`,
    of: (standings) => {
      const ratio = standings.toFloor(standings.ours)
      return ratio === undefined ? undefined : { met: ratio >= least, got: ratio.toFixed(2) }
    },
  }
}

/** At least so many times what the best peer has. */
export function timesBestPeer(
  least: number,
  { who = 'the best peer', admit }: { who?: string; admit?: (name: string) => boolean } = {},
): Target {
  return {
    says: `at least ${String(least)} times ${who}`,
    of: (standings) => {
      const best = standings.bestPeer(admit && (({ contender }) => admit(contender.name)))
      if (best?.toOurs === undefined) return undefined
      const ratio = 1 / best.toOurs
      return { met: ratio >= least, got: `${ratio.toFixed(2)} times ${best.contender.name}` }
    },
  }
}

/** At most so much of something. */
export function atMost(
  most: number,
  what: string,
  of: (figures: Standings['ours']['figures'] & object) => number,
): Target {
  return {
    says: `at most ${String(most)} ${what}`,
    of: (standings) => {
      const { figures } = standings.ours
      if (figures === undefined) return undefined
      const got = of(figures)
      return { met: got <= most, got: shown(got) }
    },
  }
}

/** Whatever compares with the best peer's other figures. */
export function shareOfBestPeers(most: number, key: string, what: string): Target {
  return {
    says: `${what} at most ${most.toFixed(2)} of the best peer's`,
    of: (standings): Verdict | undefined => {
      const best = standings.bestPeer()
      const [theirs, ours] = [best?.figures?.[key], standings.ours.figures?.[key]]
      if (best === undefined || theirs === undefined || ours === undefined) return undefined
      return { met: ours / theirs <= most, got: `${(ours / theirs).toFixed(2)} of ${best.contender.name}'s` }
    },
  }
}

function shown(number: number): string {
  return Number.isInteger(number) ? String(number) : number.toFixed(2)
}
