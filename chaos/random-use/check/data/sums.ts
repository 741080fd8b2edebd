import type { Breach } from '../breach.js'
import { deedsOf, whoOf, type Call } from './calls.js'

/** Looks for sums of adders that lack what their own client has added, or have more than all have. */
export function checkSums(calls: readonly Call[]): Breach[] {
  return [...deedsOf(calls, 'tally', 'sum')].flatMap(([name, deeds]) =>
    deeds.flatMap(({ call, effect }) => {
      if (effect.is !== 'sum') return []
      let [least, most] = [0, 0]
      for (const { call: other, effect: added } of deeds) {
        if (added.is !== 'tally' || other.fate === 'not done') continue
        if (other.entry.process === call.entry.process && other.to < call.from) least += added.by
        if (other.from <= call.to) most += added.by
      }
      if (effect.value >= least && effect.value <= most) return []
      const what = `${name}: ${whoOf(call)} found ${String(effect.value)}, expected ${String(least)} to ${String(most)}`
      return [{ kind: effect.value < least ? 'lost' : 'doubled', what, entries: [call.entry] }]
    }),
  )
}
