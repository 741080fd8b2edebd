import type {
  FoundMessage,
  MessageState,
  OfferOptions,
  RBatch,
  ReliableQueueOptions,
} from '../../../src/index.js'
import type { CallArguments } from '../../history.js'
import type { Effect } from './effects.js'
import {
  byOf,
  keyOf,
  valueOf,
  valuesOf,
  type Caller,
  type DataMethod,
  type DataMethods,
  type Run,
} from './method.js'

/** How the queues of all programs treat their messages. */
export const QUEUE_OPTIONS = {
  groupConcurrency: 1,
  maxDeliveries: 4,
} as const satisfies ReliableQueueOptions<string>

/** A message without a group, twice as often as one of each group. */
const NO_GROUP = ''
const GROUPS = [NO_GROUP, NO_GROUP, 'g1', 'g2']

/** What is added to a message for each step of `by`. */
const DELAY_MS = 25
const PRIORITIES = 3

/** As many messages as one page has, and pages for more than there are in a round. */
const PAGE = 1_000
const PAGES = [0, 1, 2, 3, 4]

const STATES = ['ready', 'delayed', 'inFlight', 'heldBack', 'dead'] as const satisfies MessageState[]

function offering(values: number, run: Run): DataMethod {
  return {
    values,
    keys: GROUPS,
    adds: true,
    run,
    effects: (args) => [{ is: 'put', elements: valuesOf(args), atEnd: false }],
  }
}

/** What a `deliver` step calls when it does not remove the message. */
const settling: DataMethod = { effects: () => [] }

export const queueMethods: DataMethods = {
  offer: offering(1, (caller) => offersOf(caller).offer(valueOf(caller.args), offerOf(caller.args))),
  offerOnce: offering(1, (caller) => offersOf(caller).offerOnce(valueOf(caller.args), offerOf(caller.args))),
  offerAll: offering(3, (caller) => offersOf(caller).offerAll(valuesOf(caller.args), offerOf(caller.args))),
  size: { run: (caller) => offersOf(caller).size(), effects: () => [] },
  readAll: {
    alone: true,
    run: readAll,
    effects: (_, reply) => (reply ? foundBy(reply.result as Found) : []),
  },
  poll: {
    effects: (_, reply) =>
      ((reply?.result as string[] | undefined) ?? []).map((element) => ({ is: 'contained', element })),
  },
  ack: { effects: (args) => [{ is: 'take', elements: valuesOf(args), most: 1 }] },
  nack: settling,
  reject: settling,
  release: settling,
}

function offersOf({ source, name, options }: Caller) {
  return source.getReliableQueue<string>(name, { ...QUEUE_OPTIONS, ...options })
}

/** The group by the key, the delay and the priority by the number. */
function offerOf(args: CallArguments): OfferOptions {
  const [group, by] = [keyOf(args), byOf(args)]
  return {
    delayMs: Math.max(0, by - PRIORITIES) * DELAY_MS,
    priority: by % PRIORITIES,
    ...(group !== NO_GROUP && { group }),
  }
}

/** What a queue has at one moment. */
interface Found {
  readonly elements: readonly string[]
  /** How many records Redis has, each of which is that of one message. */
  readonly records: number
}

/** Reads messages at one moment, wherever they are. */
async function readAll({ client, name }: Caller): Promise<Found> {
  const read = (batch: RBatch) => {
    const queue = batch.getReliableQueue<string>(name, QUEUE_OPTIONS)
    const lists = STATES.flatMap((state) =>
      PAGES.map((page) => queue.list(state, { offset: page * PAGE, count: PAGE })),
    )
    return [batch.getMap(name).size(), Promise.all(lists)] as const
  }
  const [records, lists] = await client.batch(read, { mode: 'atomic' })
  return { records, elements: lists.flat().map(({ value }: FoundMessage<string>) => value) }
}

/** No message is at no place, and none at two. */
function foundBy({ elements, records }: Found): Effect[] {
  const look: Effect = { is: 'look', elements }
  if (elements.length === records) return [look]
  return [look, { is: 'wrong', what: `found ${String(elements.length)} messages of ${String(records)}` }]
}
