import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { RScoredSortedSet } from '../../../src/index.js'
import { allOf } from '../../support/all-of.js'
import { twoClients } from '../../support/clients.js'
import { noLeaks } from '../../support/no-leaks.js'
import { topologies } from '../../support/topologies.js'

/** How many sequences of calls are tried on each topology. */
const RUNS = { numRuns: 20 }

type Entry = [value: string, score: number]
type Model = Map<string, number>

/** One call of a sorted set, and what it does to a plain map. */
interface Move {
  readonly what: string
  readonly call: (set: RScoredSortedSet<string>) => Promise<unknown>
  readonly model: (model: Model) => unknown
}

const value: fc.Arbitrary<string> = fc.constantFrom('a', 'b', 'c', '', 'ключ', '__proto__')
const score = fc.constantFrom(-Infinity, -1.5, 0, 0.1, 1, 2, 1e21)
const rank = fc.integer({ min: -4, max: 4 })
const entries = fc.uniqueArray(fc.tuple(value, score), { maxLength: 4, selector: ([name]) => name })
const values = fc.array(value, { maxLength: 4 })

/** In the order of Redis: by scores, then by the bytes of what JSON makes of the values. */
function ordered(model: Model): Entry[] {
  const bytes = (text: string) => Buffer.from(JSON.stringify(text))
  return [...model].sort(
    ([one, low], [other, high]) =>
      Number(low > high) - Number(low < high) || bytes(one).compare(bytes(other)),
  )
}

/** The part from one rank to another, of which negative ones count from behind. */
function between(model: Model, start: number, stop: number): Entry[] {
  const all = ordered(model)
  const at = (index: number) => (index < 0 ? all.length + index : index)
  return all.slice(Math.max(at(start), 0), Math.max(at(stop) + 1, 0))
}

const rankIn = (model: Model, sought: string) => {
  const found = ordered(model).findIndex(([each]) => each === sought)
  return found < 0 ? undefined : found
}

/** Removes entries. Returns them. */
function removed(model: Model, gone: Entry[]): Entry[] {
  for (const [each] of gone) model.delete(each)
  return gone
}

/** Gives a value a score if that is wanted of the one before. Returns whether anything has changed. */
function scored(model: Model, each: string, to: number, wanted: (before: number | undefined) => boolean) {
  const before = model.get(each)
  if (!wanted(before)) return false
  model.set(each, to)
  return before !== to
}

const move = (what: string, call: Move['call'], model: Move['model']): Move => ({ what, call, model })

/** Calls that give values their scores. */
const scoring = fc.tuple(value, score).chain(([v, s]) =>
  fc.constantFrom(
    move(
      'add',
      (set) => set.add(s, v),
      (model) => !model.has(v) && scored(model, v, s, () => true),
    ),
    move(
      'addIfAbsent',
      (set) => set.addIfAbsent(s, v),
      (model) => scored(model, v, s, (before) => before === undefined),
    ),
    move(
      'addIfExists',
      (set) => set.addIfExists(s, v),
      (model) => scored(model, v, s, (before) => before !== undefined),
    ),
    move(
      'addIfGreater',
      (set) => set.addIfGreater(s, v),
      (model) => scored(model, v, s, (before = -Infinity) => !model.has(v) || s > before),
    ),
    move(
      'addIfLess',
      (set) => set.addIfLess(s, v),
      (model) => scored(model, v, s, (before = Infinity) => !model.has(v) || s < before),
    ),
    move(
      'addScore',
      (set) => set.addScore(v, 0.5),
      (model) => model.set(v, (model.get(v) ?? 0) + 0.5).get(v),
    ),
    move(
      'addAndGetRank',
      (set) => set.addAndGetRank(s, v),
      (model) => rankIn(model.set(v, s), v),
    ),
  ),
)

/** Calls about one value or several. */
const looking = fc.tuple(value, values, entries).chain(([v, all, many]) =>
  fc.constantFrom(
    move(
      'addAll',
      (set) => set.addAll(many),
      (model) => {
        const { size } = model
        for (const [each, to] of many) model.set(each, to)
        return model.size - size
      },
    ),
    move(
      'getScores',
      (set) => set.getScores(all),
      (model) => all.map((each) => model.get(each)),
    ),
    move(
      'rank',
      (set) => set.rank(v),
      (model) => rankIn(model, v),
    ),
    move(
      'remove',
      (set) => set.remove(v),
      (model) => model.delete(v),
    ),
    move(
      'removeAll',
      (set) => set.removeAll(all),
      (model) => all.filter((each) => model.delete(each)).length > 0,
    ),
    move(
      'retainAll',
      (set) => set.retainAll([v, ...all]),
      (model) =>
        removed(
          model,
          [...model].filter(([each]) => each !== v && !all.includes(each)),
        ).length > 0,
    ),
  ),
)

/** Calls about ranks, scores and the ends. */
const ranging = fc.tuple(rank, rank, score).chain(([start, stop, s]) =>
  fc.constantFrom(
    move(
      'entryRange',
      (set) => set.entryRange(start, stop),
      (model) => between(model, start, stop),
    ),
    move(
      'entryRange of scores',
      (set) => set.entryRange({ min: s, minInclusive: false, offset: 1, count: 2 }),
      (model) =>
        ordered(model)
          .filter(([, each]) => each > s)
          .slice(1, 3),
    ),
    move(
      'removeRangeByRank',
      (set) => set.removeRangeByRank(start, stop),
      (model) => removed(model, between(model, start, stop)).length,
    ),
    move(
      'removeRangeByScore',
      (set) => set.removeRangeByScore({ min: s }),
      (model) =>
        removed(
          model,
          [...model].filter(([, each]) => each >= s),
        ).length,
    ),
    move(
      'count',
      (set) => set.count({ max: s }),
      (model) => [...model.values()].filter((each) => each <= s).length,
    ),
    move(
      'pollFirstEntries',
      (set) => set.pollFirstEntries(Math.abs(start)),
      (model) => removed(model, ordered(model).slice(0, Math.abs(start))),
    ),
    move(
      'pollLastEntry',
      (set) => set.pollLastEntry(),
      (model) => removed(model, ordered(model).slice(-1))[0],
    ),
    move(
      'pollFirstFromAny',
      (set) => set.pollFirstFromAny([set.name]),
      (model) => removed(model, ordered(model).slice(0, 1))[0]?.[0],
    ),
  ),
)

describe.each(topologies)('a scored sorted set beside a plain map ($kind)', (topology) => {
  noLeaks(topology)
  const clients = twoClients(topology)

  it('does the same for all operations', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(scoring, looking, ranging), { maxLength: 25 }), async (sequence) => {
        const set = clients.mine.getScoredSortedSet<string>('scored-model')
        const model: Model = new Map()
        await set.delete()
        for (const { what, call, model: expected } of sequence)
          expect(await call(set), what).toEqual(expected(model))
        expect(await set.readAllEntries()).toEqual(ordered(model))
        expect(new Map(await allOf(set.entries()))).toEqual(model)
        await set.delete()
      }),
      RUNS,
    )
  })
})
