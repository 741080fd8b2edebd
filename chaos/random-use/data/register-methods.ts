import type { RMap } from '../../../src/index.js'
import type { CallArguments } from '../../history.js'
import { allSumsIn, mapSumMethods } from './counter-methods.js'
import type { Effect, Value } from './effects.js'
import {
  CLAIMS,
  keyOf,
  REGISTERS,
  valueOf,
  valuesOf,
  type Caller,
  type DataMethod,
  type DataMethods,
  type Reply,
} from './method.js'

export const REPEATS = { repeats: true } as const

/** A value that was found. */
export function read(cell: string, result: unknown): Effect {
  return { is: 'read', cell, value: result as string | undefined }
}

/** A value that was set, or removed. */
export function write(cell: string, value: string | undefined, before?: Value): Effect {
  return { is: 'write', cell, value, ...(before && { before }) }
}

const ABSENT: Value = { value: undefined }

function before({ result }: Reply): Value {
  return { value: result as string | undefined }
}

/** What a call writes, unless it returned false. */
function unlessFalse(of: (args: CallArguments) => Effect, facts: Omit<DataMethod, 'effects'>): DataMethod {
  return { ...facts, effects: (args, reply) => (reply?.result === false ? [] : [of(args)]) }
}

/** What a call sets that returns what was there before. */
function replacing(facts: Omit<DataMethod, 'effects'>): DataMethod {
  return {
    values: 1,
    ...facts,
    effects: (args, reply) => [write(keyOf(args), valueOf(args), reply && before(reply))],
  }
}

/** What a call removes that returns it. */
function removing(facts: Omit<DataMethod, 'effects'>): DataMethod {
  return {
    ...facts,
    effects: (args, reply) => {
      if (reply === undefined) return [write(keyOf(args), undefined)]
      return reply.result === undefined
        ? [read(keyOf(args), undefined)]
        : [write(keyOf(args), undefined, before(reply))]
    },
  }
}

/** What a call sets that finds what it expects. */
function expecting(
  value: (args: CallArguments) => string | undefined,
  facts: Omit<DataMethod, 'effects'>,
): DataMethod {
  return unlessFalse(
    (args) => write(keyOf(args), value(args), { value: args.expected as string | undefined }),
    { expects: 'get', ...facts },
  )
}

/** What a call sets if nothing is there, and returns what is. */
function claiming(facts: Omit<DataMethod, 'effects'>): DataMethod {
  return {
    values: 1,
    ...facts,
    effects: (args, reply) =>
      reply === undefined || reply.result === undefined || reply.result === valueOf(args)
        ? [write(keyOf(args), valueOf(args), reply && ABSENT)]
        : [read(keyOf(args), reply.result)],
  }
}

const NONE = () => undefined
const setsIfAbsent = (args: CallArguments) => write(keyOf(args), valueOf(args), ABSENT)
const sets = (args: CallArguments) => write(keyOf(args), valueOf(args))

export const bucketMethods: DataMethods = {
  get: {
    run: (caller) => bucketOf(caller).get(),
    effects: (_, reply) => (reply ? [read('', reply.result)] : []),
  },
  set: {
    ...unlessFalse(sets, { values: 1, run: (caller) => bucketOf(caller).set(valueOf(caller.args)) }),
    ...REPEATS,
  },
  setIfAbsent: unlessFalse(setsIfAbsent, {
    values: 1,
    run: (caller) => bucketOf(caller).setIfAbsent(valueOf(caller.args)),
  }),
  setIfExists: unlessFalse(sets, {
    ...REPEATS,
    values: 1,
    run: (caller) => bucketOf(caller).setIfExists(valueOf(caller.args)),
  }),
  getAndSet: replacing({ run: (caller) => bucketOf(caller).getAndSet(valueOf(caller.args)) }),
  getAndDelete: removing({ run: (caller) => bucketOf(caller).getAndDelete() }),
  delete: unlessFalse((args) => write(keyOf(args), undefined), {
    ...REPEATS,
    run: (caller) => bucketOf(caller).delete(),
  }),
  compareAndSet: expecting(valueOf, {
    values: 1,
    run: (caller) =>
      bucketOf(caller).compareAndSet(caller.args.expected as string | undefined, valueOf(caller.args)),
  }),
}

function bucketOf({ source, name, options }: Caller) {
  return source.getBucket<string>(name, options)
}

/** The name of one of several buckets in one slot. */
function nameIn({ name }: Pick<Caller, 'name'>, key: string): string {
  return name.includes('{') ? `${name}:${key}` : `{${name}}:${key}`
}

export const bucketsMethods: DataMethods = {
  get: {
    run: (caller) => valuesIn(caller, REGISTERS),
    effects: (_, reply) => (reply ? readsOf(REGISTERS, reply) : []),
  },
  readAll: {
    run: (caller) => valuesIn(caller, [...REGISTERS, ...CLAIMS]),
    effects: (_, reply) => (reply ? readsOf([...REGISTERS, ...CLAIMS], reply) : []),
  },
  set: {
    ...REPEATS,
    values: REGISTERS.length,
    run: (caller) =>
      bucketsOf(caller).set(pairs(caller.args).map(([key, value]) => [nameIn(caller, key), value] as const)),
    effects: (args) => REGISTERS.map((key, n) => write(key, valuesOf(args)[n])),
  },
  trySet: unlessFalse(setsIfAbsent, {
    keys: CLAIMS,
    values: 1,
    run: (caller) => bucketsOf(caller).trySet([[nameIn(caller, keyOf(caller.args)), valueOf(caller.args)]]),
  }),
}

/** The values of a call, one for each register. */
function pairs(args: CallArguments): (readonly [string, string])[] {
  return REGISTERS.map((key, n) => [key, valuesOf(args)[n] ?? ''] as const)
}

function bucketsOf({ source, options }: Caller) {
  return source.getBuckets<string>(options)
}

async function valuesIn(caller: Caller, keys: readonly string[]): Promise<(string | null)[]> {
  const names = keys.map((key) => nameIn(caller, key))
  const found = await bucketsOf(caller).get(...names)
  return names.map((name) => found.get(name) ?? null)
}

function readsOf(keys: readonly string[], { result }: Reply): Effect[] {
  return keys.map((key, n) => read(key, (result as (string | null)[])[n] ?? undefined))
}

const ANY = [...REGISTERS, ...REGISTERS, ...CLAIMS]

/** How a call finds its map. */
export type OpenMap = (
  caller: Caller,
) => Pick<
  RMap<string, string>,
  | 'get'
  | 'put'
  | 'fastPut'
  | 'putAll'
  | 'putIfAbsent'
  | 'fastPutIfAbsent'
  | 'putIfExists'
  | 'fastPutIfExists'
  | 'replace'
  | 'remove'
  | 'fastRemove'
  | 'computeIfAbsent'
  | 'compute'
  | 'readAllMap'
>

/** Methods of maps that are about entries. */
export function entryMethods(mapOf: OpenMap): DataMethods {
  return {
    get: {
      keys: ANY,
      run: (caller) => mapOf(caller).get(keyOf(caller.args)),
      effects: (args, reply) => (reply ? [read(keyOf(args), reply.result)] : []),
    },
    put: replacing({
      keys: REGISTERS,
      run: (caller) => mapOf(caller).put(keyOf(caller.args), valueOf(caller.args)),
    }),
    fastPut: {
      ...REPEATS,
      keys: REGISTERS,
      values: 1,
      run: (caller) => mapOf(caller).fastPut(keyOf(caller.args), valueOf(caller.args)),
      effects: (args, reply) => [reply?.result === true ? setsIfAbsent(args) : sets(args)],
    },
    putAll: {
      ...REPEATS,
      values: REGISTERS.length,
      run: (caller) => mapOf(caller).putAll(pairs(caller.args)),
      effects: (args) => REGISTERS.map((key, n) => write(key, valuesOf(args)[n])),
    },
    putIfAbsent: claiming({
      keys: CLAIMS,
      run: (caller) => mapOf(caller).putIfAbsent(keyOf(caller.args), valueOf(caller.args)),
    }),
    fastPutIfAbsent: unlessFalse(setsIfAbsent, {
      keys: CLAIMS,
      values: 1,
      run: (caller) => mapOf(caller).fastPutIfAbsent(keyOf(caller.args), valueOf(caller.args)),
    }),
    computeIfAbsent: claiming({
      alone: true,
      keys: CLAIMS,
      run: (caller) => mapOf(caller).computeIfAbsent(keyOf(caller.args), () => valueOf(caller.args)),
    }),
    putIfExists: {
      keys: REGISTERS,
      values: 1,
      run: (caller) => mapOf(caller).putIfExists(keyOf(caller.args), valueOf(caller.args)),
      effects: (args, reply) =>
        reply !== undefined && reply.result === undefined
          ? [read(keyOf(args), undefined)]
          : [write(keyOf(args), valueOf(args), reply && before(reply))],
    },
    fastPutIfExists: unlessFalse(sets, {
      ...REPEATS,
      keys: REGISTERS,
      values: 1,
      run: (caller) => mapOf(caller).fastPutIfExists(keyOf(caller.args), valueOf(caller.args)),
    }),
    replace: expecting(valueOf, {
      keys: REGISTERS,
      values: 1,
      run: (caller) =>
        caller.args.expected === undefined
          ? Promise.resolve(false)
          : mapOf(caller).replace(keyOf(caller.args), String(caller.args.expected), valueOf(caller.args)),
    }),
    remove: removing({ keys: REGISTERS, run: (caller) => mapOf(caller).remove(keyOf(caller.args)) }),
    removeIf: expecting(NONE, {
      keys: REGISTERS,
      run: (caller) =>
        caller.args.expected === undefined
          ? Promise.resolve(false)
          : mapOf(caller).remove(keyOf(caller.args), String(caller.args.expected)),
    }),
    fastRemove: {
      keys: REGISTERS,
      run: (caller) => mapOf(caller).fastRemove(keyOf(caller.args)),
      effects: (args, reply) =>
        reply?.result === 0 ? [read(keyOf(args), undefined)] : [write(keyOf(args), undefined)],
    },
    compute: {
      alone: true,
      keys: REGISTERS,
      values: 1,
      run: async (caller) => {
        let found: string | undefined
        await mapOf(caller).compute(keyOf(caller.args), (_, value) => {
          found = value
          return valueOf(caller.args)
        })
        return found
      },
      effects: (args, reply) => [write(keyOf(args), valueOf(args), reply && before(reply))],
    },
  }
}

/** Reads all entries. */
export function readAllMap(open: OpenMap): DataMethod {
  return {
    run: async (caller) => [...(await open(caller).readAllMap())],
    effects: (_, reply) => {
      if (reply === undefined) return []
      const found = new Map(reply.result as [string, unknown][])
      return [...REGISTERS, ...CLAIMS].map((key) => read(key, found.get(key)))
    },
  }
}

const readsMap = readAllMap(mapOf)

export const mapMethods: DataMethods = {
  ...mapSumMethods,
  ...entryMethods(mapOf),
  readAllMap: {
    ...readsMap,
    effects: (args, reply) => [
      ...(reply === undefined ? [] : allSumsIn(new Map(reply.result as [string, unknown][]))),
      ...readsMap.effects(args, reply),
    ],
  },
}

function mapOf({ source, name, options }: Caller) {
  return source.getMap<string, string>(name, options)
}
