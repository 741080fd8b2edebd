import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { RPriorityDeque, SortedValue } from '../../../src/index.js'
import { allOf } from '../../support/all-of.js'
import { twoClients } from '../../support/clients.js'
import { noLeaks } from '../../support/no-leaks.js'
import { topologies } from '../../support/topologies.js'

/** How many sequences of calls are tried on each topology. */
const RUNS = { numRuns: 20 }

/** One call of a queue, and what it does to a plain list. */
interface Move {
  readonly what: string
  readonly call: (queue: RPriorityDeque<SortedValue>) => Promise<unknown>
  readonly model: (model: Model) => unknown
}

/** Texts or numbers in the order that JavaScript has for them. */
class Model {
  values: SortedValue[] = []

  add(values: readonly SortedValue[]): boolean {
    this.values = [...this.values, ...values].sort((one, other) => (one < other ? -1 : Number(one > other)))
    return values.length > 0
  }

  keep(isKept: (value: SortedValue) => boolean): boolean {
    const before = this.values.length
    this.values = this.values.filter(isKept)
    return this.values.length !== before
  }

  removeOne(value: SortedValue): boolean {
    const index = this.values.indexOf(value)
    if (index >= 0) this.values.splice(index, 1)
    return index >= 0
  }
}

const move = (what: string, call: Move['call'], model: Move['model']): Move => ({ what, call, model })

function movesOf(value: fc.Arbitrary<SortedValue>): fc.Arbitrary<Move> {
  const values = fc.array(value, { maxLength: 4 })
  return fc.oneof(
    value.map((v) =>
      move(
        `add ${String(v)}`,
        (queue) => queue.add(v),
        (model) => model.add([v]),
      ),
    ),
    values.map((all) =>
      move(
        `addAll ${String(all)}`,
        (queue) => queue.addAll(all),
        (model) => model.add(all),
      ),
    ),
    value.map((v) =>
      move(
        `remove ${String(v)}`,
        (queue) => queue.remove(v),
        (model) => model.removeOne(v),
      ),
    ),
    value.map((v) =>
      move(
        `removeLastOccurrence ${String(v)}`,
        (queue) => queue.removeLastOccurrence(v),
        (model) => model.removeOne(v),
      ),
    ),
    values.map((all) =>
      move(
        `removeAll ${String(all)}`,
        (queue) => queue.removeAll(all),
        (model) => model.keep((each) => !all.includes(each)),
      ),
    ),
    fc.array(value, { minLength: 3, maxLength: 6 }).map((all) =>
      move(
        `retainAll ${String(all)}`,
        (queue) => queue.retainAll(all),
        (model) => model.keep((each) => all.includes(each)),
      ),
    ),
    value.map((v) =>
      move(
        `indexOf ${String(v)}`,
        (queue) => queue.indexOf(v),
        (model) => model.values.indexOf(v),
      ),
    ),
    values.map((all) =>
      move(
        `containsAll ${String(all)}`,
        (queue) => queue.containsAll(all),
        (model) => all.every((each) => model.values.includes(each)),
      ),
    ),
    fc.constant(
      move(
        'poll',
        (queue) => queue.poll(),
        (model) => model.values.shift(),
      ),
    ),
    fc.constant(
      move(
        'pollLast',
        (queue) => queue.pollLast(2),
        (model) => model.values.splice(-2).toReversed(),
      ),
    ),
    fc.constant(
      move(
        'values',
        (queue) => allOf(queue.values({ count: 2 })),
        (model) => model.values,
      ),
    ),
  )
}

const texts = fc.constantFrom('', 'a', 'aa', 'b', 'B', '10', '9', '"', '\\', 'ключ', '\ue000', '\uffff', '😀')
const numbers = fc.constantFrom(0, 1, 9, 10, -1, -10, 0.5, 1e21, 1e-7, 2 ** 53 - 1)

describe.each(topologies)('a priority queue beside a plain list ($kind)', (topology) => {
  noLeaks(topology)
  const clients = twoClients(topology)

  it.each([
    ['texts', texts],
    ['numbers', numbers],
  ])('does the same for all operations on %s', async (what, values) => {
    await fc.assert(
      fc.asyncProperty(fc.array(movesOf(values), { maxLength: 25 }), async (sequence) => {
        const queue = clients.mine.getPriorityDeque<SortedValue>(`priority-model-${what}`)
        await queue.delete()
        const model = new Model()
        for (const { what: call, call: make, model: expected } of sequence)
          expect(await make(queue), call).toEqual(expected(model))
        expect(await queue.readAll()).toEqual(model.values)
        await queue.delete()
      }),
      RUNS,
    )
  })
})
