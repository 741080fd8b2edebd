import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { RSet } from '../../../src/index.js'
import { allOf } from '../../support/all-of.js'
import { twoClients } from '../../support/clients.js'
import { noLeaks } from '../../support/no-leaks.js'
import { topologies } from '../../support/topologies.js'

/** How many sequences of calls are tried on each topology. */
const RUNS = { numRuns: 20 }

type Value = number | string | boolean | null

/** One call of a set, and what it does to a plain one. */
interface Move {
  readonly what: string
  readonly call: (set: RSet<Value>) => Promise<unknown>
  readonly model: (model: Set<Value>) => unknown
}

const value: fc.Arbitrary<Value> = fc.constantFrom(0, 1, 'x', '', 'ключ', '__proto__', true, null)
const values = fc.array(value, { maxLength: 4 })

/** Adds values. Returns how many are new. */
function added(model: Set<Value>, all: readonly Value[]): number {
  const before = model.size
  for (const each of all) model.add(each)
  return model.size - before
}

const removed = (model: Set<Value>, all: readonly Value[]) => all.filter((each) => model.delete(each)).length

const move = (what: string, call: Move['call'], model: Move['model']): Move => ({ what, call, model })

const moves: fc.Arbitrary<Move> = fc.oneof(
  value.map((v) =>
    move(
      'add',
      (set) => set.add(v),
      (model) => added(model, [v]) === 1,
    ),
  ),
  values.map((all) =>
    move(
      'addAll',
      (set) => set.addAll(all),
      (model) => added(model, all) > 0,
    ),
  ),
  values.map((all) =>
    move(
      'addAllCounted',
      (set) => set.addAllCounted(all),
      (model) => added(model, all),
    ),
  ),
  values.map((all) =>
    move(
      'tryAdd',
      (set) => set.tryAdd(...all),
      (model) => {
        if (all.some((each) => model.has(each))) return false
        added(model, all)
        return true
      },
    ),
  ),
  value.map((v) =>
    move(
      'remove',
      (set) => set.remove(v),
      (model) => model.delete(v),
    ),
  ),
  values.map((all) =>
    move(
      'removeAll',
      (set) => set.removeAll(all),
      (model) => removed(model, all) > 0,
    ),
  ),
  values.map((all) =>
    move(
      'removeAllCounted',
      (set) => set.removeAllCounted(all),
      (model) => removed(model, all),
    ),
  ),
  fc.array(value, { minLength: 3, maxLength: 6 }).map((all) =>
    move(
      'retainAll',
      (set) => set.retainAll(all),
      (model) =>
        removed(
          model,
          [...model].filter((each) => !all.includes(each)),
        ) > 0,
    ),
  ),
  values.map((all) =>
    move(
      'containsEach',
      (set) => set.containsEach(all),
      (model) => all.map((each) => model.has(each)),
    ),
  ),
  values.map((all) =>
    move(
      'containsAll',
      (set) => set.containsAll(all),
      (model) => all.every((each) => model.has(each)),
    ),
  ),
  fc.constant(
    move(
      'size',
      (set) => set.size(),
      (model) => model.size,
    ),
  ),
)

describe.each(topologies)('a set beside a plain one ($kind)', (topology) => {
  noLeaks(topology)
  const clients = twoClients(topology)

  it('does the same for all operations', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(moves, { maxLength: 25 }), async (sequence) => {
        const set = clients.mine.getSet<Value>('set-model')
        const model = new Set<Value>()
        await set.delete()
        for (const { what, call, model: expected } of sequence)
          expect(await call(set), what).toEqual(expected(model))
        expect(new Set(await set.readAll())).toEqual(model)
        expect(new Set(await allOf(set))).toEqual(model)
        await set.delete()
      }),
      RUNS,
    )
  })
})
