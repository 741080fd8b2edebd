import type { CallArguments } from '../../history.js'
import type { Addition, Effect } from './effects.js'
import {
  byOf,
  keyOf,
  SUMS,
  type Caller,
  type DataMethod,
  type DataMethods,
  type Reply,
  type Run,
} from './method.js'

/** Adds, and returns the number afterwards. */
function adding(
  run: Run,
  { by = byOf, after = (result) => result, cell = keyOf, ...facts }: AddingFacts = {},
): DataMethod {
  return {
    ...facts,
    run,
    effects: (args, reply) => [
      additionOf(cell(args), by(args), reply && after(Number(reply.result), by(args))),
    ],
  }
}

interface AddingFacts extends Partial<DataMethod> {
  readonly by?: (args: CallArguments) => number
  /** The number afterwards by the result. */
  readonly after?: (result: number, by: number) => number
  readonly cell?: (args: CallArguments) => string
}

function additionOf(cell: string, by: number, after: number | undefined): Addition {
  return { is: 'addition', cell, by, ...(after !== undefined && { after }) }
}

const ONE = () => 1
const BEFORE = { after: (result: number, by: number) => result + by }

function countOf(cell: string, { result }: Reply): Effect {
  return { is: 'count', cell, value: Number(result ?? 0) }
}

function reading(run: Run, facts: Partial<DataMethod> = {}): DataMethod {
  return { ...facts, run, effects: (args, reply) => (reply ? [countOf(keyOf(args), reply)] : []) }
}

type Counter = (caller: Caller) => {
  get(): Promise<number>
  incrementAndGet(): Promise<number>
  getAndIncrement(): Promise<number>
  addAndGet(by: number): Promise<number>
  getAndAdd(by: number): Promise<number>
  compareAndSet(expected: number, value: number): Promise<boolean>
}

function counterMethods(of: Counter): DataMethods {
  return {
    get: reading((caller) => of(caller).get()),
    incrementAndGet: adding((caller) => of(caller).incrementAndGet(), { by: ONE }),
    getAndIncrement: adding((caller) => of(caller).getAndIncrement(), { ...BEFORE, by: ONE }),
    addAndGet: adding((caller) => of(caller).addAndGet(byOf(caller.args)), { adds: true }),
    getAndAdd: adding((caller) => of(caller).getAndAdd(byOf(caller.args)), { ...BEFORE, adds: true }),
    compareAndSet: {
      adds: true,
      expects: 'get',
      run: (caller) =>
        of(caller).compareAndSet(expectedIn(caller.args), expectedIn(caller.args) + byOf(caller.args)),
      effects: (args, reply) =>
        reply?.result === false ? [] : [additionOf('', byOf(args), reply && expectedIn(args) + byOf(args))],
    },
  }
}

function expectedIn({ expected = 0 }: CallArguments): number {
  return Number(expected)
}

export const longMethods = counterMethods(({ source, name, options }) => source.getAtomicLong(name, options))

export const doubleMethods = counterMethods(({ source, name, options }) =>
  source.getAtomicDouble(name, options),
)

export const idMethods: DataMethods = {
  nextId: {
    alone: true,
    run: ({ client, name, options }) => client.getIdGenerator(name, options).nextId(),
    effects: (_, reply) => (reply ? [{ is: 'id', value: Number(reply.result) }] : []),
  },
}

export const adderMethods: DataMethods = {
  add: {
    alone: true,
    adds: true,
    run: ({ client, name, args }) => {
      client.getLongAdder(name).add(byOf(args))
      return Promise.resolve()
    },
    effects: (args) => [{ is: 'tally', by: byOf(args) }],
  },
  sum: {
    alone: true,
    run: ({ client, name }) => client.getLongAdder(name).sum(),
    effects: (_, reply) => (reply ? [{ is: 'sum', value: Number(reply.result) }] : []),
  },
}

/** The entries of a map that are numbers. */
export const mapSumMethods: DataMethods = {
  getSum: reading((caller) => numbersOf(caller).get(keyOf(caller.args)), { keys: SUMS }),
  addAndGet: adding((caller) => numbersOf(caller).addAndGet(keyOf(caller.args), byOf(caller.args)), {
    keys: SUMS,
    adds: true,
  }),
  computeSum: adding(
    ({ client, name, options, args }) =>
      client
        .getMap<string, number>(name, options)
        .compute(keyOf(args), (_, before = 0) => before + byOf(args)),
    { keys: SUMS, adds: true, alone: true },
  ),
  mergeSum: adding(
    ({ client, name, options, args }) =>
      client
        .getMap<string, number>(name, options)
        .merge(keyOf(args), byOf(args), (before, by) => before + by),
    { keys: SUMS, adds: true, alone: true },
  ),
}

function numbersOf({ source, name, options }: Caller) {
  return source.getMap<string, number>(name, options)
}

/** Values of a sorted set whose scores are added to. */
export const scoreMethods: DataMethods = {
  getScore: reading((caller) => scoresOf(caller).getScore(keyOf(caller.args)), { keys: SUMS }),
  addScore: adding((caller) => scoresOf(caller).addScore(keyOf(caller.args), byOf(caller.args)), {
    keys: SUMS,
    adds: true,
  }),
  readAllEntries: {
    run: (caller) => scoresOf(caller).readAllEntries(),
    effects: (_, reply) => (reply ? allSumsIn(new Map(reply.result as [string, number][])) : []),
  },
}

function scoresOf({ source, name, options }: Caller) {
  return source.getScoredSortedSet<string>(name, options)
}

export function allSumsIn(numbers: ReadonlyMap<string, unknown>): Effect[] {
  return SUMS.map((key) => countOf(key, { result: numbers.get(key) }))
}
