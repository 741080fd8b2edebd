import type { Cell } from '../cell.js'
import type { CallSample } from '../client/tasks/call.js'
import { BATCH, MANY_VALUES, type PlanName } from '../client/tasks/plans.js'
import type { PublishTask } from '../client/tasks/publish.js'
import type { ValueKind } from '../contenders/contender.js'
import { plainIoredis } from '../contenders/plain-ioredis.js'
import type { Figures, Outcome } from '../outcome.js'
import { takeTurns } from '../take-turns.js'
import { summaryOf } from './summary.js'
import { atMost, atMostOfFloorIn, ofFloorIn, timesBestPeer } from './targets.js'
import type { Column, Measurement, Target, Workload } from './workload.js'

/** How many call at the same time where one does not call alone. */
const MANY = 100

const ALONE = 0.95
const MESSAGES = 0.9
const BATCHES = 0.9
const MANY_AT_ONCE = 0.9
/** Of the latency of a raw BLPOP. */
const HAND_OFF = 1 / 1.3
/** Of the same script that ioredis sends. */
const SAME_SCRIPT = 0.9
/** Of `lru-cache` alone, of which each call is awaited. */
const IN_MEMORY = 0.25
const BENTO_CACHE = { who: 'BentoCache', admit: (name: string) => name === 'BentoCache' }
const BULL_MQ = { who: 'BullMQ', admit: (name: string) => name === 'BullMQ' }

export const bucket = ofValues('bucket', {
  title: `buckets of a value of 80 bytes: set and get, by one caller and by ${String(MANY)}`,
  measured: [
    calls('bucket.set', { title: 'set/s, 1', callers: 1, least: ALONE }),
    calls('bucket.get', { title: 'get/s, 1', callers: 1, least: ALONE }),
    calls('bucket.set', { title: `set/s, ${String(MANY)}`, callers: MANY, least: 1 }),
    calls('bucket.get', { title: `get/s, ${String(MANY)}`, callers: MANY, least: 1 }),
  ],
})

export const counter = ofValues('counter', {
  title: `one number that is incremented, by one caller and by ${String(MANY)}`,
  measured: [
    calls('counter.increment', { title: 'increments/s, 1', callers: 1, least: ALONE }),
    calls('counter.increment', { title: `increments/s, ${String(MANY)}`, callers: MANY, least: 1 }),
  ],
})

export const map = ofValues('map', {
  title: `one map with values of 80 bytes: puts without and with the value that was there, and gets, by one caller and by ${String(MANY)}`,
  measured: [
    calls('map.fastPut', { title: 'fastPut/s, 1', callers: 1, least: ALONE }),
    calls('map.put', { title: 'put/s, 1', callers: 1, least: ALONE }),
    calls('map.get', { title: 'get/s, 1', callers: 1, least: ALONE }),
    calls('map.fastPut', { title: `fastPut/s, ${String(MANY)}`, callers: MANY, least: 0.9 }),
    calls('map.put', { title: `put/s, ${String(MANY)}`, callers: MANY, least: 0.9 }),
    calls('map.get', { title: `get/s, ${String(MANY)}`, callers: MANY, least: 0.9 }),
  ],
})

export const list = ofValues('list', {
  title: `one list with values of 80 bytes: adds at its end, gets, and sets with the value that was there, by one caller and by ${String(MANY)}`,
  measured: [
    calls('list.add', { title: 'add/s, 1', callers: 1, least: ALONE }),
    calls('list.get', { title: 'get/s, 1', callers: 1, least: ALONE }),
    calls('list.set', { title: 'set/s, 1', callers: 1, least: ALONE }),
    calls('list.add', { title: `add/s, ${String(MANY)}`, callers: MANY, least: 0.9 }),
    calls('list.get', { title: `get/s, ${String(MANY)}`, callers: MANY, least: 0.9 }),
    calls('list.set', { title: `set/s, ${String(MANY)}`, callers: MANY, least: 0.9 }),
  ],
})

export const set = ofValues('set', {
  title: `one set of values of 80 bytes: add, contains and remove, by one caller and by ${String(MANY)}`,
  measured: [
    calls('set.add', { title: 'add/s, 1', callers: 1, least: ALONE }),
    calls('set.contains', { title: 'contains/s, 1', callers: 1, least: ALONE }),
    calls('set.remove', { title: 'remove/s, 1', callers: 1, least: ALONE }),
    calls('set.add', { title: `add/s, ${String(MANY)}`, callers: MANY, least: 0.9 }),
    calls('set.contains', { title: `contains/s, ${String(MANY)}`, callers: MANY, least: 0.9 }),
    calls('set.remove', { title: `remove/s, ${String(MANY)}`, callers: MANY, least: 0.9 }),
  ],
})

export const sortedSet = ofValues('sorted-set', {
  title: `one sorted set of texts: scores that are given and added to, and ranks, by one caller and by ${String(MANY)}`,
  measured: [
    calls('sorted-set.add', { title: 'add/s, 1', callers: 1, least: ALONE }),
    calls('sorted-set.addScore', { title: 'addScore/s, 1', callers: 1, least: ALONE }),
    calls('sorted-set.rank', { title: 'rank/s, 1', callers: 1, least: ALONE }),
    calls('sorted-set.add', { title: `add/s, ${String(MANY)}`, callers: MANY, least: 0.9 }),
    calls('sorted-set.addScore', { title: `addScore/s, ${String(MANY)}`, callers: MANY, least: 0.9 }),
    calls('sorted-set.rank', { title: `rank/s, ${String(MANY)}`, callers: MANY, least: 0.9 }),
  ],
})

export const bloomFilter = ofValues('bloom-filter', {
  title: `a Bloom filter for 1 000 000 values at 1 %: calls with ${String(BATCH)} ids each`,
  measured: [
    calls('bloom-filter.addAll', { title: 'addAll/s', callers: 1, least: MANY_AT_ONCE }),
    calls('bloom-filter.countContained', { title: 'countContained/s', callers: 1, least: MANY_AT_ONCE }),
  ],
})

export const manyValues = ofValues('map', {
  name: 'many-values',
  title: `a map of ${String(MANY_VALUES)} values of 80 bytes that one call reads`,
  measured: [upTo(2, calls('map.getAll', { title: 'getAll/s', callers: 1, least: 1 / 1.25 }))],
})

export const topic = ofValues('topic', {
  title: `messages of 80 bytes from publish() to a listener of the same process: one at a time, and ${String(MANY)} under way`,
  measured: [latency('topic', MESSAGES), messages('topic')],
})

export const blockingQueue = ofValues('blocking-queue', {
  title: `elements of 80 bytes from offer() to a loop of the same process that waits for them: one at a time, and ${String(MANY)} under way`,
  measured: [latency('blockingQueue', HAND_OFF), messages('blockingQueue')],
})

export const reliableQueue = ofValues('reliable-queue', {
  title: `jobs of 80 bytes: from the call that adds one to a worker of the same process, one at a time and ${String(MANY)} under way; ${String(MANY)} callers that add, and calls that add ${String(BATCH)} at once. The floor is a list without acknowledgements`,
  measured: [
    { ...messages('reliableQueue'), targets: [timesBestPeer(1), timesBestPeer(2, BULL_MQ)] },
    { ...latency('reliableQueue', HAND_OFF), targets: [] },
    {
      ...calls('reliable-queue.publish', { title: `adds/s, ${String(MANY)}`, callers: MANY, least: 0 }),
      targets: [],
    },
    { ...calls('reliable-queue.publishAll', { title: 'bulks/s', callers: 1, least: 0 }), targets: [] },
  ],
})

export const stream = ofValues('stream', {
  title: `messages of 80 bytes from add() to a consumer of the same process that acknowledges them: one at a time, and ${String(MANY)} under way`,
  measured: [
    latency('stream', MESSAGES),
    {
      ...messages('stream'),
      targets: [ofFloorIn(comparedTo('messages', `messages/s, ${String(MANY)}`), MESSAGES)],
    },
  ],
})

export const cache = ofValues('cache', {
  title:
    'values of 80 bytes that were loaded before: from memory, and from Redis where memory has room for one. The floor is `lru-cache` and GET',
  measured: [
    {
      ...calls('cache.hit', { title: 'from memory/s, 1', callers: 1, least: IN_MEMORY }),
      targets: [
        ofFloorIn(comparedTo('cache.hit 1', 'from memory/s, 1'), IN_MEMORY),
        timesBestPeer(2, BENTO_CACHE),
        timesBestPeer(1),
      ],
    },
    calls('cache.miss', { title: 'from Redis/s, 1', callers: 1, least: MESSAGES }),
    calls('cache.miss', { title: `from Redis/s, ${String(MANY)}`, callers: MANY, least: MESSAGES }),
  ],
})

const refusals = calls('key-limits.refusal', {
  title: `refusals/s, ${String(MANY)}`,
  callers: MANY,
  least: SAME_SCRIPT,
})

export const keyLimits = ofValues('key-limits', {
  title: `one limit for each of ${String(BATCH)} keys: calls that are refused and calls that are granted, by ${String(MANY)} callers and by one. The floor is the same script`,
  measured: [
    { ...refusals, targets: [...refusals.targets, timesBestPeer(1)] },
    calls('key-limits.refusal', { title: 'refusals/s, 1', callers: 1, least: SAME_SCRIPT }),
    calls('key-limits.grant', { title: `grants/s, ${String(MANY)}`, callers: MANY, least: SAME_SCRIPT }),
    calls('key-limits.grant', { title: 'grants/s, 1', callers: 1, least: SAME_SCRIPT }),
  ],
})

export const batch = ofValues('bucket', {
  name: 'batch',
  ownProcesses: true,
  title: `batches of ${String(BATCH)} operations: buckets and a map that are written and read in turn, and increments of one number`,
  measured: [
    batches('bucket.batch', 'buckets, batches/s'),
    batches('map.batch', 'map, batches/s'),
    batches('counter.batch', 'increments, batches/s'),
  ],
})

type Over = NonNullable<PublishTask['over']>

/** A measurement, how it is shown, and what it is to reach. */
interface Measured {
  readonly measurement: Measurement
  readonly column: Column
  readonly targets: readonly Target[]
}

interface ValuePlan {
  /**
   * What it is called.
   *
   * @defaultValue the kind of its objects
   */
  readonly name?: string
  readonly title: string
  readonly measured: readonly Measured[]
  /** @defaultValue false */
  readonly ownProcesses?: boolean
}

/** What objects of a kind cost beside the commands that they need. */
function ofValues(
  kind: ValueKind,
  { name = kind, title, measured, ownProcesses = false }: ValuePlan,
): Workload {
  const [first] = measured
  const measurements = measured.map(({ measurement }) => measurement)
  return {
    name,
    title,
    kind,
    floor: plainIoredis,
    columns: measured.map(({ column }) => column),
    ranking: { key: first?.column.key ?? '', better: 'higher' },
    targets: measured.flatMap(({ targets }) => targets),
    measurements,
    ownProcesses,
    run: (cell) => runAlone(cell, measurements),
  }
}

/** All measurements of one contender, without another beside it; the result of the last turn. */
async function runAlone(cell: Cell, measurements: readonly Measurement[]): Promise<Outcome> {
  const [results = []] = await takeTurns([cell], measurements)
  const last = results.at(-1)
  if (last === undefined || 'failure' in last) throw new Error(last?.failure)
  return last
}

interface CallPlan {
  readonly title: string
  readonly callers: number
  readonly least: number
}

/** How often a call is made in a second. */
function calls(plan: PlanName, { title, callers, least }: CallPlan): Measured {
  const column = comparedTo(`${plan} ${String(callers)}`, title)
  return {
    measurement: {
      run: async (client, forMs) =>
        outcomeOf(column.key, await client.perform('call', { plan, callers, forMs })),
    },
    column,
    targets: [ofFloorIn(column, least), oneCommandIn(column)],
  }
}

/** How many batches are sent in a second, one after the other. */
function batches(plan: PlanName, title: string): Measured {
  return upTo(BATCH, calls(plan, { title, callers: 1, least: BATCHES }))
}

/** The same with several commands for each call. */
function upTo(commands: number, { measurement, column, targets: [ofFloor] }: Measured): Measured {
  const { key, title } = column
  const tooMany = atMost(
    commands,
    `commands for each in ${title}`,
    (figures) => figures[commandsOf(key)] ?? NaN,
  )
  return { measurement, column, targets: ofFloor ? [ofFloor, tooMany] : [tooMany] }
}

/** How long a message takes that is alone on its way. */
function latency(over: Over, least: number): Measured {
  const column = { ...comparedTo('p50', 'p50 ms'), digits: 3 }
  return {
    measurement: {
      run: async (client, forMs) => {
        const sample = await client.perform('publish', { publishers: 1, over, forMs })
        const { waitP50 = NaN, waitP99 = NaN } = summaryOf([sample])
        return { figures: { [column.key]: waitP50, p99: waitP99 }, lost: sample.wrong, waitsMs: [] }
      },
    },
    column,
    targets: [atMostOfFloorIn(column, 1 / least)],
  }
}

/** How many messages arrive in a second. */
function messages(over: Over): Measured {
  const column = comparedTo('messages', `messages/s, ${String(MANY)}`)
  return {
    measurement: {
      run: async (client, forMs) =>
        outcomeOf(column.key, await client.perform('publish', { publishers: MANY, over, forMs })),
    },
    column,
    targets: [ofFloorIn(column, MESSAGES), oneCommandIn(column)],
  }
}

function comparedTo(key: string, title: string): Column {
  return { key, title, digits: 0, shown: 'with its ratio' }
}

function oneCommandIn({ key, title }: Column): Target {
  return atMost(1, `command for each in ${title}`, (figures) => figures[commandsOf(key)] ?? NaN)
}

function outcomeOf(key: string, sample: CallSample): Outcome {
  const { perSecond = NaN, cpu = NaN, commands = NaN } = summaryOf([sample])
  const figures: Figures = {
    [key]: perSecond,
    [commandsOf(key)]: commands,
    [`${key} cpu`]: cpu,
  }
  return { figures, lost: sample.wrong, waitsMs: [] }
}

/** Where a measurement has its commands for each operation. */
function commandsOf(key: string): string {
  return `${key} commands`
}
