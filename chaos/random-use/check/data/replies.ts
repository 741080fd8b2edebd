import type { AnswerEntry, Entry } from '../../../history.js'
import type { Breach, Conditions } from '../breach.js'
import { Kills } from '../kills.js'
import { whoOf, type Call } from './calls.js'

/** What callers have to expect of networks that lose messages. */
const OF_NETWORKS = [
  'CONNECTION_LOST',
  'REPLY_TIMEOUT',
  'SERVER_NOT_READY',
  'SUBSCRIPTION_TIMEOUT',
  'ADDER_TIMEOUT',
]

/** What computing adds, which waits for a lock and may lose it. */
const OF_LOCKS = ['LOCK_LOST:expired', 'NOT_HELD:expired']

/** What a message adds that is delivered: its caller has given up, its delivery has ended, or its listener fails. */
const OF_DELIVERIES = ['GaveUp', 'REPLY_TIMEOUT:waiting', 'DELIVERY_LOST', 'DELIVERY_LOST:expired', 'Failed']

/** Looks for calls that were not answered, that were rejected without a reason, or whose result nothing explains. */
export function checkReplies(
  calls: readonly Call[],
  entries: readonly Entry[],
  { faulty }: Conditions,
): Breach[] {
  const kills = new Kills(entries)
  const expected = new Set([...OF_LOCKS, ...OF_DELIVERIES, ...(faulty ? OF_NETWORKS : [])])
  return calls.flatMap((call): Breach[] => {
    const { entry, answer } = call
    const about = `${entry.name}: ${whoOf(call)}`
    if (answer === undefined)
      return kills.at(entry.process) === Infinity ? [breach('unanswered', about, call)] : []
    if (
      answer.error !== undefined &&
      !wordsIn(answer.error).every((word) => expected.has(word)) &&
      !isTooMany(call, answer)
    )
      return [breach('error', `${about} was rejected: ${answer.error}`, call)]
    return call.effects.flatMap((effect) =>
      effect.is === 'wrong' ? [breach('wrong', `${about} ${effect.what}`, call)] : [],
    )
  })
}

/** The words of the members of a batch, or the one of a call. */
function wordsIn(error: string): readonly string[] {
  return /^BATCH\((.*)\)$/.exec(error)?.[1]?.split(' ') ?? [error]
}

/** Whether a batch was to read all of an object that had more values than one request reads. */
function isTooMany({ entry: { method } }: Call, { error }: AnswerEntry): boolean {
  return error === 'NOT_IN_BATCH' && method.startsWith('readAll')
}

function breach(kind: string, what: string, { entry }: Call): Breach {
  return { kind, what, entries: [entry] }
}
