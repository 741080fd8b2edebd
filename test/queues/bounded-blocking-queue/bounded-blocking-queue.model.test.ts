import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { RBoundedBlockingQueue } from '../../../src/index.js'
import { allOf } from '../../support/all-of.js'
import { askOwner } from '../../support/ask-owner.js'
import { twoClients } from '../../support/clients.js'
import { noLeaks } from '../../support/no-leaks.js'
import { topologies } from '../../support/topologies.js'

/** How many sequences of calls are tried on each topology. */
const RUNS = { numRuns: 20 }

type Value = number | string | null

/** What a queue is: places, undefined where there is no capacity, and an array of elements; and another queue without a capacity. */
class Model {
  places: number | undefined
  elements: Value[] = []
  other: Value[] = []

  trySetCapacity(capacity: number): boolean {
    if (this.places !== undefined) return false
    this.places = capacity - this.elements.length
    return true
  }

  offer(values: readonly Value[]): boolean | string {
    if (this.places === undefined) return 'CAPACITY_NOT_SET'
    if (this.places < values.length) return false
    this.places -= values.length
    this.elements.push(...values)
    return true
  }

  /** Removes elements from a place on. */
  splice(first: number, count: number): Value[] {
    return this.returned(this.elements.splice(first, count))
  }

  /** Keeps what a function wants. Returns whether anything else was there. */
  keep(wants: (element: Value) => boolean): boolean {
    const gone = this.elements.filter((element) => !wants(element))
    this.elements = this.elements.filter(wants)
    return this.returned(gone).length > 0
  }

  remove(value: Value): boolean {
    const found = this.elements.indexOf(value)
    return found >= 0 && this.splice(found, 1).length > 0
  }

  delete(): boolean {
    const wasThere = this.elements.length > 0
    this.places = undefined
    this.elements = []
    return wasThere
  }

  returned<T extends readonly Value[]>(gone: T): T {
    if (this.places !== undefined) this.places += gone.length
    return gone
  }
}

/** One call of a queue, and what it does to the model. */
interface Move {
  readonly what: string
  readonly call: (queue: RBoundedBlockingQueue<Value>, other: string) => Promise<unknown>
  readonly model: (model: Model) => unknown
}

const move = (what: string, call: Move['call'], model: Move['model']): Move => ({ what, call, model })

const value: fc.Arbitrary<Value> = fc.constantFrom(0, 1, 2, 'x', '1', null)
const values = fc.array(value, { maxLength: 5 })
const count = fc.nat({ max: 5 })

/** A call that is given something. */
const given = <T>(
  what: string,
  any: fc.Arbitrary<T>,
  call: (queue: RBoundedBlockingQueue<Value>, given: T, other: string) => Promise<unknown>,
  model: (model: Model, given: T) => unknown,
): fc.Arbitrary<Move> =>
  any.map((each) =>
    move(
      `${what} ${JSON.stringify(each)}`,
      (queue, other) => call(queue, each, other),
      (state) => model(state, each),
    ),
  )

const moves: fc.Arbitrary<Move> = fc.oneof(
  given(
    'offer',
    value,
    (queue, v) => queue.offer(v),
    (model, v) => model.offer([v]),
  ),
  given(
    'add',
    value,
    (queue, v) => queue.add(v),
    (model, v) => model.offer([v]) || 'QUEUE_FULL',
  ),
  given(
    'addAll',
    values,
    (queue, vs) => queue.addAll(vs),
    (model, vs) => (vs.length === 0 ? false : model.offer(vs)),
  ),
  given(
    'trySetCapacity',
    fc.integer({ min: 1, max: 6 }),
    (queue, n) => queue.trySetCapacity(n),
    (model, n) => model.trySetCapacity(n),
  ),
  given(
    'poll',
    count,
    (queue, n) => queue.poll(n),
    (model, n) => model.splice(0, n),
  ),
  given(
    'pollLastFromAny',
    fc.integer({ min: 1, max: 3 }),
    async (queue, n) => [...(await queue.pollLastFromAny([], n)).values()].flat(),
    (model, n) => model.splice(-n, n).reverse(),
  ),
  given(
    'move',
    fc.integer({ min: 1, max: 3 }),
    (queue, n, other) => queue.move({ to: other, count: n }),
    (model, n) => {
      const moved = model.splice(0, n)
      model.other.push(...moved)
      return moved
    },
  ),
  given(
    'remove',
    value,
    (queue, v) => queue.remove(v),
    (model, v) => model.remove(v),
  ),
  given(
    'removeAll',
    values,
    (queue, vs) => queue.removeAll(vs),
    (model, vs) => model.keep((element) => !vs.includes(element)),
  ),
  given(
    'retainAll',
    values,
    (queue, vs) => queue.retainAll(vs),
    (model, vs) => model.keep((element) => vs.includes(element)),
  ),
  fc.constantFrom(
    move(
      'poll',
      (queue) => queue.poll(),
      (model) => model.splice(0, 1)[0],
    ),
    move(
      'drainTo',
      (queue) => queue.drainTo(),
      (model) => model.splice(0, Infinity),
    ),
    move(
      'around',
      (queue) => queue.pollLastAndOfferFirstTo(queue.name),
      (model) => {
        const last = model.elements.splice(-1)
        model.elements.unshift(...last)
        return last[0]
      },
    ),
    move(
      'remainingCapacity',
      (queue) => queue.remainingCapacity(),
      (model) => (model.places === undefined ? 'CAPACITY_NOT_SET' : Math.max(0, model.places)),
    ),
    move(
      'clear',
      (queue) => queue.clear(),
      (model) => {
        model.splice(0, Infinity)
      },
    ),
    move(
      'delete',
      (queue) => queue.delete(),
      (model) => model.delete(),
    ),
  ),
)

describe.each(topologies)('a bounded queue beside an array ($kind)', (topology) => {
  noLeaks(topology)
  const clients = twoClients(topology)

  it('does the same for all operations', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(moves, { maxLength: 30 }), async (sequence) => {
        const name = '{bounded-model}'
        const queue = clients.mine.getBoundedBlockingQueue<Value>(name)
        const other = clients.mine.getQueue<Value>(`${name}:other`)
        const model = new Model()
        await Promise.all([queue.delete(), other.delete()])
        for (const { what, call, model: expected } of sequence) {
          const outcome = await call(queue, other.name).catch(
            (error: unknown) => (error as { code: string }).code,
          )
          expect(outcome, what).toEqual(expected(model))
        }
        expect(await queue.readAll()).toEqual(model.elements)
        expect(await allOf(queue)).toEqual(model.elements)
        expect(await other.readAll()).toEqual(model.other)
        const places = await askOwner(topology, `redisson_bqs:${name}`, 'GET')
        expect(places).toBe(model.places === undefined ? null : String(model.places))
        await Promise.all([queue.delete(), other.delete()])
      }),
      RUNS,
    )
  })
})
