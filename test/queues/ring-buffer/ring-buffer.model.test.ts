import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { RRingBuffer } from '../../../src/index.js'
import { allOf } from '../../support/all-of.js'
import { twoClients } from '../../support/clients.js'
import { noLeaks } from '../../support/no-leaks.js'
import { topologies } from '../../support/topologies.js'

/** How many sequences of calls are tried on each topology. */
const RUNS = { numRuns: 20 }

type Value = number | string | null

/** What a buffer is: a capacity, 0 where there is none, and an array of elements. */
class Model {
  capacity = 0
  elements: Value[] = []

  add(values: readonly Value[]): boolean | string {
    if (values.length === 0) return false
    if (this.capacity === 0) return 'CAPACITY_NOT_SET'
    this.elements.push(...values)
    return this.trim()
  }

  setCapacity(capacity: number): void {
    this.capacity = capacity
    this.trim()
  }

  trySetCapacity(capacity: number): boolean {
    if (this.capacity > 0) return false
    this.capacity = capacity
    return true
  }

  trim(): true {
    this.elements = this.elements.slice(-this.capacity)
    return true
  }

  /** Keeps what a function wants. Returns whether anything else was there. */
  keep(wants: (element: Value) => boolean): boolean {
    const { length } = this.elements
    this.elements = this.elements.filter(wants)
    return this.elements.length < length
  }

  remove(value: Value): boolean {
    const found = this.elements.indexOf(value)
    if (found >= 0) this.elements.splice(found, 1)
    return found >= 0
  }

  delete(): boolean {
    const wasThere = this.elements.length > 0
    this.capacity = 0
    this.elements = []
    return wasThere
  }
}

/** One call of a buffer, and what it does to the model. */
interface Move {
  readonly what: string
  readonly call: (buffer: RRingBuffer<Value>) => Promise<unknown>
  readonly model: (model: Model) => unknown
}

const move = (what: string, call: Move['call'], model: Move['model']): Move => ({ what, call, model })

const value: fc.Arbitrary<Value> = fc.constantFrom(0, 1, 2, 'x', '1', null)
const values = fc.array(value, { maxLength: 5 })
const capacity = fc.integer({ min: 1, max: 4 })
const count = fc.nat({ max: 5 })

const moves: fc.Arbitrary<Move> = fc.oneof(
  value.map((v) =>
    move(
      `add ${String(v)}`,
      (buffer) => buffer.add(v),
      (model) => model.add([v]),
    ),
  ),
  values.map((vs) =>
    move(
      `addAll ${vs.join()}`,
      (buffer) => buffer.addAll(vs),
      (model) => model.add(vs),
    ),
  ),
  capacity.map((n) =>
    move(
      `setCapacity ${String(n)}`,
      (buffer) => buffer.setCapacity(n),
      (model) => model.setCapacity(n),
    ),
  ),
  capacity.map((n) =>
    move(
      `trySetCapacity ${String(n)}`,
      (buffer) => buffer.trySetCapacity(n),
      (model) => model.trySetCapacity(n),
    ),
  ),
  count.map((n) =>
    move(
      `poll ${String(n)}`,
      (buffer) => buffer.poll(n),
      (model) => model.elements.splice(0, n),
    ),
  ),
  count.map((n) =>
    move(
      `readNewest ${String(n)}`,
      (buffer) => buffer.readNewest(n),
      (model) => (n === 0 ? [] : model.elements.slice(-n)),
    ),
  ),
  count.map((n) =>
    move(
      `readOldest ${String(n)}`,
      (buffer) => buffer.readOldest(n),
      (model) => model.elements.slice(0, n),
    ),
  ),
  value.map((v) =>
    move(
      `remove ${String(v)}`,
      (buffer) => buffer.remove(v),
      (model) => model.remove(v),
    ),
  ),
  values.map((vs) =>
    move(
      `removeAll ${vs.join()}`,
      (buffer) => buffer.removeAll(vs),
      (model) => model.keep((element) => !vs.includes(element)),
    ),
  ),
  values.map((vs) =>
    move(
      `retainAll ${vs.join()}`,
      (buffer) => buffer.retainAll(vs),
      (model) => model.keep((element) => vs.includes(element)),
    ),
  ),
  fc.constantFrom(
    move(
      'poll',
      (buffer) => buffer.poll(),
      (model) => model.elements.shift(),
    ),
    move(
      'peekLast',
      (buffer) => buffer.peekLast(),
      (model) => model.elements.at(-1),
    ),
    move(
      'around',
      (buffer) => buffer.pollLastAndOfferFirstTo(buffer.name),
      (model) => {
        const last = model.elements.slice(-1)
        model.elements = [...last, ...model.elements.slice(0, -1)]
        return last[0]
      },
    ),
    move(
      'capacity',
      (buffer) => buffer.capacity(),
      (model) => model.capacity,
    ),
    move(
      'remainingCapacity',
      (buffer) => buffer.remainingCapacity(),
      (model) => (model.capacity === 0 ? 'CAPACITY_NOT_SET' : model.capacity - model.elements.length),
    ),
    move(
      'clear',
      (buffer) => buffer.clear(),
      (model) => {
        model.elements = []
      },
    ),
    move(
      'delete',
      (buffer) => buffer.delete(),
      (model) => model.delete(),
    ),
  ),
)

describe.each(topologies)('a ring buffer beside an array ($kind)', (topology) => {
  noLeaks(topology)
  const clients = twoClients(topology)

  it('does the same for all operations', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(moves, { maxLength: 30 }), async (sequence) => {
        const buffer = clients.mine.getRingBuffer<Value>('ring-model')
        const model = new Model()
        await buffer.delete()
        for (const { what, call, model: expected } of sequence) {
          const outcome = await call(buffer).catch((error: unknown) => (error as { code: string }).code)
          expect(outcome, what).toEqual(expected(model))
        }
        expect(await buffer.readAll()).toEqual(model.elements)
        expect(await allOf(buffer)).toEqual(model.elements)
        expect(await buffer.size()).toBe(model.elements.length)
        await buffer.delete()
      }),
      RUNS,
    )
  })
})
