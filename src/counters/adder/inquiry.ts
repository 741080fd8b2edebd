import type { Patience } from '../../core/arguments/arguments.js'
import { adderKeys, adderTopic, idempotencyKey } from '../../core/context/names.js'
import type { LockContext } from '../../core/context/object-context.js'
import { demandStillWanted, endOfWaiting } from '../../core/context/still-wanted.js'
import { afterEffect, mayHaveTakenEffect } from '../../errors/after-effect.js'
import { AdderTimeoutError } from '../shared/counter.errors.js'
import type { ChannelWaiter } from '../../pubsub/channel-waiter.js'
import { AutoResetEvent } from '../../util/auto-reset-event.js'
import { Deadline } from '../../util/time/deadline.js'
import { raceAbort } from '../../util/abort/race-abort.js'
import { sumOf } from '../../util/collections/sum-of.js'
import { RECHECK_MS } from '../../waiting/recheck.js'
import { waitUntil, type Attempt } from '../../waiting/wait-until.js'
import { begin, collect, drop, listeners } from './adder.scripts.js'
import { ASKS, REPLY_LIFE_MS, type Tally } from './tally.js'

/** How long the first round lasts, in milliseconds. After one that was too short, the next lasts twice as long. */
const FIRST_ROUND_MS = 2000

/** How long the first pause is after a round that ended early without a sum, in milliseconds. Each later one is twice as long. */
const FIRST_PAUSE_MS = 10

/** The longest of those pauses, in milliseconds. */
const LONGEST_PAUSE_MS = 1000

/** The sum where no client has added anything. */
const NOTHING = Buffer.from('0')

/** What is asked of all clients, and for how long. */
export interface Inquiry {
  readonly context: LockContext
  readonly name: string
  readonly key: string
  readonly what: keyof typeof ASKS
  readonly patience: Patience
  /** Called when the clients are about to be asked, each time. */
  readonly onAsking?: (() => void) | undefined
  /** What this client has added, if it has added anything. */
  readonly own: () => Pick<Tally<unknown, unknown>, 'listening' | 'requests'> | undefined
}

/** An inquiry that has begun. */
interface Asking extends Inquiry {
  /** How many of its requests to all clients have run, or may have. */
  asked: number
}

/** One round: all clients that listen are asked under an id of its own. */
interface Round {
  readonly id: string
  readonly keys: ReturnType<typeof adderKeys>
  readonly deadline: Deadline
  readonly signal: AbortSignal
}

/**
 * Asks all clients, and waits for as many replies as there were clients. Returns the text of their sum.
 *
 * A client that has ended since, whose connection broke, or whose reply was lost with a server never replies. Which one it is cannot be known,
 * because replies of Redisson do not say whose they are. So all are asked anew under another id, of which only those count that
 * listen now. Replies to an earlier round are not used: nothing is counted twice. To ask again is harmless, since to tell a sum does not
 * change it, and beginning anew may happen at any moment of the call. Where clients may have begun anew, an error has `mayHaveRun`.
 *
 * A round ends early if it turns out that not all clients were asked. While Redis has ended a subscription and this client has not noticed that, each round
 * does. So there is a pause before the next one.
 *
 * @throws {@link AdderTimeoutError}
 */
export async function inquire(inquiry: Inquiry): Promise<Buffer> {
  const asking: Asking = { ...inquiry, asked: 0 }
  try {
    return await askUntilAllReply(asking)
  } catch (error) {
    const { what, patience } = inquiry
    const isOfCaller = patience.signal?.aborted === true && error === patience.signal.reason
    throw what === 'reset' && asking.asked > 0 && !isOfCaller ? afterEffect(error) : error
  }
}

async function askUntilAllReply(asking: Asking): Promise<Buffer> {
  const { context, name, patience } = asking
  const signal = endOfWaiting(context, patience.signal)
  let roundMs = FIRST_ROUND_MS
  let pauseMs = FIRST_PAUSE_MS
  for (;;) {
    demandStillWanted(context, patience.signal)
    const deadline = Deadline.after(patience.deadline.within(roundMs))
    const sum = await raceAbort(ask(asking, deadline, signal), signal)
    if (sum !== undefined) return sum
    if (patience.deadline.passed) throw new AdderTimeoutError(name, patience.waitMs)
    if (deadline.passed) {
      roundMs *= 2
    } else {
      await new AutoResetEvent().wait(deadline.within(pauseMs), signal)
      pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)
    }
  }
}

/** Returns undefined if not all have replied in time. */
async function ask(asking: Asking, deadline: Deadline, signal: AbortSignal): Promise<Buffer | undefined> {
  const { context, key, patience } = asking
  const own = asking.own()
  await own?.listening(patience.deadline, signal)
  const id = context.requestIds.next()
  const round: Round = { id, keys: adderKeys(key, id), deadline, signal }
  let expected = Infinity
  own?.requests.expect(id)
  // It is asked for before the clients are, and confirmed meanwhile.
  const waiter = context.wakeUps.join(round.keys.channel, (count) => (Number(count) >= expected ? 1 : 0))
  try {
    const asked = await countAsked(asking, round)
    if (asked === undefined) return undefined
    expected = asked
    const sum = await replies(asking, round, expected, waiter)
    // A subscription that was interrupted meanwhile did not count, and so what this client has added is not in the sum.
    return own === undefined || own.requests.hasHeard(id) ? sum : undefined
  } finally {
    waiter.leave()
    own?.requests.forget(id)
  }
}

/**
 * Asks, and returns how many clients were asked.
 *
 * One node knows all listeners, and counts them in the same step in which it publishes. Only in a cluster without sharded channels does each node know
 * its own. There all masters are asked before and after. Where that is not the same number, clients have come or gone; it is not known then
 * which of them were asked, and so this returns undefined.
 */
async function countAsked(asking: Asking, round: Round): Promise<number | undefined> {
  const { context, key } = asking
  const topic = adderTopic(key)
  const before = await countEverywhere(context, topic)
  asking.onAsking?.()
  asking.asked += 1 // also while no reply has come
  const there = await askAll(asking, round).catch((error: unknown) => {
    if (!mayHaveTakenEffect(error)) asking.asked -= 1
    throw error
  })
  const after = await countEverywhere(context, topic)
  if (after === undefined) return there
  return before === after ? after : undefined
}

/** Returns how many clients were asked, as far as the node knows. */
function askAll({ context, key, what, patience }: Asking, { id, keys }: Round): Promise<number> {
  const { counter, semaphore } = keys
  const request = idempotencyKey(key, context.requestIds.next())
  const args = { message: `${ASKS[what]}:${id}`, lifeMs: REPLY_LIFE_MS }
  const call = { keys: { counter, semaphore, topic: adderTopic(key), request }, args }
  return context.executor.run(begin, call, { remember: true, replyBy: patience.deadline })
}

/** Returns undefined where one node knows all listeners. */
async function countEverywhere(
  { topology, masters }: LockContext,
  topic: string,
): Promise<number | undefined> {
  if (topology.countsAllListeners) return undefined
  const counts = await masters.sendToAll(listeners, { keys: {}, args: { topic } })
  return sumOf(counts.map(([, count]) => count))
}

/** Waits for that many replies. What is not taken expires: a late reply of Redisson for Java would set no time to live. */
async function replies(
  { context }: Inquiry,
  { keys: { counter, semaphore }, deadline, signal }: Round,
  expected: number,
  waiter: ChannelWaiter,
): Promise<Buffer | undefined> {
  const { executor, config } = context
  const keys = { counter, semaphore }
  const remove = () => executor.run(drop, { keys, args: {} }).catch(() => undefined) // they expire by themselves
  if (expected === 0) {
    await remove()
    return NOTHING
  }
  const attempt = async (): Promise<Attempt<Buffer>> => {
    const [count, sum] = await executor.run(collect, { keys, args: { lifeMs: REPLY_LIFE_MS } })
    return count >= expected ? { done: true, value: sum } : { done: false, retryInMs: RECHECK_MS }
  }
  const { subscriptionTimeoutMs } = config
  const sum = await waitUntil(waiter, { attempt, deadline, signal, subscriptionTimeoutMs })
  if (sum !== undefined) await remove()
  return sum
}
