import { types } from 'node:util'
import { wholeNumber } from '../../core/arguments/arguments.js'
import { inspectShort } from '../../util/inspect-short.js'

/** The timestamps of a range, as they are sent. */
export interface TimeRange {
  readonly min: string
  readonly max: string
}

export const ALL_TIME: TimeRange = Object.freeze({ min: '-inf', max: '+inf' })

/** @throws TypeError for what is neither a number nor a date; RangeError for a fraction, or an invalid date */
export function timestampText(name: string, time: unknown): string {
  const given: unknown = types.isDate(time) ? time.getTime() : time
  if (typeof given === 'number') return String(wholeNumber(name, given))
  throw new TypeError(
    `Expected \`${name}\` to be a number of milliseconds or a Date, got ${inspectShort(time)}`,
  )
}

/** The same for what may be infinite. */
export function timeRange(start: unknown, end: unknown): TimeRange {
  return { min: boundText('startTimestamp', start), max: boundText('endTimestamp', end) }
}

/** A range of one moment. */
export function moment(timestamp: unknown): TimeRange {
  const at = timestampText('timestamp', timestamp)
  return { min: at, max: at }
}

function boundText(name: string, time: unknown): string {
  if (time === Infinity) return '+inf'
  return time === -Infinity ? '-inf' : timestampText(name, time)
}
