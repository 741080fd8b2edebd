import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { allOf } from '../../support/all-of.js'
import { twoClients } from '../../support/clients.js'
import { Look } from '../../support/look.js'
import { noLeaks } from '../../support/no-leaks.js'
import { topologies } from '../../support/topologies.js'
import { kinds, sorted, type AnyMultimap } from './kinds.js'

/** How many sequences of calls are tried on each topology. */
const RUNS = { numRuns: 20 }

type Value = number | string | null

/** A multimap of this process. A key that has no values is not there. */
class Model {
  readonly #isSet: boolean
  readonly values = new Map<string, Value[]>()

  constructor(isSet: boolean) {
    this.#isSet = isSet
  }

  of(key: string): Value[] {
    return this.values.get(key) ?? []
  }

  set(key: string, values: readonly Value[]): void {
    const kept = this.#isSet ? [...new Set(values)] : [...values]
    if (kept.length === 0) this.values.delete(key)
    else this.values.set(key, kept)
  }

  /** Returns whether there are more values now. */
  add(key: string, values: readonly Value[]): boolean {
    const before = this.of(key).length
    this.set(key, [...this.of(key), ...values])
    return this.of(key).length > before
  }

  /** Removes the first value that is equal. Returns whether there was one. */
  remove(key: string, value: Value): boolean {
    const index = this.of(key).indexOf(value)
    if (index >= 0) this.set(key, this.of(key).toSpliced(index, 1))
    return index >= 0
  }

  removeEverywhere(values: readonly Value[]): number {
    let removed = 0
    for (const key of [...this.values.keys()])
      for (const value of values) if (this.remove(key, value)) removed += 1
    return removed
  }
}

/** One call of a multimap, and what it does to a plain one. */
interface Move {
  readonly what: string
  readonly call: (multimap: AnyMultimap<string, Value>) => Promise<unknown>
  readonly model: (model: Model) => unknown
}

const move = (what: string, call: Move['call'], model: Move['model']): Move => ({ what, call, model })

const key = fc.constantFrom('a', '', 'ключ', '__proto__')
const value: fc.Arbitrary<Value> = fc.constantFrom<Value>(0, 1, 'x', '__proto__', null)
const values = fc.array(value, { maxLength: 4 })

/** What was returned, where the order is no matter. */
const inOrder = async (values: Promise<readonly unknown[]>) => sorted(await values)

const moves: fc.Arbitrary<Move> = fc.oneof(
  fc.tuple(key, value).map(([k, v]) =>
    move(
      'put',
      (multimap) => multimap.put(k, v),
      (model) => model.add(k, [v]),
    ),
  ),
  fc.tuple(key, values).map(([k, all]) =>
    move(
      'putAll',
      (multimap) => multimap.putAll(k, all),
      (model) => model.add(k, all),
    ),
  ),
  fc.tuple(key, value).map(([k, v]) =>
    move(
      'remove',
      (multimap) => multimap.remove(k, v),
      (model) => model.remove(k, v),
    ),
  ),
  key.map((k) =>
    move(
      'removeAll',
      (multimap) => inOrder(multimap.removeAll(k)),
      (model) => {
        const before = sorted(model.of(k))
        model.set(k, [])
        return before
      },
    ),
  ),
  fc.tuple(key, values).map(([k, all]) =>
    move(
      'replaceValues',
      (multimap) => inOrder(multimap.replaceValues(k, all)),
      (model) => {
        const before = sorted(model.of(k))
        model.set(k, all)
        return before
      },
    ),
  ),
  fc.tuple(key, values).map(([k, all]) =>
    move(
      'fastReplaceValues',
      (multimap) => multimap.fastReplaceValues(k, all),
      (model) => {
        model.set(k, all)
      },
    ),
  ),
  fc.array(key, { maxLength: 2 }).map((all) =>
    move(
      'fastRemove',
      (multimap) => multimap.fastRemove(...all),
      (model) => all.filter((each) => model.values.delete(each)).length,
    ),
  ),
  values.map((all) =>
    move(
      'fastRemoveValue',
      (multimap) => multimap.fastRemoveValue(...all),
      (model) => model.removeEverywhere(all),
    ),
  ),
  fc.tuple(key, fc.array(value, { minLength: 1, maxLength: 3 })).map(([k, all]) =>
    move(
      'retainAll of the values',
      (multimap) => multimap.get(k).retainAll(all),
      (model) => {
        const before = model.of(k)
        model.set(
          k,
          before.filter((each) => all.includes(each)),
        )
        return model.of(k).length < before.length
      },
    ),
  ),
  key.map((k) =>
    move(
      'delete of the values',
      (multimap) => multimap.get(k).delete(),
      (model) => model.values.delete(k),
    ),
  ),
  value.map((v) =>
    move(
      'containsValue',
      (multimap) => multimap.containsValue(v),
      (model) => [...model.values.values()].some((all) => all.includes(v)),
    ),
  ),
  fc.tuple(key, value).map(([k, v]) =>
    move(
      'containsEntry',
      (multimap) => multimap.containsEntry(k, v),
      (model) => model.of(k).includes(v),
    ),
  ),
  fc.constant(
    move(
      'size',
      (multimap) => multimap.size(),
      (model) => [...model.values.values()].flat().length,
    ),
  ),
)

describe.each(topologies)('a multimap beside a plain one ($kind)', (topology) => {
  describe.each(kinds)('with a $what of values for each key', ({ what, of }) => {
    noLeaks(topology)
    const clients = twoClients(topology)
    const look = new Look(topology)

    it('does the same for all operations, and has a key of Redis for each key that has values', async () => {
      const name = `{mm-model}:${what}`
      await fc.assert(
        fc.asyncProperty(fc.array(moves, { maxLength: 25 }), async (sequence) => {
          const multimap = of(clients.mine, name) as AnyMultimap<string, Value>
          const model = new Model(what === 'set')
          await multimap.delete()
          for (const { what: called, call, model: expected } of sequence)
            expect([called, await call(multimap)]).toEqual([called, expected(model)])
          expect((await multimap.readAllKeySet()).toSorted()).toEqual([...model.values.keys()].toSorted())
          const entries = [...model.values].flatMap(([k, all]) => all.map((each) => [k, each]))
          expect(sorted(await allOf(multimap))).toEqual(sorted(entries))
          if (what === 'list')
            for (const [k, all] of model.values) expect(await multimap.getAll(k)).toEqual(all)
          const names = ['a', '', 'ключ', '__proto__'].map((k) => multimap.get(k).name)
          const there = await Promise.all(names.map((each) => look.ask(each, 'EXISTS')))
          expect(there.filter((is) => is === 1)).toHaveLength(model.values.size)
          await multimap.delete()
        }),
        RUNS,
      )
    })
  })
})
