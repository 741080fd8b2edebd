import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { RSetCache } from '../../../src/index.js'
import { allOf } from '../../support/all-of.js'
import { twoClients } from '../../support/clients.js'
import { noLeaks } from '../../support/no-leaks.js'
import { topologies } from '../../support/topologies.js'
import { SetCacheLook } from './set-cache-look.js'

/** How many sequences of calls are tried on each topology. */
const RUNS = { numRuns: 25 }

/** Times to live that no test waits for, and that differ by more than a test takes; 0 for none. */
const TIMES = [0, 1_000_000, 2_000_000, 3_000_000]

type Value = number | string | boolean | null

/** When each value ends: one of the times, infinite for never. A value that has ended is absent. */
type Model = Map<Value, number>

/** One call of a set cache, and what it does to a plain map. */
interface Move {
  readonly what: string
  readonly call: (cache: RSetCache<Value>) => Promise<unknown>
  readonly model: (model: Model) => unknown
}

const value: fc.Arbitrary<Value> = fc.constantFrom(0, 1, 'x', '', 'ключ', '__proto__', true, null)
const values = fc.array(value, { maxLength: 4 })
const time = fc.constantFrom(...TIMES)

const endOf = (ttlMs: number) => (ttlMs === 0 ? Infinity : ttlMs)

type Condition = (before: number | undefined, end: number) => boolean

const always: Condition = () => true
const absent: Condition = (before) => before === undefined
const present: Condition = (before) => before !== undefined
const less: Condition = (before, end) => before !== undefined && end < before

/** Adds values. Returns how many are new, or meet the condition. */
function added(model: Model, all: readonly Value[], ttlMs: number, condition: Condition): number {
  let count = 0
  for (const each of all) {
    const before = model.get(each)
    if (!condition(before, endOf(ttlMs))) continue
    model.set(each, endOf(ttlMs))
    if (condition !== always || before === undefined) count += 1
  }
  return count
}

const removed = (model: Model, all: readonly Value[]) => all.filter((each) => model.delete(each)).length

const one = (
  what: 'add' | 'addIfAbsent' | 'addIfExists' | 'addIfLess',
  condition: Condition,
): fc.Arbitrary<Move> =>
  fc.tuple(value, time).map(([v, ttlMs]) => ({
    what,
    call: (cache) => cache[what](v, { ttlMs }),
    model: (model) => added(model, [v], ttlMs, condition) === 1,
  }))

const several = (
  what: 'addAll' | 'addAllCounted' | 'addAllIfAbsent' | 'addAllIfExist' | 'addAllIfLess',
  condition: Condition,
): fc.Arbitrary<Move> =>
  fc.tuple(values, time).map(([all, ttlMs]) => ({
    what,
    call: (cache) => cache[what](all, { ttlMs }),
    model: (model) => {
      const count = added(model, all, ttlMs, condition)
      return what === 'addAll' ? count > 0 : count
    },
  }))

const plain = (
  what: string,
  call: (cache: RSetCache<Value>, all: Value[]) => Promise<unknown>,
  model: (model: Model, all: Value[]) => unknown,
): fc.Arbitrary<Move> =>
  values.map((all) => ({ what, call: (cache) => call(cache, all), model: (given) => model(given, all) }))

const moves: fc.Arbitrary<Move> = fc.oneof(
  one('add', always),
  one('addIfAbsent', absent),
  one('addIfExists', present),
  one('addIfLess', less),
  several('addAll', always),
  several('addAllCounted', always),
  several('addAllIfAbsent', absent),
  several('addAllIfExist', present),
  several('addAllIfLess', less),
  fc.tuple(values, time).map(([all, ttlMs]): Move => ({
    what: 'tryAddAll',
    call: (cache) => cache.tryAddAll(all, { ttlMs }),
    model: (model) => {
      if (all.some((each) => model.has(each))) return false
      added(model, all, ttlMs, always)
      return true
    },
  })),
  plain(
    'removeAllCounted',
    (cache, all) => cache.removeAllCounted(all),
    (model, all) => removed(model, all),
  ),
  plain(
    'retainAll',
    (cache, all) => cache.retainAll(['x', ...all]),
    (model, all) =>
      removed(
        model,
        [...model.keys()].filter((each) => each !== 'x' && !all.includes(each)),
      ) > 0,
  ),
  plain(
    'containsEach',
    (cache, all) => cache.containsEach(all),
    (model, all) => all.map((each) => model.has(each)),
  ),
  plain(
    'size',
    (cache) => cache.size(),
    (model) => model.size,
  ),
)

describe.each(topologies)('a set cache beside a plain map ($kind)', (topology) => {
  noLeaks(topology)
  const clients = twoClients(topology)
  const look = new SetCacheLook(topology)

  /** A call, or values that end before the next one. */
  const steps = fc.oneof(
    { weight: 4, arbitrary: moves },
    {
      weight: 1,
      arbitrary: values.map((all) => ({
        what: 'some end',
        call: async (cache: RSetCache<Value>) => {
          await look.end(cache.name, all)
        },
        model: (model: Model) => {
          removed(model, all)
        },
      })),
    },
  )

  it('does the same for all operations', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(steps, { maxLength: 25 }), async (sequence) => {
        const name = 'values-model'
        const cache = clients.mine.getSetCache<Value>(name)
        const model: Model = new Map()
        await cache.delete()
        for (const { what, call, model: expected } of sequence)
          expect(await call(cache), what).toEqual(expected(model))
        expect(new Set(await cache.readAll())).toEqual(new Set(model.keys()))
        expect(new Set(await allOf(cache))).toEqual(new Set(model.keys()))
        for (const [each, end] of model) {
          const left = (await look.timeLeft(name, each)) ?? NaN
          if (end === Infinity) expect(left).toBe(Infinity)
          else expect(Math.abs(left - end)).toBeLessThan(400_000)
        }
        await cache.delete()
        await look.forgetCleaning(name)
      }),
      RUNS,
    )
  })
})
