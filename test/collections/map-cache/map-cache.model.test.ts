import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { EntryLifeOptions, RMapCache } from '../../../src/index.js'
import { allOf } from '../../support/all-of.js'
import { twoClients } from '../../support/clients.js'
import { noLeaks } from '../../support/no-leaks.js'
import { topologies } from '../../support/topologies.js'
import { CacheLook } from './cache-look.js'

/** How many sequences of calls are tried on each topology. */
const RUNS = { numRuns: 40 }

const NAME = 'cache-model'
const KEYS = ['a', 'b', 'ключ', '__proto__', '']
const LIFE = { ttlMs: 600_000, maxIdleMs: 300_000 }
const LEASE_MS = 600_000

/** A value, and what it ends by. */
interface Entry {
  readonly value: number
  readonly life: EntryLifeOptions
}

/** What a cache has, the least used first. */
class Model {
  readonly entries = new Map<string, Entry>()
  /** The keys whose values are being loaded. */
  readonly leases = new Set<string>()
  limit = 0

  get(key: string): number | undefined {
    const entry = this.entries.get(key)
    if (entry === undefined) return undefined
    this.entries.delete(key)
    this.entries.set(key, entry)
    return entry.value
  }

  put(key: string, value: number, life: EntryLifeOptions = {}): number | undefined {
    this.leases.delete(key)
    return this.set(key, value, life)
  }

  /** The same as what ends no lease does it. */
  set(key: string, value: number, life: EntryLifeOptions = {}): number | undefined {
    const before = this.entries.get(key)
    this.entries.delete(key)
    this.entries.set(key, { value, life })
    this.#shrink()
    return before?.value
  }

  limitTo(limit: number): void {
    this.limit = limit
    this.#shrink()
  }

  /** Which ones have been noted as used is not modelled: the limit is set while nothing is there. */
  #shrink(): void {
    if (this.limit === 0) return
    for (const key of this.entries.keys()) if (this.entries.size > this.limit) this.entries.delete(key)
  }
}

/** One call of a cache, and what it does to the model. */
interface Move {
  readonly what: string
  readonly call: (cache: RMapCache<string, number>, look: CacheLook) => Promise<unknown>
  readonly model: (model: Model) => unknown
}

const key = fc.constantFrom(...KEYS)
const value = fc.integer({ min: 0, max: 3 })
const life: fc.Arbitrary<EntryLifeOptions | undefined> = fc.constantFrom(
  undefined,
  {},
  { ttlMs: 600_000 },
  { maxIdleMs: 300_000 },
  LIFE,
)

const move = (what: string, call: Move['call'], model: Move['model']): Move => ({ what, call, model })

/** The moment at which the entry of a key that has an end is over. */
const overOf = (k: string) =>
  move(
    `end ${k}`,
    (_, look) => look.end(NAME, [k]),
    ({ entries }) => {
      const { ttlMs = 0, maxIdleMs = 0 } = entries.get(k)?.life ?? {}
      if (ttlMs + maxIdleMs > 0) entries.delete(k)
    },
  )

const moves: fc.Arbitrary<Move> = fc.oneof(
  fc.tuple(key, value, life).map(([k, v, l]) =>
    move(
      `put ${k}`,
      (cache) => cache.put(k, v, l),
      (model) => model.put(k, v, l),
    ),
  ),
  fc.tuple(key, value, life).map(([k, v, l]) =>
    move(
      `fastPut ${k}`,
      (cache) => cache.fastPut(k, v, l),
      (model) => model.put(k, v, l) === undefined,
    ),
  ),
  fc.tuple(key, value, life).map(([k, v, l]) =>
    move(
      `putIfAbsent ${k}`,
      (cache) => cache.putIfAbsent(k, v, l),
      (model) => model.get(k) ?? model.put(k, v, l),
    ),
  ),
  fc.tuple(key, value).map(([k, v]) =>
    move(
      `replace ${k}`,
      (cache) => cache.replace(k, v),
      (model) => {
        const before = model.entries.get(k)
        return before && model.put(k, v, before.life)
      },
    ),
  ),
  fc.tuple(key, value, value).map(([k, expected, v]) =>
    move(
      `replace ${k} if`,
      (cache) => cache.replace(k, expected, v),
      (model) => {
        const before = model.entries.get(k)
        if (model.get(k) !== expected) return false
        model.put(k, v, before?.life)
        return true
      },
    ),
  ),
  fc.tuple(key, value).map(([k, v]) =>
    move(
      `addAndGet ${k}`,
      (cache) => cache.addAndGet(k, v),
      (model) => {
        const before = model.entries.get(k)
        model.set(k, (before?.value ?? 0) + v, before?.life)
        return (before?.value ?? 0) + v
      },
    ),
  ),
  key.map((k) =>
    move(
      `remove ${k}`,
      (cache) => cache.remove(k),
      ({ entries }) => {
        const before = entries.get(k)?.value
        entries.delete(k)
        return before
      },
    ),
  ),
  fc.array(key, { maxLength: 4 }).map((keys) =>
    move(
      `fastRemove ${keys.join()}`,
      (cache) => cache.fastRemove(...keys),
      ({ entries }) => keys.filter((k) => entries.delete(k)).length,
    ),
  ),
  fc.array(fc.tuple(key, value), { maxLength: 4 }).chain((entries) =>
    life.map((l) =>
      move(
        'putAll',
        (cache) => cache.putAll(entries, l),
        (model) => {
          for (const [k, v] of entries) model.set(k, v, l)
        },
      ),
    ),
  ),
  key.map((k) =>
    move(
      `get ${k}`,
      (cache) => cache.get(k),
      (model) => model.get(k),
    ),
  ),
  fc.tuple(key, life).map(([k, l]) =>
    move(
      `expireEntry ${k}`,
      (cache) => cache.expireEntry(k, l ?? {}),
      ({ entries }) => {
        const before = entries.get(k)
        if (before === undefined) return false
        entries.set(k, { ...before, life: l ?? {} }) // in its place
        return true
      },
    ),
  ),
  key.map((k) =>
    move(
      `getWithTTLOnly ${k}`,
      (cache) => cache.getWithTTLOnly(k),
      ({ entries }) => entries.get(k)?.value,
    ),
  ),
  value.map((v) =>
    move(
      'containsValue',
      (cache) => cache.containsValue(v),
      ({ entries }) => [...entries.values()].some((entry) => entry.value === v),
    ),
  ),
  key.map(overOf),
  key.map((k) =>
    move(
      `getWithLease ${k}`,
      async (cache) => {
        const { value: found, isLeaseAcquired } = await cache.getWithLease(k, LEASE_MS)
        return [found, isLeaseAcquired]
      },
      (model) => {
        const found = model.get(k)
        const isFree = !model.leases.has(k)
        if (found === undefined) model.leases.add(k)
        return [found, found === undefined && isFree]
      },
    ),
  ),
  fc.tuple(key, value, life).map(([k, v, l]) =>
    move(
      `putWithLease ${k}`,
      async (cache) => {
        const { leaseToken } = await cache.getWithLease(k, LEASE_MS)
        return leaseToken === undefined ? 'loaded' : await cache.putWithLease(k, v, leaseToken, l)
      },
      (model) => {
        if (model.get(k) !== undefined) return 'loaded'
        model.put(k, v, l)
        return true
      },
    ),
  ),
  key.map((k) =>
    move(
      `removeWithLease ${k}`,
      (cache) => cache.removeWithLease(k),
      ({ entries, leases }) => {
        leases.delete(k)
        return entries.delete(k)
      },
    ),
  ),
)

describe.each(topologies)('a map cache beside a model ($kind)', (topology) => {
  noLeaks(topology)
  const clients = twoClients(topology)
  const look = new CacheLook(topology)

  /** Removes the cache, and its leases. */
  const forget = async (cache: RMapCache<string, number>) => {
    for (const each of KEYS) await cache.removeWithLease(each)
    await cache.delete()
  }

  it.each([0, 2])('does the same for all operations, with a limit of %d', async (limit) => {
    await fc.assert(
      fc.asyncProperty(fc.array(moves, { maxLength: 25 }), async (sequence) => {
        const cache = clients.mine.getMapCache<string, number>(NAME)
        const model = new Model()
        await forget(cache)
        await cache.setMaxSize(limit)
        model.limitTo(limit)
        for (const { what, call, model: expected } of sequence) {
          expect(await call(cache, look), what).toEqual(expected(model))
          expect(await cache.size(), what).toBe(model.entries.size)
        }
        const entries = new Map([...model.entries].map(([k, entry]) => [k, entry.value]))
        expect(await cache.readAllMap()).toEqual(entries)
        expect(new Map(await allOf(cache))).toEqual(entries)
        for (const [k, entry] of model.entries) {
          const { ttlMs, maxIdleMs } = entry.life
          const left = await cache.remainTimeToLive(k)
          expect(left > 0).toBe(ttlMs !== undefined || maxIdleMs !== undefined)
        }
        await look.demandSound(NAME)
        await forget(cache)
      }),
      RUNS,
    )
    await look.forgetCleaning(NAME)
  })
})
