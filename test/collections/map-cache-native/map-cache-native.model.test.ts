import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { EntryTtlOptions, RMapCacheNative } from '../../../src/index.js'
import { allOf } from '../../support/all-of.js'
import { twoClients } from '../../support/clients.js'
import { noLeaks } from '../../support/no-leaks.js'
import { topologies } from '../../support/topologies.js'
import { needEndsOfFields } from './ends-of-fields.js'

/** How many sequences of calls are tried on each topology. */
const RUNS = { numRuns: 40 }

const NAME = 'native-model'

/** Ends that no test waits for, which differ by more than a sequence lasts. */
const SHORT = 600_000
const LONG = 900_000

/** A value, and how long it lasts; infinite for as long as it is not removed. */
interface Entry {
  readonly value: number
  readonly ttl: number
}

type Model = Map<string, Entry>

/** One call of a cache, and what it does to the model. */
interface Move {
  readonly what: string
  readonly call: (cache: RMapCacheNative<string, number>) => Promise<unknown>
  readonly model: (model: Model) => unknown
}

const key = fc.constantFrom('a', 'b', 'ключ', '__proto__', '')
const keys = fc.array(key, { maxLength: 4 })
const value = fc.integer({ min: 0, max: 3 })
const life = fc.constantFrom<EntryTtlOptions | undefined>(undefined, {}, { ttlMs: SHORT }, { ttlMs: LONG })
const end = fc.constantFrom({ ttlMs: SHORT }, { ttlMs: LONG })
const entries = fc.array(fc.tuple(key, value), { maxLength: 4 })

const move = (what: string, call: Move['call'], model: Move['model']): Move => ({ what, call, model })

function put(model: Model, k: string, v: number, { ttlMs = Infinity }: EntryTtlOptions = {}) {
  const before = model.get(k)?.value
  model.set(k, { value: v, ttl: ttlMs })
  return before
}

/** Sets ends where the present one lets it. Returns how many. Of a key that comes twice, the second one finds the new end. */
function expire(
  model: Model,
  all: readonly string[],
  ttl: number,
  lets: (before: number) => boolean,
): number {
  return all.filter((k) => {
    const before = model.get(k)
    if (before === undefined || !lets(before.ttl)) return false
    model.set(k, { ...before, ttl })
    return true
  }).length
}

const moves: fc.Arbitrary<Move> = fc.oneof(
  fc.tuple(key, value, life).map(([k, v, l]) =>
    move(
      `put ${k}`,
      (cache) => cache.put(k, v, l),
      (model) => put(model, k, v, l),
    ),
  ),
  fc.tuple(key, value, life).map(([k, v, l]) =>
    move(
      `fastPut ${k}`,
      (cache) => cache.fastPut(k, v, l),
      (model) => put(model, k, v, l) === undefined,
    ),
  ),
  fc.tuple(key, value, life).map(([k, v, l]) =>
    move(
      `putIfAbsent ${k}`,
      (cache) => cache.putIfAbsent(k, v, l),
      (model) => model.get(k)?.value ?? put(model, k, v, l),
    ),
  ),
  fc.tuple(key, value, life).map(([k, v, l]) =>
    move(
      `fastPutIfAbsent ${k}`,
      (cache) => cache.fastPutIfAbsent(k, v, l),
      (model) => !model.has(k) && put(model, k, v, l) === undefined,
    ),
  ),
  fc.tuple(key, value, life).map(([k, v, l]) =>
    move(
      `putIfExists ${k}`,
      (cache) => cache.putIfExists(k, v, l),
      (model) => (model.has(k) ? put(model, k, v, l) : undefined),
    ),
  ),
  fc.tuple(entries, life).map(([all, l]) =>
    move(
      'putAll',
      (cache) => cache.putAll(all, l),
      (model) => {
        for (const [k, v] of all) put(model, k, v, l)
      },
    ),
  ),
  fc.tuple(entries, life, fc.boolean()).map(([all, l, exist]) =>
    move(
      `putIfAllKeys${exist ? 'Exist' : 'Absent'}`,
      (cache) => (exist ? cache.putIfAllKeysExist(all, l) : cache.putIfAllKeysAbsent(all, l)),
      (model) => {
        if (!all.every(([k]) => model.has(k) === exist)) return false
        for (const [k, v] of all) put(model, k, v, l)
        return true
      },
    ),
  ),
  fc.tuple(key, value, value).map(([k, expected, v]) =>
    move(
      `replace ${k} if`,
      (cache) => cache.replace(k, expected, v),
      (model) => model.get(k)?.value === expected && put(model, k, v) !== undefined,
    ),
  ),
  fc.tuple(key, value).map(([k, v]) =>
    move(
      `addAndGet ${k}`,
      (cache) => cache.addAndGet(k, v),
      (model) => {
        const { value: before, ttl } = model.get(k) ?? { value: 0, ttl: Infinity }
        model.set(k, { value: before + v, ttl })
        return before + v
      },
    ),
  ),
  key.map((k) =>
    move(
      `remove ${k}`,
      (cache) => cache.remove(k),
      (model) => {
        const before = model.get(k)?.value
        model.delete(k)
        return before
      },
    ),
  ),
  fc.tuple(key, life).map(([k, l]) =>
    move(
      `compute ${k}`,
      (cache) => cache.compute(k, (_, before = 0) => (before === 2 ? undefined : before + 1), l),
      (model) => {
        const before = model.get(k)?.value ?? 0
        if (before !== 2) put(model, k, before + 1, l)
        else model.delete(k)
        return model.get(k)?.value
      },
    ),
  ),
  fc.tuple(keys, end).map(([all, { ttlMs }]) =>
    move(
      'expireEntries',
      (cache) => cache.expireEntries(all, { ttlMs }),
      (model) => expire(model, all, ttlMs, () => true),
    ),
  ),
  fc.tuple(keys, end).map(([all, { ttlMs }]) =>
    move(
      'expireEntriesIfNotSet',
      (cache) => cache.expireEntriesIfNotSet(all, { ttlMs }),
      (model) => expire(model, all, ttlMs, (before) => before === Infinity),
    ),
  ),
  fc.tuple(fc.uniqueArray(key), fc.constantFrom(SHORT - 300_000, LONG + 300_000)).map(([all, ttlMs]) =>
    move(
      'expireEntriesIfGreater',
      async (cache) => [
        await cache.expireEntriesIfGreater(all, { ttlMs }),
        await cache.expireEntries(all, { ttlMs: SHORT }),
      ],
      (model) => [
        expire(model, all, ttlMs, (before) => before < ttlMs),
        expire(model, all, SHORT, () => true), // so that no end is compared with the same end of another moment
      ],
    ),
  ),
  fc.tuple(fc.uniqueArray(key), fc.constantFrom(SHORT - 150_000, LONG + 150_000)).map(([all, ttlMs]) =>
    move(
      'expireEntriesIfLess',
      async (cache) => [
        await cache.expireEntriesIfLess(all, { ttlMs }),
        await cache.expireEntries(all, { ttlMs: SHORT }),
      ],
      (model) => [
        expire(model, all, ttlMs, (before) => before > ttlMs),
        expire(model, all, SHORT, () => true), // so that no end is compared with the same end of another moment
      ],
    ),
  ),
  key.map((k) =>
    move(
      `clearExpire ${k}`,
      (cache) => cache.clearExpire(k),
      (model) => expire(model, [k], Infinity, (before) => before < Infinity) === 1,
    ),
  ),
)

describe.each(topologies)('a native map cache beside a model ($kind)', (topology) => {
  needEndsOfFields()
  noLeaks(topology)
  const clients = twoClients(topology)

  it('does the same for all operations', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(moves, { maxLength: 25 }), async (sequence) => {
        const cache = clients.mine.getMapCacheNative<string, number>(NAME)
        const model: Model = new Map()
        await cache.delete()
        for (const { what, call, model: expected } of sequence) {
          expect(await call(cache), what).toEqual(expected(model))
          expect(await cache.size(), what).toBe(model.size)
        }
        const found = new Map([...model].map(([k, entry]) => [k, entry.value]))
        expect(await cache.readAllMap()).toEqual(found)
        expect(new Map(await allOf(cache))).toEqual(found)
        for (const [k, left] of await cache.remainTimeToLiveEach(model.keys()))
          expect(left > 0, k).toBe((model.get(k)?.ttl ?? Infinity) < Infinity)
        await cache.delete()
      }),
      RUNS,
    )
  })
})
