import { types } from 'node:util'
import { inspectShort } from '../../util/inspect-short.js'
import { lifeTime } from './arguments.js'

/** When something expires: in a number of milliseconds by the server's clock, or at a moment in milliseconds since 1970. */
export type ExpiryTime =
  | { readonly ttlMs: number; readonly moment?: undefined }
  | { readonly moment: number; readonly ttlMs?: undefined }

/** Reads the time that a program gave. */
export function expiryTime(time: unknown): ExpiryTime {
  if (typeof time === 'number') return { ttlMs: lifeTime(time) }
  if (!types.isDate(time))
    throw new TypeError(
      `Expected \`time\` to be a number of milliseconds or a Date, got ${inspectShort(time)}`,
    )
  const moment = time.getTime()
  if (Number.isNaN(moment)) throw new RangeError('Expected `time` to be a valid Date, got an invalid one')
  return { moment: Math.max(moment, 1) } // Redis takes no earlier one
}
