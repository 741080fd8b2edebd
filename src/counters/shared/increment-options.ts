import type { IncrementOptions } from './increment-options.api.js'
import { flag } from '../../core/arguments/arguments.js'
import { expiryTime } from '../../core/arguments/expiry-time.js'
import { demandOptions, known } from '../../core/arguments/options.js'

const INCREMENT = known<IncrementOptions<number>>({
  by: true,
  lowerBound: true,
  upperBound: true,
  saturate: true,
  expire: true,
  expireIfNotSet: true,
  clearExpire: true,
})

/** What becomes of the time to live, as scripts take it. */
interface ExpiryArguments {
  readonly expiry: '' | 'pexpire' | 'pexpireat' | 'persist'
  readonly time: number
  readonly ifNotSet: 0 | 1
}

/** An increment as its caller asks for it, with what scripts take of it. */
export interface Increment<N> {
  readonly by: N | undefined
  readonly lower: N | undefined
  readonly upper: N | undefined
  readonly saturate: 0 | 1
  readonly expiry: ExpiryArguments
}

/** @throws TypeError or RangeError for options that are unknown or wrong; the numbers are left to the counter */
export function incrementOf<N extends number | bigint>(options: IncrementOptions<N>): Increment<N> {
  demandOptions(options, INCREMENT)
  const { by, lowerBound: lower, upperBound: upper, saturate } = options
  return { by, lower, upper, saturate: flag('saturate', saturate) ? 1 : 0, expiry: expiryOf(options) }
}

/** @throws RangeError for bounds between which there is nothing */
export function demandBounds(lower: number | bigint | undefined, upper: number | bigint | undefined): void {
  if (lower === undefined || upper === undefined || lower <= upper) return
  throw new RangeError(
    `Expected \`lowerBound\` to be at most \`upperBound\`, got ${String(lower)} and ${String(upper)}`,
  )
}

function expiryOf({
  expire,
  expireIfNotSet,
  clearExpire,
}: IncrementOptions<number | bigint>): ExpiryArguments {
  const ifNotSet = flag('expireIfNotSet', expireIfNotSet) ? 1 : 0
  const clears = flag('clearExpire', clearExpire)
  if (clears && expire !== undefined)
    throw new TypeError('Expected one of `expire` and `clearExpire`, got both')
  if (clears) return { expiry: 'persist', time: 0, ifNotSet: 0 }
  if (expire === undefined) return { expiry: '', time: 0, ifNotSet }
  const { ttlMs, moment } = expiryTime(expire)
  return ttlMs === undefined
    ? { expiry: 'pexpireat', time: moment, ifNotSet }
    : { expiry: 'pexpire', time: ttlMs, ifNotSet }
}
