import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { RList } from '../../../src/index.js'
import { allOf } from '../../support/all-of.js'
import { twoClients } from '../../support/clients.js'
import { noLeaks } from '../../support/no-leaks.js'
import { topologies } from '../../support/topologies.js'

/** How many sequences of calls are tried on each topology. */
const RUNS = { numRuns: 20 }

type Value = number | string | null

/** One call of a list, and what it does to an array. */
interface Move {
  readonly what: string
  readonly call: (list: RList<Value>) => Promise<unknown>
  readonly model: (model: Value[]) => unknown
}

const OUT_OF_BOUNDS = 'INDEX_OUT_OF_BOUNDS'

const value: fc.Arbitrary<Value> = fc.constantFrom(0, 1, 2, 'x', '1', null)
const values = fc.array(value, { maxLength: 4 })
const index = fc.integer({ min: -4, max: 6 })
const place = fc.nat({ max: 6 })

/** Where an index is in an array; -1 if it is beyond its ends. */
function placeOf(model: readonly Value[], at: number): number {
  const found = at < 0 ? model.length + at : at
  return found < model.length ? Math.max(found, -1) : -1
}

function removeAt(model: Value[], at: number): Value | undefined {
  const found = placeOf(model, at)
  return found < 0 ? undefined : model.splice(found, 1)[0]
}

function insert(model: Value[], at: number, added: readonly Value[]): boolean {
  if (at > model.length) return false
  model.splice(at, 0, ...added)
  return true
}

/** Keeps what a function wants. Returns whether anything else was there. */
function keep(model: Value[], wants: (element: Value) => boolean): boolean {
  const kept = model.filter(wants)
  return model.splice(0, model.length, ...kept).length > kept.length
}

/** Removes a value up to `count` times, from the back if that is below zero. */
function remove(model: Value[], sought: Value, count: number): boolean {
  const { length } = model
  for (let n = 0; n < Math.abs(count); n += 1) {
    const found = count > 0 ? model.indexOf(sought) : model.lastIndexOf(sought)
    if (found >= 0) model.splice(found, 1)
  }
  return model.length < length
}

function beside(model: Value[], pivot: Value, added: Value, distance: 0 | 1): number {
  const found = model.indexOf(pivot)
  if (found < 0) return -1
  model.splice(found + distance, 0, added)
  return model.length
}

/** The array between two indexes, both included. */
function between(model: readonly Value[], from: number, to: number): Value[] {
  const end = to < 0 ? model.length + to : to
  return end < 0 ? [] : model.slice(from, end + 1)
}

const moves: fc.Arbitrary<Move> = fc.oneof(
  value.map((v) => ({
    what: `add ${String(v)}`,
    call: (list: RList<Value>) => list.add(v),
    model: (model: Value[]) => insert(model, model.length, [v]),
  })),
  values.map((vs) => ({
    what: `addAll ${vs.join()}`,
    call: (list: RList<Value>) => list.addAll(vs),
    model: (model: Value[]) => insert(model, model.length, vs) && vs.length > 0,
  })),
  fc.tuple(place, value).map(([at, v]) => ({
    what: `add ${String(v)} at ${String(at)}`,
    call: (list: RList<Value>) => list.add(at, v),
    model: (model: Value[]) => (insert(model, at, [v]) ? undefined : OUT_OF_BOUNDS),
  })),
  fc.tuple(place, values).map(([at, vs]) => ({
    what: `addAll ${vs.join()} at ${String(at)}`,
    call: (list: RList<Value>) => list.addAll(at, vs),
    model: (model: Value[]) => (vs.length === 0 ? false : insert(model, at, vs) || OUT_OF_BOUNDS),
  })),
  fc.tuple(value, value).map(([pivot, v]) => ({
    what: `addAfter ${String(pivot)} ${String(v)}`,
    call: (list: RList<Value>) => list.addAfter(pivot, v),
    model: (model: Value[]) => beside(model, pivot, v, 1),
  })),
  fc.tuple(value, value).map(([pivot, v]) => ({
    what: `addBefore ${String(pivot)} ${String(v)}`,
    call: (list: RList<Value>) => list.addBefore(pivot, v),
    model: (model: Value[]) => beside(model, pivot, v, 0),
  })),
  fc.tuple(index, value).map(([at, v]) => ({
    what: `set ${String(at)} ${String(v)}`,
    call: (list: RList<Value>) => list.set(at, v),
    model: (model: Value[]) => {
      const found = placeOf(model, at)
      return found < 0 ? OUT_OF_BOUNDS : model.splice(found, 1, v)[0]
    },
  })),
  index.map((at) => ({
    what: `get ${String(at)}`,
    call: (list: RList<Value>) => list.get(at),
    model: (model: Value[]) => model.at(at),
  })),
  index.map((at) => ({
    what: `removeAt ${String(at)}`,
    call: (list: RList<Value>) => list.removeAt(at),
    model: (model: Value[]) => removeAt(model, at),
  })),
  index.map((at) => ({
    what: `fastRemove ${String(at)}`,
    call: (list: RList<Value>) => list.fastRemove(at),
    model: (model: Value[]) => removeAt(model, at) !== undefined,
  })),
  fc.tuple(value, fc.constantFrom(-2, -1, 1, 2)).map(([v, count]) => ({
    what: `remove ${String(v)} ${String(count)}`,
    call: (list: RList<Value>) => list.remove(v, count),
    model: (model: Value[]) => remove(model, v, count),
  })),
  values.map((vs) => ({
    what: `removeAll ${vs.join()}`,
    call: (list: RList<Value>) => list.removeAll(vs),
    model: (model: Value[]) => keep(model, (element) => !vs.includes(element)),
  })),
  values.map((vs) => ({
    what: `retainAll ${vs.join()}`,
    call: (list: RList<Value>) => list.retainAll(vs),
    model: (model: Value[]) => keep(model, (element) => vs.includes(element)),
  })),
  value.map((v) => ({
    what: `lastIndexOf ${String(v)}`,
    call: (list: RList<Value>) => list.lastIndexOf(v),
    model: (model: Value[]) => model.lastIndexOf(v),
  })),
  values.map((vs) => ({
    what: `containsAll ${vs.join()}`,
    call: (list: RList<Value>) => list.containsAll(vs),
    model: (model: Value[]) => vs.every((v) => model.includes(v)),
  })),
  fc.tuple(index, index).map(([from, to]) => ({
    what: `range ${String(from)} ${String(to)}`,
    call: (list: RList<Value>) => list.range(from, to),
    model: (model: Value[]) => between(model, Math.max(from, -model.length), to),
  })),
  fc.tuple(fc.integer({ min: -6, max: 2 }), fc.integer({ min: -2, max: 9 })).map(([from, to]) => ({
    what: `trim ${String(from)} ${String(to)}`,
    call: (list: RList<Value>) => list.trim(from, to),
    model: (model: Value[]) => {
      model.splice(0, model.length, ...between(model, Math.max(from, -model.length), to))
    },
  })),
)

describe.each(topologies)('a list beside an array ($kind)', (topology) => {
  noLeaks(topology)
  const clients = twoClients(topology)

  it('does the same for all operations', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(moves, { maxLength: 30 }), async (sequence) => {
        const list = clients.mine.getList<Value>('list-model')
        const model: Value[] = []
        await list.delete()
        for (const { what, call, model: expected } of sequence) {
          const outcome = await call(list).catch((error: unknown) => (error as { code: string }).code)
          expect(outcome, what).toEqual(expected(model))
        }
        expect(await list.readAll()).toEqual(model)
        expect(await allOf(list)).toEqual(model)
        expect(await list.size()).toBe(model.length)
        await list.delete()
      }),
      RUNS,
    )
  })
})
