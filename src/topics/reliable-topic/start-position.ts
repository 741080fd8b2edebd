import type { StartPosition } from './reliable-topic.api.js'
import { inspectShort } from '../../util/inspect-short.js'

const ID = /^\d{1,16}-\d{1,20}$/

/** The highest number of a message within its millisecond. */
const LAST_OF_A_MS = '18446744073709551615'

/** The message after which a subscriber begins, as scripts take it. */
export function startPosition(from: StartPosition): string {
  if (from === 'beginning') return '0-0'
  if (from === 'now') return '$'
  const moment = from instanceof Date ? from.getTime() : from
  if (Number.isSafeInteger(moment)) return beforeMoment(moment as number)
  if (typeof from === 'string' && ID.test(from)) return from
  throw new RangeError(
    `Expected \`from\` to be 'beginning', 'now', a time, or the id of a message, got ${inspectShort(from)}`,
  )
}

function beforeMoment(ms: number): string {
  return ms <= 0 ? '0-0' : `${String(ms - 1)}-${LAST_OF_A_MS}`
}
