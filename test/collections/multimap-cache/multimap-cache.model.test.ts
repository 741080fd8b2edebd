import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { RListMultimapCache } from '../../../src/index.js'
import { multimapEnds } from '../../../src/core/context/names.js'
import { allOf } from '../../support/all-of.js'
import { askOwner } from '../../support/ask-owner.js'
import { twoClients } from '../../support/clients.js'
import { noLeaks } from '../../support/no-leaks.js'
import { topologies } from '../../support/topologies.js'

/** How many sequences of calls are tried on each topology. */
const RUNS = { numRuns: 25 }

/** A time that no test waits for. */
const LONG_MS = 600_000

/** The values of each key, and whether it ends. */
type Model = Map<string, { values: number[]; ends: boolean }>

type Cache = RListMultimapCache<string, number>

/** One call, and what it does to a plain map. */
interface Move {
  readonly what: string
  readonly call: (cache: Cache) => Promise<unknown>
  readonly model: (model: Model) => unknown
}

const key = fc.constantFrom('a', 'b', '', 'ключ', '__proto__')
const value = fc.integer({ min: 0, max: 2 })
const values = fc.array(value, { maxLength: 3 })

function put(model: Model, at: string, some: readonly number[]): boolean {
  if (some.length === 0) return false
  const entry = model.get(at) ?? { values: [], ends: false }
  model.set(at, { ...entry, values: [...entry.values, ...some] })
  return true
}

function removeOne(model: Model, at: string, some: number): boolean {
  const entry = model.get(at)
  const place = entry?.values.indexOf(some) ?? -1
  if (entry === undefined || place < 0) return false
  const left = entry.values.toSpliced(place, 1)
  if (left.length === 0) model.delete(at)
  else model.set(at, { ...entry, values: left })
  return true
}

const valuesAt = (model: Model, at: string) => model.get(at)?.values ?? []

const moves = (end: (cache: Cache, keys: readonly string[]) => Promise<void>): fc.Arbitrary<Move> =>
  fc.oneof(
    fc.tuple(key, values).map(([at, some]): Move => ({
      what: 'putAll',
      call: (cache) => cache.putAll(at, some),
      model: (model) => put(model, at, some),
    })),
    fc.tuple(key, value).map(([at, some]): Move => ({
      what: 'remove',
      call: (cache) => cache.remove(at, some),
      model: (model) => removeOne(model, at, some),
    })),
    fc.tuple(key, fc.boolean()).map(([at, ends]): Move => ({
      what: 'expireKey',
      call: (cache) => cache.expireKey(at, ends ? LONG_MS : 0),
      model: (model) => {
        const entry = model.get(at)
        if (entry !== undefined) model.set(at, { ...entry, ends })
        return entry !== undefined
      },
    })),
    fc.uniqueArray(key, { maxLength: 2 }).map((keys): Move => ({
      what: 'some end',
      call: (cache) => end(cache, keys),
      model: (model) => {
        for (const at of keys) if (model.get(at)?.ends === true) model.delete(at)
      },
    })),
    key.map((at): Move => ({
      what: 'removeAll',
      call: (cache) => cache.removeAll(at),
      model: (model) => {
        const before = valuesAt(model, at)
        model.delete(at)
        return before
      },
    })),
    fc.tuple(key, values).map(([at, some]): Move => ({
      what: 'replaceValues',
      call: (cache) => cache.replaceValues(at, some),
      model: (model) => {
        const { values: before, ends } = model.get(at) ?? { values: [], ends: false }
        if (some.length === 0) model.delete(at)
        else model.set(at, { values: [...some], ends })
        return before
      },
    })),
    fc.uniqueArray(key, { maxLength: 3 }).map((keys): Move => ({
      what: 'fastRemove',
      call: (cache) => cache.fastRemove(...keys),
      model: (model) => keys.filter((at) => model.delete(at)).length,
    })),
    value.map((some): Move => ({
      what: 'fastRemoveValue',
      call: (cache) => cache.fastRemoveValue(some),
      model: (model) => [...model.keys()].filter((at) => removeOne(model, at, some)).length,
    })),
    key.map((at): Move => ({
      what: 'the values of a key',
      call: (cache) => cache.get(at).readAll(),
      model: (model) => valuesAt(model, at),
    })),
    value.map((some): Move => ({
      what: 'containsValue',
      call: (cache) => cache.containsValue(some),
      model: (model) => [...model.values()].some(({ values: all }) => all.includes(some)),
    })),
    fc.constant<Move>({
      what: 'keySize',
      call: (cache) => cache.keySize(),
      model: (model) => model.size,
    }),
  )

describe.each(topologies)('a multimap cache beside a plain map ($kind)', (topology) => {
  noLeaks(topology)
  const clients = twoClients(topology)
  const name = 'mm-cache-model'
  const ends = multimapEnds(name, 'list')

  const end = async (_: Cache, keys: readonly string[]) => {
    if (keys.length > 0) await askOwner(topology, ends, 'ZADD', 'XX', ...keys.flatMap((at) => [1, at]))
  }

  it('does the same for all operations', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(moves(end), { maxLength: 25 }), async (sequence) => {
        const cache = clients.mine.getListMultimapCache<string, number>(name)
        const model: Model = new Map()
        await cache.delete()
        for (const { what, call, model: expected } of sequence)
          expect(await call(cache), what).toEqual(expected(model))
        const all = [...model].flatMap(([at, { values: some }]) => some.map((each) => [at, each]))
        const sorted = (entries: readonly unknown[]) => entries.map((each) => JSON.stringify(each)).toSorted()
        expect(sorted(await allOf(cache))).toEqual(sorted(all))
        const ending = (await askOwner(topology, ends, 'ZRANGE', 0, -1)) as string[]
        expect(ending.toSorted()).toEqual(
          [...model].flatMap(([at, { ends: does }]) => (does ? [at] : [])).toSorted(),
        )
        await cache.delete()
      }),
      RUNS,
    )
  })
})
