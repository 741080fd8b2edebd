import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { RMap } from '../../../src/index.js'
import { allOf } from '../../support/all-of.js'
import { twoClients } from '../../support/clients.js'
import { noLeaks } from '../../support/no-leaks.js'
import { topologies } from '../../support/topologies.js'

/** How many sequences of calls are tried on each topology. */
const RUNS = { numRuns: 20 }

type Value = number | string | boolean | null

/** One call of a map, and what it does to a plain one. */
interface Move {
  readonly what: string
  readonly call: (map: RMap<string, Value>) => Promise<unknown>
  readonly model: (model: Map<string, Value>) => unknown
}

const key = fc.constantFrom('a', 'b', 'ключ', '__proto__', '')
const value: fc.Arbitrary<Value> = fc.constantFrom(0, 1, 'x', '', true, null)

function move(what: string, call: Move['call'], model: Move['model']): Move {
  return { what, call, model }
}

/** Sets a value if the present one allows it. Returns what was there. */
function setIf(
  model: Map<string, Value>,
  [k, v]: readonly [string, Value],
  allowed: (before: Value | undefined) => boolean,
): Value | undefined {
  const before = model.get(k)
  if (allowed(before)) model.set(k, v)
  return before
}

const isThere = (before: Value | undefined) => before !== undefined
const isAbsent = (before: Value | undefined) => before === undefined

const moves: fc.Arbitrary<Move> = fc.oneof(
  fc.tuple(key, value).map(([k, v]) =>
    move(
      `put ${k}`,
      (map) => map.put(k, v),
      (model) => setIf(model, [k, v], () => true),
    ),
  ),
  fc.tuple(key, value).map(([k, v]) =>
    move(
      `fastPut ${k}`,
      (map) => map.fastPut(k, v),
      (model) => isAbsent(setIf(model, [k, v], () => true)),
    ),
  ),
  fc.tuple(key, value).map(([k, v]) =>
    move(
      `putIfAbsent ${k}`,
      (map) => map.putIfAbsent(k, v),
      (model) => setIf(model, [k, v], isAbsent),
    ),
  ),
  fc.tuple(key, value).map(([k, v]) =>
    move(
      `fastPutIfAbsent ${k}`,
      (map) => map.fastPutIfAbsent(k, v),
      (model) => isAbsent(setIf(model, [k, v], isAbsent)),
    ),
  ),
  fc.tuple(key, value).map(([k, v]) =>
    move(
      `replace ${k}`,
      (map) => map.replace(k, v),
      (model) => setIf(model, [k, v], isThere),
    ),
  ),
  fc.tuple(key, value).map(([k, v]) =>
    move(
      `fastReplace ${k}`,
      (map) => map.fastReplace(k, v),
      (model) => isThere(setIf(model, [k, v], isThere)),
    ),
  ),
  fc.tuple(key, value, value).map(([k, expected, v]) =>
    move(
      `replace ${k} if`,
      (map) => map.replace(k, expected, v),
      (model) => setIf(model, [k, v], (before) => before === expected) === expected,
    ),
  ),
  key.map((k) =>
    move(
      `remove ${k}`,
      (map) => map.remove(k),
      (model) => {
        const before = model.get(k)
        model.delete(k)
        return before
      },
    ),
  ),
  fc.tuple(key, value).map(([k, expected]) =>
    move(
      `remove ${k} if`,
      (map) => map.remove(k, expected),
      (model) => model.get(k) === expected && model.delete(k),
    ),
  ),
  fc.array(key, { maxLength: 4 }).map((keys) =>
    move(
      `fastRemove ${keys.join()}`,
      (map) => map.fastRemove(...keys),
      (model) => keys.filter((k) => model.delete(k)).length,
    ),
  ),
  fc.array(fc.tuple(key, value), { maxLength: 4 }).map((entries) =>
    move(
      'putAll',
      (map) => map.putAll(entries),
      (model) => {
        for (const [k, v] of entries) model.set(k, v)
      },
    ),
  ),
  fc.array(key, { maxLength: 4 }).map((keys) =>
    move(
      'getAll',
      (map) => map.getAll(keys),
      (model) => new Map(keys.flatMap((k) => (model.has(k) ? [[k, model.get(k)] as const] : []))),
    ),
  ),
  value.map((v) =>
    move(
      'containsValue',
      (map) => map.containsValue(v),
      (model) => [...model.values()].includes(v),
    ),
  ),
  fc.constant(
    move(
      'clear',
      (map) => map.clear(),
      (model) => {
        model.clear()
      },
    ),
  ),
)

describe.each(topologies)('a map beside a plain one ($kind)', (topology) => {
  noLeaks(topology)
  const clients = twoClients(topology)

  it('does the same for all operations', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(moves, { maxLength: 25 }), async (sequence) => {
        const map = clients.mine.getMap<string, Value>('map-model')
        const model = new Map<string, Value>()
        await map.delete()
        for (const { what, call, model: expected } of sequence)
          expect(await call(map), what).toEqual(expected(model))
        expect(await map.readAllMap()).toEqual(model)
        expect(new Map(await allOf(map))).toEqual(model)
        expect(await map.size()).toBe(model.size)
        await map.delete()
      }),
      RUNS,
    )
  })
})
