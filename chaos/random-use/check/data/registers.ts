import type { Load, Read, Write } from '../../data/effects.js'
import type { Entry } from '../../../history.js'
import type { Breach, Conditions } from '../breach.js'
import { deedsOf, whoOf, type Call, type Deed } from './calls.js'

/** A value that a call has seen. */
interface Seen {
  readonly call: Call
  readonly value: string | undefined
  readonly late?: Read['late']
}

type WriteDeed = Deed<Write>

/** How a value came. */
interface Source {
  readonly value: string | undefined
  readonly call: Call
  /** When it was made at the latest. */
  readonly until: number
}

/** What was written for certain up to a time, and began last. */
interface Latest {
  readonly to: number
  readonly latest: WriteDeed
}

/** How often a request without `exactlyOnce` is sent at most in rounds with faults. */
const MOST_COPIES = 2

/** How long a message takes at most where nothing is lost. */
const HEARD_MS = 150

/** A dead connection is noticed by pings, which are sent each second; a message then takes as long as others. */
export const UNNOTICED_MS = 4_000

/** Looks for values that were not written, that were seen after they had been replaced, or that were replaced twice. */
export function checkRegisters(
  calls: readonly Call[],
  _: readonly Entry[],
  { faulty, standsStillMs = 0 }: Conditions,
): Breach[] {
  const unheardMs = (faulty ? UNNOTICED_MS : HEARD_MS) + standsStillMs
  return [...deedsOf(calls, 'write', 'load', 'read')].flatMap(([cell, deeds]) => {
    const writes = deeds.filter((deed): deed is WriteDeed => deed.effect.is === 'write')
    const register = new Register(writes, deeds.flatMap(sourcesBy))
    return [
      ...deeds.flatMap(seenBy).flatMap((seen) => register.wrong(cell, seen, unheardMs)),
      ...replacedTwice(cell, writes),
      ...appearances(cell, writes),
    ]
  })
}

function sourcesBy({ call, effect }: Deed<Load | Read | Write>): Source[] {
  if (effect.is === 'read') return []
  const until = effect.is === 'load' && effect.begunAt !== undefined ? effect.begunAt : call.until
  return [{ value: effect.value, call, until }]
}

function seenBy({ call, effect }: Deed<Load | Read | Write>): Seen[] {
  if (effect.is === 'load') return []
  if (effect.is === 'read') return [{ call, ...effect }]
  return effect.before === undefined || call.fate !== 'done' ? [] : [{ call, value: effect.before.value }]
}

/** All that was written to one place. */
class Register {
  readonly #sources: ReadonlyMap<string | undefined, readonly Source[]>
  readonly #certain: readonly Latest[]
  /** The same by the process that has written it. */
  readonly #own: ReadonlyMap<string, readonly Latest[]>

  constructor(writes: readonly WriteDeed[], sources: readonly Source[]) {
    this.#sources = Map.groupBy(sources, ({ value }) => value)
    this.#certain = latestOf(writes)
    const byProcess = Map.groupBy(writes, ({ call }) => call.entry.process)
    this.#own = new Map([...byProcess].map(([process, own]) => [process, latestOf(own)]))
  }

  /**
   * A value was made by a call that had begun, and no write has followed that for certain before the call began which has found it. What another
   * process has written may be found late.
   */
  wrong(cell: string, { call, value, late = 0 }: Seen, unheardMs: number): Breach[] {
    const lateMs = late === 'unheard' ? unheardMs : late
    const made = this.#sources.get(value) ?? []
    const sources = made.filter((source) => source.call.fate !== 'not done' && source.call.from <= call.to)
    const found = `${cell}: ${whoOf(call)} found ${value ?? 'nothing'}`
    if (value !== undefined && sources.length === 0) {
      const [refused] = made
      const what = refused ? `which ${whoOf(refused.call)} had not written` : 'which was not written'
      return [{ kind: 'unknown', what: `${found}, ${what}`, entries: [call.entry] }]
    }
    const own = this.#own.get(call.entry.process) ?? []
    const later = [latestBefore(this.#certain, call.from - lateMs), latestBefore(own, call.from)].find(
      (write) => write !== undefined && sources.every(({ until }) => until < write.call.from),
    )
    if (later === undefined) return []
    const what = `${found}, after ${whoOf(later.call)} had written ${later.effect.value ?? 'nothing'}`
    return [{ kind: value === undefined ? 'lost' : 'stale', what, entries: [later.call.entry, call.entry] }]
  }
}

/** What was written for certain, in the order of the answers, with the latest begin of all up to it. */
function latestOf(writes: readonly WriteDeed[]): Latest[] {
  let latest: WriteDeed | undefined
  return writes
    .filter(({ call }) => call.fate === 'done')
    .toSorted((one, other) => one.call.to - other.call.to)
    .map((write) => {
      if (latest === undefined || write.call.from > latest.call.from) latest = write
      return { to: write.call.to, latest }
    })
}

/** Of what was written for certain before a time, that which began last. */
function latestBefore(certain: readonly Latest[], at: number): WriteDeed | undefined {
  return certain.findLast(({ to }) => to < at)?.latest
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
