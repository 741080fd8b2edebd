import type { NodeContender } from '../contenders/contender.js'
import type { Figures } from '../outcome.js'
import { inverse, spreadText } from '../spread.js'
import type { Column, Target, Verdict } from './workload.js'

/** At least so much of the floor. */
export function ofFloor(least: number): Target {
  return {
    says: `at least ${String(least)} of the floor`,
    of: (comparison) => {
      const ratio = comparison.toFloor(comparison.ours)
      return ratio === undefined ? undefined : { met: ratio >= least, got: ratio.toFixed(2) }
    },
  }
}

/** At least so much of the floor in one of several figures. */
export function ofFloorIn({ key, title }: Column, least: number): Target {
  return {
    says: `${title}: at least ${String(least)} of the floor`,
    of: ({ floor }) => {
      const theirs = floor?.toOursIn(key)
      if (theirs === undefined) return undefined
      const ours = inverse(theirs)
      return { met: ours.median >= least, got: spreadText(ours) }
    },
  }
}

/** At most so much of the floor in one of several figures. */
export function atMostOfFloorIn({ key, title }: Column, most: number): Target {
  return {
    says: `${title}: at most ${most.toFixed(2)} of the floor`,
    of: ({ floor }) => {
      const theirs = floor?.toOursIn(key)
      if (theirs === undefined) return undefined
      const ours = inverse(theirs)
      return { met: ours.median <= most, got: spreadText(ours) }
    },
  }
}

/** At least this multiple of the best peer. */
export function timesBestPeer(
  least: number,
  { who = 'the best peer', admit }: { who?: string; admit?: (name: string) => boolean } = {},
): Target {
  return {
    says: `at least ${String(least)} times ${who}`,
    of: (comparison) => {
      const best = comparison.bestPeer(admit && (({ contender }) => admit(contender.name)))
      if (best?.toOurs === undefined) return undefined
      const ratio = 1 / best.toOurs.median
      return { met: ratio >= least, got: `${ratio.toFixed(2)} times ${best.contender.name}` }
    },
  }
}

/** How much of a reference is reached: with a minimum, or only for information. */
export function ofReference(reference: NodeContender, what: string, least?: number): Target {
  return {
    says: least === undefined ? `share of ${what}` : `at least ${String(least)} of ${what}`,
    of: (comparison) => {
      const row = comparison.references.find(({ contender }) => contender === reference)
      if (row?.toOurs === undefined) return undefined
      const ours = inverse(row.toOurs)
      return { ...(least !== undefined && { met: ours.median >= least }), got: spreadText(ours) }
    },
  }
}

/** A figure that is only reported. */
export function reported(what: string, of: (figures: Figures) => number): Target {
  return {
    says: what,
    of: ({ ours: { figures } }) => (figures === undefined ? undefined : { got: of(figures).toFixed(2) }),
  }
}

/** At most so much of something. */
export function atMost(most: number, what: string, of: (figures: Figures) => number): Target {
  return {
    says: `at most ${String(most)} ${what}`,
    of: (comparison) => {
      const { figures } = comparison.ours
      if (figures === undefined) return undefined
      const got = of(figures)
      return { met: got <= most, got: shown(got) }
    },
  }
}

/** Targets that compare with the best peer's other figures. */
export function shareOfBestPeers(most: number, key: string, what: string): Target {
  return {
    says: `${what} at most ${most.toFixed(2)} of the best peer's`,
    of: (comparison): Verdict | undefined => {
      const best = comparison.bestPeer()
      const [theirs, ours] = [best?.figures?.[key], comparison.ours.figures?.[key]]
      if (best === undefined || theirs === undefined || ours === undefined) return undefined
      return { met: ours / theirs <= most, got: `${(ours / theirs).toFixed(2)} of ${best.contender.name}'s` }
    },
  }
}

function shown(number: number): string {
  return Number.isInteger(number) ? String(number) : number.toFixed(2)
}
