import type { RCache, RedissonClient, RLocalCachedMap, RLocalCachedMapCache } from '../../../src/index.js'
import type { CallArguments } from '../../history.js'
import type { Effect, Read } from './effects.js'
import {
  keyOf,
  REGISTERS,
  valueOf,
  valuesOf,
  type Caller,
  type DataMethod,
  type DataMethods,
  type Reply,
} from './method.js'
import { entryMethods, read, readAllMap, REPEATS, write } from './register-methods.js'

/** Objects that keep entries belong to a client, and all flows of it use the same ones. */
function kept<T>(make: (caller: Caller) => T): (caller: Caller) => T {
  const all = new WeakMap<RedissonClient, Map<string, T>>()
  return (caller) => {
    const { client, name } = caller
    const objects = all.get(client) ?? new Map<string, T>()
    all.set(client, objects)
    const object = objects.get(name) ?? make(caller)
    objects.set(name, object)
    return object
  }
}

/** Every second object of a round has other settings. */
function isSecond(name: string): boolean {
  return name.endsWith('-1')
}

const nearOf = kept<RLocalCachedMap<string, string>>(({ client, name }) =>
  client.getLocalCachedMap<string, string>(
    name,
    isSecond(name)
      ? { syncStrategy: 'UPDATE', reconnectionStrategy: 'LOAD', cacheSize: 2, evictionPolicy: 'LRU' }
      : { storeCacheMiss: true },
  ),
)

const nearCacheOf = kept<RLocalCachedMapCache<string, string>>(({ client, name }) =>
  client.getLocalCachedMapCache<string, string>(
    name,
    isSecond(name) ? { syncStrategy: 'UPDATE', cacheSize: 2, evictionPolicy: 'LFU' } : {},
  ),
)

/** How a call finds a map that keeps entries. */
type OpenNear = (caller: Caller) => RLocalCachedMap<string, string> | RLocalCachedMapCache<string, string>

/** Methods that find what is kept may find what another process has just replaced. */
function unheard(effects: readonly Effect[]): Effect[] {
  return effects.map((effect) => (effect.is === 'read' ? { ...effect, late: 'unheard' } : effect))
}

/** No method of such a map is in a batch. */
function near(method: DataMethod): DataMethod {
  return { ...method, alone: true }
}

function allNear(methods: DataMethods): DataMethods {
  return Object.fromEntries(Object.entries(methods).map(([name, method]) => [name, near(method)]))
}

function nearMethodsOf(open: OpenNear): DataMethods {
  return {
    ...allNear(entryMethods(open)),
    get: near({
      keys: REGISTERS,
      run: (caller) => open(caller).get(keyOf(caller.args)),
      effects: (args, reply) => unheard(readOf(args, reply)),
    }),
    getAgain: near({
      keys: REGISTERS,
      run: async (caller) => {
        await open(caller).get(keyOf(caller.args))
        return await open(caller).get(keyOf(caller.args))
      },
      effects: (args, reply) => unheard(readOf(args, reply)),
    }),
    getAll: near({
      run: async (caller) => [...(await open(caller).getAll(REGISTERS))],
      effects: (_, reply) => unheard(reply ? registersIn(reply) : []),
    }),
    readAllMap: near(readAllMap(open)),
  }
}

export const nearMethods = nearMethodsOf(nearOf)

/** The same for maps whose entries may end. None of these does. */
export const nearCacheMethods = nearMethodsOf(nearCacheOf)

function readOf(args: CallArguments, reply: Reply | undefined): Effect[] {
  return reply ? [read(keyOf(args), reply.result)] : []
}

function registersIn({ result }: Reply): Effect[] {
  const found = new Map(result as [string, string][])
  return REGISTERS.map((key) => read(key, found.get(key)))
}

/** All entries have it. */
const TAG = 'all'
const TTL_MS = 2_000
const LOCAL_TTL_MS = 300

interface KnownCache {
  readonly cache: RCache<string>
  /** Whether loaders are called without Redis. */
  isAlone: boolean
}

const knownCacheOf = kept<KnownCache>(({ client, name }) => {
  const cache = client.getCache<string>(name, {
    ttlMs: TTL_MS,
    jitter: 0.5,
    tags: [TAG],
    ...(isSecond(name) && { local: { maxEntries: 2, ttlMs: LOCAL_TTL_MS } }),
  })
  const known = { cache, isAlone: false }
  cache.on('redisDown', () => (known.isAlone = true)).on('redisUp', () => (known.isAlone = false))
  return known
})

function cacheOf(caller: Caller): RCache<string> {
  return knownCacheOf(caller).cache
}

/** What a call has found, and when it has called its loader. */
interface Found {
  readonly value: string
  readonly begunAt?: number
  readonly isAlone?: boolean
}

/** How long a loader takes. */
const LOAD_MS = 5

async function getOrLoad(caller: Caller): Promise<Found> {
  const { cache, isAlone } = knownCacheOf(caller)
  let begun: Omit<Found, 'value'> = {}
  const value = await cache.getOrLoad(keyOf(caller.args), async () => {
    begun = { begunAt: caller.now(), isAlone: isAlone || knownCacheOf(caller).isAlone }
    await new Promise((resolve) => setTimeout(resolve, LOAD_MS))
    return valueOf(caller.args)
  })
  return { value, ...begun }
}

/** A loader that was called without Redis serves calls that came later as well. */
function loaded(args: CallArguments, reply: Reply | undefined): Effect[] {
  if (reply === undefined) return [{ is: 'load', cell: keyOf(args), value: valueOf(args) }]
  const { value, begunAt, isAlone } = reply.result as Found
  return [
    foundLate(keyOf(args), value),
    ...(begunAt === undefined
      ? []
      : [
          {
            is: 'load' as const,
            cell: keyOf(args),
            value: valueOf(args),
            ...(isAlone !== true && { begunAt }),
          },
        ]),
  ]
}

function foundLate(cell: string, value: string): Read {
  return { is: 'read', cell, value, late: LOCAL_TTL_MS }
}

/** A cache may have nothing at any time. */
function foundIn(args: CallArguments, reply: Reply | undefined): Effect[] {
  const value = reply?.result as string | undefined
  return value === undefined ? [] : [foundLate(keyOf(args), value)]
}

const removed = (keys: readonly string[]): Effect[] => keys.map((key) => write(key, undefined))

/** Removes all entries, in whichever way. */
function removingAll(run: (cache: RCache<string>) => Promise<unknown>): DataMethod {
  return { ...REPEATS, alone: true, run: (caller) => run(cacheOf(caller)), effects: () => removed(REGISTERS) }
}

export const cacheMethods: DataMethods = {
  get: {
    alone: true,
    keys: REGISTERS,
    run: (caller) => cacheOf(caller).get(keyOf(caller.args)),
    effects: foundIn,
  },
  getOrLoad: { alone: true, keys: REGISTERS, values: 1, run: getOrLoad, effects: loaded },
  set: {
    ...REPEATS,
    alone: true,
    keys: REGISTERS,
    values: 1,
    run: (caller) => cacheOf(caller).set(keyOf(caller.args), valueOf(caller.args)),
    effects: (args) => [write(keyOf(args), valueOf(args))],
  },
  setMany: {
    ...REPEATS,
    alone: true,
    values: REGISTERS.length,
    run: ({ args, ...caller }) =>
      cacheOf({ args, ...caller }).setMany(
        REGISTERS.map((key, n) => [key, valuesOf(args)[n] ?? ''] as const),
      ),
    effects: (args) => REGISTERS.map((key, n) => write(key, valuesOf(args)[n])),
  },
  delete: {
    ...REPEATS,
    alone: true,
    keys: REGISTERS,
    run: (caller) => cacheOf(caller).delete(keyOf(caller.args)),
    effects: (args) => removed([keyOf(args)]),
  },
  deleteMany: removingAll((cache) => cache.deleteMany(REGISTERS)),
  deleteTag: removingAll((cache) => cache.deleteTag(TAG)),
  expireTag: removingAll((cache) => cache.expireTag(TAG)),
  clear: removingAll((cache) => cache.clear()),
  getMany: {
    alone: true,
    run: async (caller) => [...(await cacheOf(caller).getMany(REGISTERS))],
    effects: (_, reply) =>
      ((reply?.result ?? []) as [string, string][]).map(([key, value]) => foundLate(key, value)),
  },
}
