import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { LexRange, RLexSortedSet } from '../../../src/index.js'
import { allOf } from '../../support/all-of.js'
import { twoClients } from '../../support/clients.js'
import { noLeaks } from '../../support/no-leaks.js'
import { topologies } from '../../support/topologies.js'

/** How many sequences of calls are tried on each topology. */
const RUNS = { numRuns: 20 }

/** One call of a set, and what it does to a plain list. */
interface Move {
  readonly what: string
  readonly call: (set: RLexSortedSet) => Promise<unknown>
  readonly model: (model: Model) => unknown
}

/** Texts in the order of their bytes. */
class Model {
  values: string[] = []

  /** Replaces all values. Returns whether there are others now. */
  set(values: readonly string[]): boolean {
    const before = this.values
    this.values = [...new Set(values)].sort(inOrder)
    return JSON.stringify(before) !== JSON.stringify(this.values) // an empty text is a value
  }

  within({ from, fromInclusive = true, to, toInclusive = true }: LexRange): string[] {
    return this.values.filter((value) => {
      const [low, high] = [inOrder(value, from), inOrder(value, to)]
      return (fromInclusive ? low >= 0 : low > 0) && (toInclusive ? high <= 0 : high < 0)
    })
  }

  without(values: readonly string[]): string[] {
    return this.values.filter((value) => !values.includes(value))
  }
}

const inOrder = (one: string, other: string) => Buffer.compare(Buffer.from(one), Buffer.from(other))

const value = fc.constantFrom('', 'a', 'aa', 'b', 'B', '10', '9', 'ключ', '\uffff', '😀', '(', '[a')
const values = fc.array(value, { maxLength: 4 })
const range: fc.Arbitrary<LexRange> = fc.record({
  from: value,
  fromInclusive: fc.boolean(),
  to: value,
  toInclusive: fc.boolean(),
})

const move = (what: string, call: Move['call'], model: Move['model']): Move => ({ what, call, model })

const moves: fc.Arbitrary<Move> = fc.oneof(
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
  values.map((all) =>
    move(
      'removeAll',
      (set) => set.removeAll(all),
      (model) => {
        const before = model.values.length
        model.set(model.without(all))
        return model.values.length < before
      },
    ),
  ),
  range.map((some) =>
    move(
      'removeRange',
      (set) => set.removeRange(some),
      (model) => {
        const found = model.within(some)
        model.set(model.without(found))
        return found.length
      },
    ),
  ),
  range.map((some) =>
    move(
      'range',
      (set) => set.range(some),
      (model) => model.within(some),
    ),
  ),
  range.map((some) =>
    move(
      'rangeReversed',
      (set) => set.rangeReversed({ ...some, offset: 1, count: 2 }),
      (model) => model.within(some).toReversed().slice(1, 3),
    ),
  ),
  range.map((some) =>
    move(
      'count',
      (set) => set.count(some),
      (model) => model.within(some).length,
    ),
  ),
  range.map((some) =>
    move(
      'values',
      (set) => allOf(set.values({ ...some, count: 2 })),
      (model) => model.within(some),
    ),
  ),
  value.map((v) =>
    move(
      'rank',
      (set) => set.rank(v),
      (model) => (model.values.includes(v) ? model.values.indexOf(v) : undefined),
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
)

describe.each(topologies)('a lex sorted set beside a plain list ($kind)', (topology) => {
  noLeaks(topology)
  const clients = twoClients(topology)

  it('does the same for all operations', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(moves, { maxLength: 25 }), async (sequence) => {
        const set = clients.mine.getLexSortedSet('lex-model')
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
