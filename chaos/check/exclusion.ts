import { findingOf, type Finding } from './finding.js'
import type { IndexedHistory } from './indexed-history.js'
import { Occupancy, ruleOf, type Rule } from './occupancy.js'
import { isExclusionPromised } from './promises.js'
import type { Span } from './spans.js'

/** Who was inside together. */
export interface Exclusion {
  /** One for each hold that had company, however many came and went meanwhile. */
  readonly findings: readonly Finding[]
  /** How many were inside one lock at once, at most. */
  readonly mostAtOnce: number
}

/** Looks for locks that let in more than they may. */
export function checkExclusion(history: IndexedHistory, spans: readonly Span[]): Exclusion {
  const rule = ruleOf(history.run)
  const sweeps = [...Map.groupBy(spans, ({ begin }) => begin.name).values()].map((ofName) =>
    sweep(ofName, rule),
  )
  return {
    findings: sweeps.flatMap(({ crowds }) => crowds).map((crowd) => accuse(crowd, rule, history)),
    mostAtOnce: Math.max(0, ...sweeps.map(({ mostAtOnce }) => mostAtOnce)),
  }
}

/** Spans of one name that overlap and may not, each with another one of them. */
interface Crowd {
  readonly spans: Set<Span>
  readonly fromMs: number
  toMs: number
  /** How long there were too many; between the first and the last moment there may be breaks. */
  togetherMs: number
  holders: number
}

/** Goes through the beginnings and ends of the spans of one name, in the order of time. */
function sweep(
  spans: readonly Span[],
  rule: Rule,
): { readonly crowds: Crowd[]; readonly mostAtOnce: number } {
  const beginnings = spans.toSorted((a, b) => a.fromMs - b.fromMs)
  const ends = spans.toSorted((a, b) => a.toMs - b.toMs)
  const inside = new Occupancy()
  const crowds: Crowd[] = []
  let crowd: Crowd | undefined
  let crowdedSinceMs = 0
  let mostAtOnce = 0
  let left = 0
  const letLeave = (untilMs: number): void => {
    for (let span = ends[left]; span !== undefined && span.toMs <= untilMs; span = ends[left]) {
      inside.leave(span)
      left += 1
      if (crowd === undefined || rule.isBroken(inside)) continue
      crowd.toMs = span.toMs
      crowd.togetherMs += span.toMs - crowdedSinceMs
      crowd = undefined
    }
  }
  for (const span of beginnings) {
    letLeave(span.fromMs) // who leaves as another one enters is out
    inside.enter(span)
    const holders = rule.holders(inside)
    mostAtOnce = Math.max(mostAtOnce, holders)
    if (!rule.isBroken(inside)) continue
    if (crowd === undefined) {
      const last = crowds.at(-1)
      crowd = last !== undefined && isStillThere(last, inside) ? last : newCrowd(inside, span.fromMs)
      if (crowd === last) for (const present of inside.spans) crowd.spans.add(present)
      else crowds.push(crowd)
      crowdedSinceMs = span.fromMs
    }
    crowd.spans.add(span)
    crowd.holders = Math.max(crowd.holders, holders)
  }
  letLeave(Infinity)
  return { crowds, mostAtOnce }
}

/** Whether the one that had company first is inside still. */
function isStillThere({ spans }: Crowd, inside: Occupancy): boolean {
  const [first] = spans
  return first !== undefined && inside.spans.has(first)
}

function newCrowd({ spans }: Occupancy, fromMs: number): Crowd {
  return { spans: new Set(spans), fromMs, toMs: fromMs, togetherMs: 0, holders: 0 }
}

function accuse(
  { spans, fromMs, toMs, togetherMs, holders }: Crowd,
  { expected }: Rule,
  history: IndexedHistory,
): Finding {
  const owners = [...new Set([...spans].map(({ owner }) => owner))]
  const [first] = spans // which entered first
  return findingOf(
    {
      kind: 'too-many-holders',
      isPromised: isExclusionPromised(history, fromMs, first?.fromMs),
      expected: `${expected} of ${first?.begin.name ?? ''}`,
      got: `${String(holders)} for ${togetherMs.toFixed(1)} ms: ${owners.join(', ')}`,
      holds: [...spans].map(({ hold }) => hold),
      time: { fromMs, toMs },
    },
    history,
  )
}
