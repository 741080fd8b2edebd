import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkHistory } from '../../../../chaos/check.js'
import { indexHistory } from '../../../../chaos/check/indexed-history.js'
import { knownSpans, type Span } from '../../../../chaos/check/spans.js'
import { LOCKS, type Entry, type LockName } from '../../../../chaos/history.js'
import { Behaviour, deeds } from './behaviour.js'
import { kindsOf } from './tale.js'

/** Runs, and the known time of holds: some history has one. */
const histories = (lock: LockName) => deeds.map((program) => Behaviour.of(lock, program))

const spansOf = (entries: readonly Entry[]): Span[] => knownSpans(indexHistory(entries).holds.values())

/** A flow without a hold that believes in the middle of a span that it has one. */
function intruder(index: number, { begin, fromMs, toMs }: Span): Entry[] {
  const process = `intruder${String(index)}`
  const [hold, name] = [`hold of ${process}`, begin.name]
  const inMs = fromMs + (toMs - fromMs) / 4
  const lookMs = toMs - (toMs - fromMs) / 4
  const about = {
    id: `wish of ${process}`,
    process,
    flow: 0,
    op: 'acquire',
    side: 'write',
    name,
    hold,
  } as const
  return [
    { type: 'process', at: inMs, process, phase: 'started' },
    { type: 'begin', at: inMs, ...about },
    { type: 'end', at: inMs, id: about.id, outcome: 'ok', token: 1_000_000 + index },
    { type: 'step', at: lookMs, hold, what: 'holds' },
  ]
}

describe.each(LOCKS)('the checker, of a lock of the kind %s', (lock) => {
  it('reports no correct flow', () => {
    fc.assert(
      fc.property(histories(lock), (entries) => {
        const { violations, measured } = checkHistory(entries)
        expect([...violations, ...measured]).toEqual([])
      }),
    )
  })

  it('finds each holder that should not be one', () => {
    fc.assert(
      fc.property(histories(lock), fc.nat(), (entries, choice) => {
        const spans = spansOf(entries)
        fc.pre(spans.length > 0)
        const span = spans[choice % spans.length] as Span
        const permits = entries[0]?.type === 'run' ? entries[0].permits : 1
        const intruders = Array.from({ length: permits }, (_, index) => intruder(index, span)).flat()
        const { violations } = checkHistory([...entries, ...intruders])
        expect(kindsOf(violations)).toContain('too-many-holders')
      }),
    )
  })

  it('finds a release without a hold', () => {
    fc.assert(
      fc.property(histories(lock), fc.nat(), (entries, choice) => {
        const begins = entries.filter((entry) => entry.type === 'begin').filter(({ op }) => op === 'release')
        const answered = new Set(
          entries.flatMap((entry) => (entry.type === 'end' && entry.outcome === 'ok' ? [entry.id] : [])),
        )
        const given = begins.filter(({ id }) => answered.has(id))
        fc.pre(given.length > 0)
        const again = { ...(given[choice % given.length] as (typeof given)[number]), id: 'again' }
        const { violations } = checkHistory([
          ...entries,
          again,
          { type: 'end', at: again.at, id: again.id, outcome: 'ok' },
        ])
        expect(kindsOf(violations)).toContain('released-without-hold')
      }),
    )
  })
})

describe('the checker, of what is guarded', () => {
  it('finds every element that is gone', () => {
    fc.assert(
      fc.property(histories('rlock'), fc.nat(), (entries, choice) => {
        const resource = entries.find((entry) => entry.type === 'resource')
        fc.pre(resource !== undefined && resource.elements.length > 0)
        const elements = resource.elements.toSpliced(choice % resource.elements.length, 1)
        const robbed = entries.map((entry) => (entry === resource ? { ...resource, elements } : entry))
        expect(kindsOf(checkHistory(robbed).violations)).toEqual(['lost-update'])
      }),
    )
  })

  it('finds two tokens that are swapped', () => {
    fc.assert(
      fc.property(histories('fenced'), fc.nat(), (entries, choice) => {
        const holds = [...indexHistory(entries).holds.values()]
          .flatMap(({ acquisition: { begin, end } }) =>
            end && begin.within === undefined ? [{ begin, end }] : [],
          )
          .sort((a, b) => a.end.at - b.end.at)
        const pairs = holds.flatMap((one, index) => {
          const next = holds.slice(index + 1).find(({ begin }) => begin.at > one.end.at)
          return next === undefined ? [] : [[one.end, next.end] as const]
        })
        fc.pre(pairs.length > 0)
        const [one, other] = pairs[choice % pairs.length] as (typeof pairs)[number]
        const tokens = new Map([
          [one.id, other.token],
          [other.id, one.token],
        ])
        const swapped = entries.map((entry) =>
          entry.type === 'end' && tokens.has(entry.id)
            ? { ...entry, token: tokens.get(entry.id) ?? 0 }
            : entry,
        )
        expect(kindsOf(checkHistory(swapped).violations)).toContain('token-out-of-order')
      }),
    )
  })
})
