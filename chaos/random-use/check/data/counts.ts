import type { Addition, Count } from '../../data/effects.js'
import type { Breach } from '../breach.js'
import { deedsOf, whoOf, type Call, type Deed } from './calls.js'

/** A number that a call has seen. */
interface Seen {
  readonly call: Call
  readonly value: number
  /** What the call itself has added by then. */
  readonly own: number
}

/** Looks for numbers that have lost what was added to them, or have it twice. */
export function checkCounts(calls: readonly Call[]): Breach[] {
  return [...deedsOf(calls, 'addition', 'count')].flatMap(([cell, deeds]) => {
    const additions = deeds.filter((deed): deed is Deed<Addition> => deed.effect.is === 'addition')
    return [
      ...deeds.flatMap(seenBy).flatMap((seen) => wrongCount(cell, seen, additions)),
      ...overlaps(cell, additions),
    ]
  })
}

function seenBy({ call, effect }: Deed<Addition | Count>): Seen[] {
  if (effect.is === 'count') return [{ call, value: effect.value, own: 0 }]
  return effect.after === undefined ? [] : [{ call, value: effect.after, own: effect.by }]
}

/** All that was added for certain before the call began is in it, and nothing that was begun after its end. */
function wrongCount(
  cell: string,
  { call, value, own }: Seen,
  additions: readonly Deed<Addition>[],
): Breach[] {
  let [least, most] = [own, own]
  for (const { call: other, effect } of additions) {
    if (other === call && own !== 0) continue
    if (other.fate === 'done' && other.to < call.from) least += effect.by
    if (other.fate !== 'not done' && other.from <= call.to) most += effect.by
  }
  if (value >= least && value <= most) return []
  const what = `${cell}: ${whoOf(call)} found ${String(value)}, expected ${String(least)} to ${String(most)}`
  return [{ kind: value < least ? 'lost' : 'doubled', what, entries: [call.entry] }]
}

/** Each addition leads from one number to another, and no two of them over the same. */
function overlaps(cell: string, additions: readonly Deed<Addition>[]): Breach[] {
  const known = additions
    .flatMap(({ call, effect: { by, after } }) => (after === undefined ? [] : [{ call, by, after }]))
    .toSorted((one, other) => one.after - other.after)
  return known.flatMap(({ call, by, after }, n) => {
    const before = known[n - 1]
    if (before === undefined || before.after <= after - by) return []
    const what = `${cell}: ${whoOf(before.call)} and ${whoOf(call)} have both passed ${String(before.after)}`
    return [{ kind: 'twice', what, entries: [before.call.entry, call.entry] }]
  })
}
