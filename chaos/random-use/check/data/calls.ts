import type { AnswerEntry, CallEntry, Entry } from '../../../history.js'
import type { Effect } from '../../data/effects.js'
import { methodOf } from '../../data/methods.js'
import { Kills } from '../kills.js'

/** What is known of whether a call took effect: it did, it did not, or nothing. */
export type Fate = 'done' | 'not done' | 'unknown'

/** A call of a data object, with what it did. */
export interface Call {
  readonly entry: CallEntry
  readonly answer: AnswerEntry | undefined
  readonly fate: Fate
  /** When it began. */
  readonly from: number
  /** When it was answered; `Infinity` where it is not known whether it took effect. */
  readonly to: number
  /** When the last copy of it took effect at the latest: it may be sent again, and what was lost may come late. */
  readonly until: number
  /** Whether more than one copy may take effect. */
  readonly repeats: boolean
  readonly effects: readonly Effect[]
}

/** One effect of one call. */
export interface Deed<E extends Effect = Effect> {
  readonly call: Call
  readonly effect: E
}

/** For how long a request may be under way that its client has given up. */
const LATE_MS = 1_000

/** The calls of a history. Those that did nothing for certain are left out. */
export function callsIn(entries: readonly Entry[]): readonly Call[] {
  const answers = new Map(
    entries.flatMap((entry) => (entry.type === 'answer' ? [[entry.id, entry] as const] : [])),
  )
  return entries.flatMap((entry) => (entry.type === 'call' ? [callOf(entry, answers.get(entry.id))] : []))
}

function callOf(entry: CallEntry, answer: AnswerEntry | undefined): Call {
  const { kind, method: name, args, exactlyOnce } = entry
  const method = methodOf(kind, name)
  const fate = fateOf(answer)
  const to = fate === 'unknown' ? Infinity : (answer?.at ?? Infinity)
  const repeats = method.repeats === true && !exactlyOnce
  const reply = fate === 'done' ? { result: answer?.result } : undefined
  return {
    entry,
    answer,
    fate,
    from: entry.at,
    to,
    until: repeats ? to + LATE_MS : to,
    repeats,
    effects: method.effects(args, reply),
  }
}

function fateOf(answer: AnswerEntry | undefined): Fate {
  if (answer === undefined) return 'unknown'
  if (answer.outcome === 'ok') return 'done'
  return answer.mayHaveRun === true ? 'unknown' : 'not done'
}

/** The effects of one kind, by the part of an object that they concern. */
export function deedsOf<I extends Effect['is']>(
  calls: readonly Call[],
  ...kinds: readonly I[]
): ReadonlyMap<string, readonly Deed<Extract<Effect, { readonly is: I }>>[]> {
  type E = Extract<Effect, { readonly is: I }>
  const deeds = calls.flatMap((call) =>
    call.effects
      .filter((effect): effect is E => (kinds as readonly string[]).includes(effect.is))
      .map((effect): Deed<E> => ({ call, effect })),
  )
  return Map.groupBy(deeds, ({ call, effect }) =>
    'cell' in effect && effect.cell !== '' ? `${call.entry.name}[${effect.cell}]` : call.entry.name,
  )
}

/** What clients have added to an adder that were not killed. */
export function addedTo(name: string, entries: readonly Entry[]): number {
  const kills = new Kills(entries)
  return callsIn(entries)
    .filter((call) => call.fate === 'done' && call.entry.name === name)
    .filter(({ entry }) => kills.at(entry.process) === Infinity)
    .flatMap(({ effects }) => effects)
    .reduce((sum, effect) => sum + (effect.is === 'tally' ? effect.by : 0), 0)
}

/** Who called what. */
export function whoOf({ entry: { process, flow, method, id } }: Call): string {
  return `${process}/${String(flow)} by ${method}() (${id})`
}
