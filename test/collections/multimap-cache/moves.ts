import fc from 'fast-check'
import type { RListMultimap } from '../../../src/index.js'

/** A time that no test waits for. */
const LONG_MS = 600_000

/** The values of each key, and whether it ends. */
export type Model = Map<string, { values: number[]; ends: boolean }>

/** A list multimap whose keys end, in whatever way. */
export interface Cache extends RListMultimap<string, number> {
  expireKey(key: string, ttlMs: number): Promise<boolean>
}

/** One call, and what it does to a plain map. */
interface Move {
  readonly what: string
  readonly call: (cache: Cache) => Promise<unknown>
  readonly model: (model: Model) => unknown
}

/** All keys that calls are about. */
export const KEYS = ['a', 'b', '', 'ключ', '__proto__'] as const

const key = fc.constantFrom(...KEYS)
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

/**
 * Calls of any kind.
 *
 * @param end - has those of these keys end at once that have an end
 */
export const moves = (end: (keys: readonly string[]) => Promise<void>): fc.Arbitrary<Move> =>
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
      call: () => end(keys),
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

/** All entries of a model, each as often as there is one. */
export const entriesOf = (model: Model) =>
  [...model].flatMap(([at, { values: some }]) => some.map((each): [string, number] => [at, each]))

/** The keys of a model that end. */
export const endingOf = (model: Model) =>
  [...model].flatMap(([at, { ends }]) => (ends ? [at] : [])).toSorted()
