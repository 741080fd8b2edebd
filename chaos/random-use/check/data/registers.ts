import type { Read, Write } from '../../data/effects.js'
import type { Breach } from '../breach.js'
import { deedsOf, whoOf, type Call, type Deed } from './calls.js'

/** A value that a call has seen. */
interface Seen {
  readonly call: Call
  readonly value: string | undefined
}

type WriteDeed = Deed<Write>

/** How often a request without `exactlyOnce` is sent at most in rounds with faults. */
const MOST_COPIES = 2

/** Looks for values that were not written, that were seen after they had been replaced, or that were replaced twice. */
export function checkRegisters(calls: readonly Call[]): Breach[] {
  return [...deedsOf(calls, 'write', 'read')].flatMap(([cell, deeds]) => {
    const writes = deeds.filter((deed): deed is WriteDeed => deed.effect.is === 'write')
    const register = new Register(writes)
    return [
      ...deeds.flatMap(seenBy).flatMap((seen) => register.wrong(cell, seen)),
      ...replacedTwice(cell, writes),
      ...appearances(cell, writes),
    ]
  })
}

function seenBy({ call, effect }: Deed<Read | Write>): Seen[] {
  if (effect.is === 'read') return [{ call, value: effect.value }]
  return effect.before === undefined || call.fate !== 'done' ? [] : [{ call, value: effect.before.value }]
}

/** All that was written to one place. */
class Register {
  readonly #byValue: ReadonlyMap<string | undefined, readonly WriteDeed[]>
  /** What was written for certain, in the order of the answers, with the latest begin of all up to it. */
  readonly #certain: readonly { readonly to: number; readonly latest: WriteDeed }[]

  constructor(writes: readonly WriteDeed[]) {
    this.#byValue = Map.groupBy(writes, ({ effect }) => effect.value)
    let latest: WriteDeed | undefined
    this.#certain = writes
      .filter(({ call }) => call.fate === 'done')
      .toSorted((one, other) => one.call.to - other.call.to)
      .map((write) => {
        if (latest === undefined || write.call.from > latest.call.from) latest = write
        return { to: write.call.to, latest }
      })
  }

  /** A value is that of a write which had begun, and which no other one has followed for certain before the call began. */
  wrong(cell: string, { call, value }: Seen): Breach[] {
    const written = this.#byValue.get(value) ?? []
    const sources = written.filter((write) => write.call.fate !== 'not done' && write.call.from <= call.to)
    const found = `${cell}: ${whoOf(call)} found ${value ?? 'nothing'}`
    if (value !== undefined && sources.length === 0) {
      const [refused] = written
      const what = refused ? `which ${whoOf(refused.call)} had not written` : 'which was not written'
      return [{ kind: 'unknown', what: `${found}, ${what}`, entries: [call.entry] }]
    }
    const later = this.#latestBefore(call.from)
    if (later === undefined || sources.some((source) => source.call.until >= later.call.from)) return []
    const what = `${found}, after ${whoOf(later.call)} had written ${later.effect.value ?? 'nothing'}`
    return [{ kind: value === undefined ? 'lost' : 'stale', what, entries: [later.call.entry, call.entry] }]
  }

  /** Of what was written for certain before a time, that which began last. */
  #latestBefore(at: number): WriteDeed | undefined {
    return this.#certain.findLast(({ to }) => to < at)?.latest
  }
}

/** A value is replaced once, unless a copy that comes late writes it again. */
function replacedTwice(cell: string, writes: readonly WriteDeed[]): Breach[] {
  const repeated = new Set(writes.filter(({ call }) => call.repeats).map(({ effect }) => effect.value))
  const replacing = writes.filter(
    ({ call, effect: { before } }) =>
      call.fate === 'done' && before?.value !== undefined && !repeated.has(before.value),
  )
  return [...Map.groupBy(replacing, ({ effect }) => effect.before?.value)].flatMap(([value, alike]) => {
    const [one, other] = alike
    if (one === undefined || other === undefined) return []
    const what = `${cell}: ${whoOf(one.call)} and ${whoOf(other.call)} both replaced ${value ?? ''}`
    return [{ kind: 'twice', what, entries: [one.call.entry, other.call.entry] }]
  })
}

/** What was written where nothing was: once, and once more for each time that the value was removed. */
function appearances(cell: string, writes: readonly WriteDeed[]): Breach[] {
  const first = writes.filter(
    ({ call, effect }) =>
      call.fate === 'done' && effect.before !== undefined && effect.before.value === undefined,
  )
  const removals = writes
    .filter(({ call, effect }) => call.fate !== 'not done' && effect.value === undefined)
    .reduce((sum, { call }) => sum + (call.repeats ? MOST_COPIES : 1), 0)
  if (first.length <= 1 + removals) return []
  const what = `${cell}: ${String(first.length)} callers have set it first, and it was removed ${String(removals)} times at most: ${first.map(({ call }) => whoOf(call)).join(', ')}`
  return [{ kind: 'twice', what, entries: first.map(({ call }) => call.entry) }]
}
