import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { RSortedSet, SortedValue } from '../../../src/index.js'
import { allOf } from '../../support/all-of.js'
import { twoClients } from '../../support/clients.js'
import { noLeaks } from '../../support/no-leaks.js'
import { topologies } from '../../support/topologies.js'

/** How many sequences of calls are tried on each topology. */
const RUNS = { numRuns: 20 }

/** One call of a set, and what it does to a plain list. */
interface Move {
  readonly what: string
  readonly call: (set: RSortedSet<SortedValue>) => Promise<unknown>
  readonly model: (model: Model) => unknown
}

/** Texts or numbers in the order that JavaScript has for them. */
class Model {
  values: SortedValue[] = []

  /** Replaces all values. Returns whether their number is another now. */
  set(values: readonly SortedValue[]): boolean {
    const before = this.values.length
    this.values = [...new Set(values)].sort((one, other) => (one < other ? -1 : 1))
    return this.values.length !== before
  }

  without(values: readonly SortedValue[]): SortedValue[] {
    return this.values.filter((value) => !values.includes(value))
  }
}

const move = (what: string, call: Move['call'], model: Move['model']): Move => ({ what, call, model })

function movesOf(value: fc.Arbitrary<SortedValue>): fc.Arbitrary<Move> {
  const values = fc.array(value, { maxLength: 4 })
  return fc.oneof(
    value.map((v) =>
      move(
        'add',
        (set) => set.add(v),
        (model) => model.set([...model.values, v]),
      ),
    ),
    values.map((all) =>
      move(
        'addAll',
        (set) => set.addAll(all),
        (model) => model.set([...model.values, ...all]),
      ),
    ),
    value.map((v) =>
      move(
        'remove',
        (set) => set.remove(v),
        (model) => model.set(model.without([v])),
      ),
    ),
    values.map((all) =>
      move(
        'removeAll',
        (set) => set.removeAll(all),
        (model) => model.set(model.without(all)),
      ),
    ),
    fc.array(value, { minLength: 3, maxLength: 6 }).map((all) =>
      move(
        'retainAll',
        (set) => set.retainAll(all),
        (model) => model.set(model.values.filter((each) => all.includes(each))),
      ),
    ),
    values.map((all) =>
      move(
        'containsAll',
        (set) => set.containsAll(all),
        (model) => all.every((each) => model.values.includes(each)),
      ),
    ),
    fc.constant(
      move(
        'pollFirst',
        (set) => set.pollFirst(),
        (model) => model.values.shift(),
      ),
    ),
    fc.constant(
      move(
        'pollLast',
        (set) => set.pollLast(2),
        (model) => model.values.splice(-2),
      ),
    ),
    fc.constant(
      move(
        'values',
        (set) => allOf(set.values({ count: 2 })),
        (model) => model.values,
      ),
    ),
  )
}

const texts = fc.constantFrom(
  '',
  'a',
  'aa',
  'b',
  'B',
  '10',
  '9',
  '"',
  '\\',
  '\n',
  'ключ',
  '\ue000',
  '\uffff',
  '😀',
  '😁',
)
const numbers = fc.constantFrom(0, 1, 9, 10, -1, -10, 0.5, 1e21, 1e-7, 2 ** 53 - 1)

describe.each(topologies)('a sorted set beside a plain list ($kind)', (topology) => {
  noLeaks(topology)
  const clients = twoClients(topology)

  it.each([
    ['texts', texts],
    ['numbers', numbers],
  ])('does the same for all operations on %s', async (what, values) => {
    await fc.assert(
      fc.asyncProperty(fc.array(movesOf(values), { maxLength: 25 }), async (sequence) => {
        const set = clients.mine.getSortedSet<SortedValue>(`sorted-model-${what}`)
        const model = new Model()
        await set.delete()
        for (const { what, call, model: expected } of sequence)
          expect(await call(set), what).toEqual(expected(model))
        expect(await set.readAll()).toEqual(model.values)
        await set.delete()
      }),
      RUNS,
    )
  })
})
