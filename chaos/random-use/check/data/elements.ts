import type { Absent, Contained, Look, Put, Take } from '../../data/effects.js'
import type { Breach } from '../breach.js'
import { deedsOf, whoOf, type Call, type Deed } from './calls.js'

type AnyDeed = Deed<Put | Take | Look | Contained | Absent>

/** More elements than one call adds. */
const MOST_PLACES = 100

/** How an element came. */
interface Origin {
  readonly call: Call
  readonly atEnd: boolean
  /** Its place among those that came with it. */
  readonly place: number
}

/** Looks for elements that were lost, that are there twice, that were given to two callers, or that none has added. */
export function checkElements(calls: readonly Call[]): Breach[] {
  return [...deedsOf(calls, 'put', 'take', 'look', 'contained', 'absent')].flatMap(([name, deeds]) =>
    new Bag(name, deeds).breaches(),
  )
}

/** All that was done to one object. */
class Bag {
  readonly #name: string
  readonly #deeds: readonly AnyDeed[]
  readonly #origins = new Map<string, Origin>()
  /** Who has taken an element for certain, or may have. */
  readonly #takers = new Map<string, Call[]>()
  /** Calls that have taken elements of which it is not known which they are. */
  readonly #unknown: { readonly call: Call; readonly most: number }[] = []
  /** Elements that several callers may take. */
  readonly #shared = new Set<string>()
  /** The first look that did not find an element any more. */
  readonly #passed = new Map<string, Call>()

  constructor(name: string, deeds: readonly AnyDeed[]) {
    this.#name = name
    this.#deeds = deeds
    for (const { call, effect } of deeds) {
      if (effect.is === 'put')
        for (const [place, element] of effect.elements.entries())
          this.#origins.set(element, { call, atEnd: effect.atEnd, place })
      if (effect.is === 'take' && call.fate !== 'not done') this.#take(call, effect)
    }
    for (const { call, effect } of deeds)
      if (effect.is === 'look') this.#notePassed(call, new Set(effect.elements))
  }

  breaches(): Breach[] {
    return [
      ...this.#takenTwice(),
      ...this.#deeds.flatMap(({ call, effect }) => {
        switch (effect.is) {
          case 'look':
            return [
              ...this.#doubled(call, effect.elements),
              ...effect.elements.flatMap((element) => this.#strange(call, element)),
              ...this.#missing(call, new Set(effect.elements), this.#origins.keys()),
              ...this.#outOfOrder(call, effect.elements),
            ]
          case 'take':
            return call.fate === 'done' && effect.how === undefined
              ? (effect.elements ?? []).flatMap((each) => this.#strange(call, each))
              : []
          case 'contained':
            return [
              ...this.#strange(call, effect.element),
              ...(effect.isFirst ? this.#skipped(call, effect.element) : []),
            ]
          case 'absent':
            return this.#missing(call, new Set(), [effect.element])
          case 'put':
            return []
        }
      }),
    ]
  }

  #take(call: Call, { elements, most, how }: Take): void {
    if (elements === undefined) this.#unknown.push({ call, most })
    const taker: Call = how === 'later' ? { ...call, fate: 'unknown', to: Infinity } : call
    for (const element of elements ?? []) {
      this.#takers.set(element, [...(this.#takers.get(element) ?? []), taker])
      if (how === 'shared') this.#shared.add(element)
    }
  }

  #notePassed(look: Call, found: ReadonlySet<string>): void {
    for (const [element, { call }] of this.#origins) {
      if (found.has(element) || call.fate !== 'done' || call.to >= look.from) continue
      const passed = this.#passed.get(element)
      if (passed === undefined || look.to < passed.to) this.#passed.set(element, look)
    }
  }

  #takenTwice(): Breach[] {
    return [...this.#takers].flatMap(([element, takers]) => {
      const [one, other] = this.#shared.has(element) ? [] : takers.filter(({ fate }) => fate === 'done')
      if (one === undefined || other === undefined || this.#mayComeAgain(element)) return []
      return [this.#breach('twice', `${whoOf(one)} and ${whoOf(other)} both took ${element}`, one, other)]
    })
  }

  #doubled(call: Call, elements: readonly string[]): Breach[] {
    const double = elements.find((element, n) => elements.indexOf(element) < n)
    return double === undefined ? [] : [this.#breach('doubled', `${whoOf(call)} found ${double} twice`, call)]
  }

  /** What is there has come, and has not gone for certain. */
  #strange(call: Call, element: string): Breach[] {
    const origin = this.#origins.get(element)
    const found = `${whoOf(call)} found ${element}`
    if (origin === undefined || origin.call.fate === 'not done' || origin.call.from > call.to)
      return [this.#breach('unknown', `${found}, which was not added`, call)]
    const passed = this.#passed.get(element)
    if (passed !== undefined && passed.to < call.from && !this.#mayComeAgain(element))
      return [this.#breach('stale', `${found}, which ${whoOf(passed)} did not find any more`, passed, call)]
    const taker = this.#takers.get(element)?.find(({ fate, to }) => fate === 'done' && to < call.from)
    if (taker === undefined || (this.#mayComeAgain(element) && origin.call.until >= taker.from)) return []
    return [this.#breach('stale', `${found} after ${whoOf(taker)} had taken it`, taker, call)]
  }

  /** What came before a call for certain, and was taken by none before its end, is there. */
  #missing(call: Call, found: ReadonlySet<string>, expected: Iterable<string>): Breach[] {
    const missing = [...expected].filter((element) => {
      const origin = this.#origins.get(element)
      if (found.has(element) || origin?.call.fate !== 'done' || origin.call.to >= call.from) return false
      return this.#takers.get(element)?.some(({ from }) => from <= call.to) !== true
    })
    const explained = this.#unknown.reduce(
      (sum, { call: { from }, most }) => sum + (from <= call.to ? most : 0),
      0,
    )
    if (missing.length <= explained) return []
    const what = `${whoOf(call)} did not find ${missing.slice(0, 5).join(', ')}: ${String(missing.length)} are lost, and ${String(explained)} may have been taken`
    return [this.#breach('lost', what, call)]
  }

  /** What was added at the end before another element is taken before it. */
  #skipped(call: Call, element: string): Breach[] {
    const from = this.#origins.get(element)?.call.from ?? -Infinity
    const skipped = [...this.#origins].find(
      ([other, { atEnd, call: origin }]) =>
        atEnd &&
        origin.fate === 'done' &&
        origin.to < from &&
        this.#takers.get(other)?.some((taker) => taker.from < call.from) !== true,
    )
    if (skipped === undefined) return []
    return [this.#breach('order', `${whoOf(call)} found ${element} before ${skipped[0]}`, call)]
  }

  /** What was added at the end before another call began stands before what that one has added. */
  #outOfOrder(call: Call, elements: readonly string[]): Breach[] {
    const known = elements.flatMap((element) => {
      const origin = this.#origins.get(element)
      return origin?.atEnd === true && origin.call.fate === 'done' ? [{ element, ...origin }] : []
    })
    let earliest: (typeof known)[number] | undefined
    const latest = new Map<string, number>()
    for (const each of known.toReversed()) {
      const { id, batch = { id, place: 0 } } = each.call.entry
      const place = batch.place * MOST_PLACES + each.place
      const isMisplaced =
        place > (latest.get(batch.id) ?? Infinity) ||
        (earliest !== undefined && earliest.call.to < each.call.from)
      if (isMisplaced) return [this.#breach('order', `${whoOf(call)} found ${each.element} too early`, call)]
      latest.set(batch.id, place)
      if (earliest === undefined || each.call.to < earliest.call.to) earliest = each
    }
    return []
  }

  #mayComeAgain(element: string): boolean {
    return this.#origins.get(element)?.call.repeats === true
  }

  #breach(kind: string, what: string, ...calls: readonly Call[]): Breach {
    return { kind, what: `${this.#name}: ${what}`, entries: calls.map(({ entry }) => entry) }
  }
}
