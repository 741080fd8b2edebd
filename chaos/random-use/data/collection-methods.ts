import type { CallArguments } from '../../history.js'
import { GaveUp } from '../gave-up.js'
import type { Effect } from './effects.js'
import {
  valueOf,
  valuesOf,
  type Caller,
  type DataMethod,
  type DataMethods,
  type Reply,
  type Run,
} from './method.js'

const REPEATS = { repeats: true } as const

type Facts = Omit<DataMethod, 'effects'>

/** Adds new elements. The reply is wrong if it says that they were there. */
function putting(
  facts: Facts,
  { atEnd = false, unless = false }: { atEnd?: boolean; unless?: unknown } = {},
): DataMethod {
  return {
    values: 1,
    ...facts,
    effects: (args, reply) => {
      const put: Effect = { is: 'put', elements: valuesOf(args), atEnd }
      if (reply === undefined || reply.result !== unless) return [put]
      return [put, { is: 'wrong', what: `returned ${String(unless)} for new elements` }]
    },
  }
}

/** Removes an element. Returns whether it was there. */
function removing(facts: Facts): DataMethod {
  return {
    element: true,
    ...facts,
    effects: (args, reply) =>
      reply?.result === false
        ? [{ is: 'absent', element: valueOf(args) }]
        : [{ is: 'take', elements: valuesOf(args), most: 1 }],
  }
}

/** Removes elements, and returns them. */
function taking(most: number, facts: Facts, elementsIn: (result: unknown) => readonly string[]): DataMethod {
  return {
    ...facts,
    effects: (_, reply) => {
      if (reply === undefined) return [{ is: 'take', most }]
      const elements = elementsIn(reply.result)
      return [{ is: 'take', elements, most: elements.length }]
    },
  }
}

function containing(facts: Facts): DataMethod {
  return {
    element: true,
    ...facts,
    effects: (args, reply) =>
      reply === undefined
        ? []
        : [{ is: reply.result === true ? 'contained' : 'absent', element: valueOf(args) }],
  }
}

function looking(run: Run): DataMethod {
  return { run, effects: (_, reply) => (reply ? [{ is: 'look', elements: reply.result as string[] }] : []) }
}

const one = (result: unknown): string[] => (result === undefined ? [] : [result as string])
const many = (result: unknown): string[] => result as string[]

export const setMethods: DataMethods = {
  add: putting({ ...REPEATS, run: (caller) => setOf(caller).add(valueOf(caller.args)) }),
  addAll: putting({ ...REPEATS, values: 3, run: (caller) => setOf(caller).addAll(valuesOf(caller.args)) }),
  addAllCounted: putting(
    { values: 2, run: (caller) => setOf(caller).addAllCounted(valuesOf(caller.args)) },
    { unless: 0 },
  ),
  tryAdd: putting({ values: 2, run: (caller) => setOf(caller).tryAdd(...valuesOf(caller.args)) }),
  remove: removing({ ...REPEATS, run: (caller) => setOf(caller).remove(valueOf(caller.args)) }),
  removeRandom: taking(1, { run: (caller) => setOf(caller).removeRandom() }, one),
  removeSeveral: taking(3, { run: (caller) => setOf(caller).removeRandom(3) }, many),
  contains: containing({ run: (caller) => setOf(caller).contains(valueOf(caller.args)) }),
  readAll: looking((caller) => setOf(caller).readAll()),
}

function setOf({ source, name, options }: Caller) {
  return source.getSet<string>(name, options)
}

export const listMethods: DataMethods = {
  add: putting({ run: (caller) => listOf(caller).add(valueOf(caller.args)) }, { atEnd: true }),
  addAll: putting(
    { values: 3, run: (caller) => listOf(caller).addAll(valuesOf(caller.args)) },
    { atEnd: true },
  ),
  addFirst: putting({ run: (caller) => listOf(caller).add(0, valueOf(caller.args)) }),
  remove: removing({ run: (caller) => listOf(caller).remove(valueOf(caller.args)) }),
  removeAt: taking(1, { run: (caller) => listOf(caller).removeAt(0) }, one),
  removeLast: taking(1, { run: (caller) => listOf(caller).removeAt(-1) }, one),
  fastRemove: {
    run: (caller) => listOf(caller).fastRemove(0),
    effects: (_, reply) => (reply?.result === false ? [] : [{ is: 'take', most: 1 }]),
  },
  contains: containing({ run: (caller) => listOf(caller).contains(valueOf(caller.args)) }),
  readAll: looking((caller) => listOf(caller).readAll()),
}

function listOf({ source, name, options }: Caller) {
  return source.getList<string>(name, options)
}

/** How long a call waits for an element, in milliseconds. */
const PATIENCE_MS = 30

/** When a call is given up that would wait for longer. */
const GIVEN_UP_MS = 5

export const blockingMethods: DataMethods = {
  offer: putting({ run: (caller) => queueOf(caller).offer(valueOf(caller.args)) }, { atEnd: true }),
  addAll: putting(
    { values: 3, run: (caller) => queueOf(caller).addAll(valuesOf(caller.args)) },
    { atEnd: true },
  ),
  poll: taking(1, { run: (caller) => queueOf(caller).poll() }, one),
  pollSeveral: taking(3, { run: (caller) => queueOf(caller).poll(3) }, many),
  pollWaiting: taking(
    1,
    { alone: true, run: (caller) => blockingOf(caller).poll({ waitMs: PATIENCE_MS }) },
    one,
  ),
  pollSeveralWaiting: taking(
    3,
    { alone: true, run: (caller) => blockingOf(caller).poll(3, { waitMs: PATIENCE_MS }) },
    many,
  ),
  takeOrGiveUp: taking(1, { alone: true, run: takeOrGiveUp }, one),
  remove: removing({ run: (caller) => queueOf(caller).remove(valueOf(caller.args)) }),
  contains: containing({ run: (caller) => queueOf(caller).contains(valueOf(caller.args)) }),
  readAll: looking((caller) => queueOf(caller).readAll()),
}

function queueOf({ source, name, options }: Caller) {
  return source.getQueue<string>(name, options)
}

function blockingOf({ client, name, options }: Caller) {
  return client.getBlockingQueue<string>(name, options)
}

async function takeOrGiveUp(caller: Caller): Promise<string> {
  const end = new AbortController()
  const timer = setTimeout(() => end.abort(new GaveUp('at once')), GIVEN_UP_MS)
  try {
    return await blockingOf(caller).take({ signal: end.signal })
  } finally {
    clearTimeout(timer)
  }
}

export const sortedMethods: DataMethods = {
  add: putting({
    ...REPEATS,
    run: (caller) => sortedOf(caller).add(scoreOf(valueOf(caller.args)), valueOf(caller.args)),
  }),
  addIfAbsent: putting({
    run: (caller) => sortedOf(caller).addIfAbsent(scoreOf(valueOf(caller.args)), valueOf(caller.args)),
  }),
  addAll: putting(
    { values: 3, run: (caller) => sortedOf(caller).addAll(entriesIn(caller.args)) },
    { unless: 0 },
  ),
  remove: removing({ ...REPEATS, run: (caller) => sortedOf(caller).remove(valueOf(caller.args)) }),
  pollFirst: taking(1, { run: (caller) => sortedOf(caller).pollFirst() }, one),
  pollLast: taking(1, { run: (caller) => sortedOf(caller).pollLast() }, one),
  pollFirstEntries: withScores(
    taking(3, { run: (caller) => sortedOf(caller).pollFirstEntries(3) }, valuesIn),
  ),
  contains: containing({ run: (caller) => sortedOf(caller).contains(valueOf(caller.args)) }),
  readAllEntries: withScores({
    run: (caller) => sortedOf(caller).readAllEntries(),
    effects: (_, reply) => (reply ? [{ is: 'look', elements: valuesIn(reply.result) }] : []),
  }),
}

function sortedOf({ source, name, options }: Caller) {
  return source.getScoredSortedSet<string>(name, options)
}

/** The score of an element is the number at the end of its name. */
function scoreOf(element: string): number {
  return Number(/\d+$/.exec(element)?.[0] ?? 0)
}

function entriesIn(args: CallArguments): [string, number][] {
  return valuesOf(args).map((value) => [value, scoreOf(value)])
}

function valuesIn(result: unknown): string[] {
  return (result as [string, number][]).map(([value]) => value)
}

/** Demands that entries have the scores that they were given, and are in their order. */
function withScores(method: DataMethod): DataMethod {
  return {
    ...method,
    effects: (args, reply) => [...method.effects(args, reply), ...(reply ? wrongScores(reply) : [])],
  }
}

function wrongScores({ result }: Reply): Effect[] {
  const entries = result as [string, number][]
  return entries.flatMap(([value, score], n): Effect[] => {
    const before = entries[n - 1]?.[1] ?? -Infinity
    if (score === scoreOf(value) && before <= score) return []
    return [{ is: 'wrong', what: `returned the score ${String(score)} of ${value} behind ${String(before)}` }]
  })
}
