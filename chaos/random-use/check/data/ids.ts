import type { Breach } from '../breach.js'
import { deedsOf, whoOf, type Call, type Deed } from './calls.js'
import type { Id } from '../../data/effects.js'

/** Looks for ids that were handed out twice, or that fell within one client. */
export function checkIds(calls: readonly Call[]): Breach[] {
  return [...deedsOf(calls, 'id')].flatMap(([name, deeds]) => [
    ...twice(name, deeds),
    ...falling(name, deeds),
  ])
}

function twice(name: string, deeds: readonly Deed<Id>[]): Breach[] {
  return [...Map.groupBy(deeds, ({ effect }) => effect.value)].flatMap(([value, alike]) => {
    const [one, other] = alike
    if (one === undefined || other === undefined) return []
    const what = `${name}: ${whoOf(one.call)} and ${whoOf(other.call)} both got ${String(value)}`
    return [{ kind: 'twice', what, entries: [one.call.entry, other.call.entry] }]
  })
}

function falling(name: string, deeds: readonly Deed<Id>[]): Breach[] {
  return [...Map.groupBy(deeds, ({ call }) => call.entry.process).values()].flatMap((own) =>
    own.flatMap(({ call, effect }) => {
      const larger = own.find((other) => other.call.to < call.from && other.effect.value > effect.value)
      if (larger === undefined) return []
      const what = `${name}: ${whoOf(call)} got ${String(effect.value)} after ${String(larger.effect.value)}`
      return [{ kind: 'order', what, entries: [larger.call.entry, call.entry] }]
    }),
  )
}
