import fc from 'fast-check'
import type { RQueue } from '../../../src/index.js'

export type Value = number | string | null

/** A queue and another one, as arrays. */
export interface Model {
  readonly mine: Value[]
  readonly other: Value[]
}

/** One call of a queue, and what it does to arrays. */
export interface Move<Q> {
  readonly what: string
  readonly call: (queue: Q, other: string) => Promise<unknown>
  readonly model: (model: Model) => unknown
}

const NONE = 'NO_SUCH_ELEMENT'

export const value: fc.Arbitrary<Value> = fc.constantFrom(0, 1, 2, 'x', '1', null)
const values = fc.array(value, { maxLength: 4 })
const count = fc.nat({ max: 5 })

const orNone = (element: Value | undefined) => (element === undefined ? NONE : element)

/** Keeps what a function wants. Returns whether anything else was there. */
function keep(model: Value[], wants: (element: Value) => boolean): boolean {
  const kept = model.filter(wants)
  return model.splice(0, model.length, ...kept).length > kept.length
}

function removeFirst(model: Value[], sought: Value): boolean {
  const found = model.indexOf(sought)
  return found >= 0 && model.splice(found, 1).length > 0
}

/** What a queue and a deque have in common. */
export const queueMoves: fc.Arbitrary<Move<RQueue<Value>>> = fc.oneof(
  value.map((v) => ({
    what: `add ${String(v)}`,
    call: (queue: RQueue<Value>) => queue.add(v),
    model: ({ mine }: Model) => mine.push(v) > 0,
  })),
  values.map((vs) => ({
    what: `addAll ${vs.join()}`,
    call: (queue: RQueue<Value>) => queue.addAll(vs),
    model: ({ mine }: Model) => {
      mine.push(...vs)
      return vs.length > 0
    },
  })),
  fc.constant({
    what: 'poll',
    call: (queue: RQueue<Value>) => queue.poll(),
    model: ({ mine }: Model) => mine.shift(),
  }),
  count.map((n) => ({
    what: `poll ${String(n)}`,
    call: (queue: RQueue<Value>) => queue.poll(n),
    model: ({ mine }: Model) => mine.splice(0, n),
  })),
  fc.constant({
    what: 'peek',
    call: (queue: RQueue<Value>) => queue.peek(),
    model: ({ mine }: Model) => mine[0],
  }),
  fc.constant({
    what: 'element',
    call: (queue: RQueue<Value>) => queue.element(),
    model: ({ mine }: Model) => orNone(mine[0]),
  }),
  fc.constant({
    what: 'remove',
    call: (queue: RQueue<Value>) => queue.remove(),
    model: ({ mine }: Model) => orNone(mine.shift()),
  }),
  value.map((v) => ({
    what: `remove ${String(v)}`,
    call: (queue: RQueue<Value>) => queue.remove(v),
    model: ({ mine }: Model) => removeFirst(mine, v),
  })),
  values.map((vs) => ({
    what: `removeAll ${vs.join()}`,
    call: (queue: RQueue<Value>) => queue.removeAll(vs),
    model: ({ mine }: Model) => keep(mine, (element) => !vs.includes(element)),
  })),
  values.map((vs) => ({
    what: `retainAll ${vs.join()}`,
    call: (queue: RQueue<Value>) => queue.retainAll(vs),
    model: ({ mine }: Model) => keep(mine, (element) => vs.includes(element)),
  })),
  value.map((v) => ({
    what: `indexOf ${String(v)}`,
    call: (queue: RQueue<Value>) => queue.indexOf(v),
    model: ({ mine }: Model) => mine.indexOf(v),
  })),
  fc.boolean().map((isItself) => ({
    what: `pollLastAndOfferFirstTo ${isItself ? 'itself' : 'another'}`,
    call: (queue: RQueue<Value>, other: string) =>
      queue.pollLastAndOfferFirstTo(isItself ? queue.name : other),
    model: ({ mine, other }: Model) => {
      const moved = mine.pop()
      if (moved !== undefined) (isItself ? mine : other).unshift(moved)
      return moved
    },
  })),
  fc.tuple(fc.boolean(), fc.integer({ min: 1, max: 5 }), fc.boolean()).map(([isItself, n, exactly]) => ({
    what: `move ${exactly ? 'exactly ' : ''}${String(n)} to ${isItself ? 'itself' : 'another'}`,
    call: (queue: RQueue<Value>, other: string) =>
      queue.move({ to: isItself ? queue.name : other, count: n, exactly }),
    model: ({ mine, other }: Model) => {
      if (exactly && mine.length < n) return []
      const moved = mine.splice(0, n)
      ;(isItself ? mine : other).push(...moved)
      return moved
    },
  })),
)
