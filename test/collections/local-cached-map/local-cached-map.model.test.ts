import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { LocalCachedMapOptions, RedissonClient, RLocalCachedMap } from '../../../src/index.js'
import { twoClients } from '../../support/clients.js'
import { eventually } from '../../support/eventually.js'
import { noLeaks } from '../../support/no-leaks.js'
import { topologies } from '../../support/topologies.js'

/** How many sequences of calls are tried with each setting. */
const RUNS = { numRuns: 40 }

const NAME = 'local-model'

type Cached = RLocalCachedMap<string, number>

/** One call of a map, and what it does to the model. */
interface Move {
  readonly what: string
  readonly call: (map: Cached) => Promise<unknown>
  readonly model: (model: Map<string, number>) => unknown
}

const key = fc.constantFrom('a', 'b', 'ключ', '__proto__', '')
const value = fc.integer({ min: 0, max: 3 })

const move = (what: string, call: Move['call'], model: Move['model']): Move => ({ what, call, model })

/** Sets a value, and returns the one before. */
function put(model: Map<string, number>, k: string, v: number): number | undefined {
  const before = model.get(k)
  model.set(k, v)
  return before
}

const moves: fc.Arbitrary<Move> = fc.oneof(
  fc.tuple(key, value).map(([k, v]) =>
    move(
      `put ${k}`,
      (map) => map.put(k, v),
      (model) => put(model, k, v),
    ),
  ),
  fc.tuple(key, value).map(([k, v]) =>
    move(
      `fastPut ${k}`,
      (map) => map.fastPut(k, v),
      (model) => put(model, k, v) === undefined,
    ),
  ),
  fc.tuple(key, value).map(([k, v]) =>
    move(
      `putIfAbsent ${k}`,
      (map) => map.putIfAbsent(k, v),
      (model) => model.get(k) ?? put(model, k, v),
    ),
  ),
  fc.tuple(key, value).map(([k, v]) =>
    move(
      `replace ${k}`,
      (map) => map.replace(k, v),
      (model) => (model.has(k) ? put(model, k, v) : undefined),
    ),
  ),
  fc.tuple(key, value, value).map(([k, expected, v]) =>
    move(
      `replace ${k} if`,
      (map) => map.replace(k, expected, v),
      (model) => model.get(k) === expected && put(model, k, v) === expected,
    ),
  ),
  fc.tuple(key, value).map(([k, v]) =>
    move(
      `addAndGet ${k}`,
      (map) => map.addAndGet(k, v),
      (model) => {
        model.set(k, (model.get(k) ?? 0) + v)
        return model.get(k)
      },
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
  key.map((k) =>
    move(
      `get ${k}`,
      (map) => map.get(k),
      (model) => model.get(k),
    ),
  ),
  key.map((k) =>
    move(
      `containsKey ${k}`,
      (map) => map.containsKey(k),
      (model) => model.has(k),
    ),
  ),
  fc.array(key, { maxLength: 4 }).map((keys) =>
    move(
      `getAll ${keys.join()}`,
      (map) => map.getAll(keys),
      (model) => new Map(keys.flatMap((k) => (model.has(k) ? [[k, model.get(k)]] : []))),
    ),
  ),
  key.map((k) =>
    move(
      `compute ${k}`,
      (map) => map.compute(k, (_, before) => (before === undefined ? 1 : undefined)),
      (model) => {
        if (model.delete(k)) return undefined
        model.set(k, 1)
        return 1
      },
    ),
  ),
  fc.constant(
    move(
      'delete',
      (map) => map.delete(),
      (model) => {
        const isThere = model.size > 0
        model.clear()
        return isThere
      },
    ),
  ),
  fc.constant(
    move(
      'expire',
      (map) => map.expire(600_000),
      (model) => model.size > 0,
    ),
  ),
)

type Options = Omit<LocalCachedMapOptions<string, number>, 'reconnectionStrategy'>

const settings: readonly LocalCachedMapOptions<string, number>[] = [
  {},
  { syncStrategy: 'UPDATE' },
  { syncStrategy: 'UPDATE', storeCacheMiss: true, cacheSize: 2, evictionPolicy: 'LFU' },
  { storeCacheMiss: true, cacheSize: 2, evictionPolicy: 'LRU', reconnectionStrategy: 'LOAD' },
  { syncStrategy: 'NONE', storeCacheMiss: true },
]

/** A map cache has the methods of a map besides its own. */
const cacheOf = (client: RedissonClient, options: Options) =>
  client.getLocalCachedMapCache<string, number>(NAME, options) as unknown as Cached

describe.each(topologies)('a local cached map beside a model ($kind)', (topology) => {
  noLeaks(topology)
  const clients = twoClients(topology)

  it.each([
    ...settings.map((options) => ({ isCache: false, ...options })),
    ...settings.map(({ reconnectionStrategy: _, ...options }) => ({ isCache: true, ...options })),
  ])(
    'does the same for all operations, and so does another client at last: %j',
    async ({ isCache, ...options }) => {
      const make = (client: RedissonClient) =>
        isCache ? cacheOf(client, options) : client.getLocalCachedMap<string, number>(NAME, options)
      await fc.assert(
        fc.asyncProperty(fc.array(moves, { maxLength: 25 }), async (sequence) => {
          await using map = make(clients.mine)
          await using other = make(clients.other)
          const model = new Map<string, number>()
          await map.preloadCache()
          await other.preloadCache()
          for (const { what, call, model: expected } of sequence) {
            expect(await call(map), what).toEqual(expected(model))
            await other.get('a')
          }
          expect(await map.readAllMap()).toEqual(model)
          if (options.syncStrategy !== 'NONE')
            await eventually(async () => {
              expect(await other.getAll(['a', 'b', 'ключ', '__proto__', ''])).toEqual(model)
            })
          await map.delete()
        }),
        RUNS,
      )
    },
  )
})
