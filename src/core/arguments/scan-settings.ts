import { inspectShort, inspectWord } from '../../util/inspect-short.js'
import { checkedSignal, wholeNumber } from './arguments.js'
import type { Optional } from '../../util/option-types.js'

const MATCHES_ALL = '*'

/** About how many elements a server looks at for one page, unless the program says. */
export const DEFAULT_COUNT = 1_000

/** How many elements one request is about at most. */
export const MOST_ENTRIES = 5_000

/** How a walk is to be made. */
export interface ScanSettings {
  readonly pattern: string
  readonly count: number
  readonly onInvalid: 'throw' | 'skip'
  readonly signal: AbortSignal | undefined
}

/** @throws `TypeError` for an option that is wrong; `RangeError` for a count that is too small or too large */
export function checkedScan(options: Optional<ScanSettings> = {}): ScanSettings {
  const { pattern = MATCHES_ALL, count = DEFAULT_COUNT, onInvalid = 'throw', signal } = options
  if (typeof pattern !== 'string' || !pattern.isWellFormed())
    throw new TypeError(
      `Expected \`pattern\` to be a string without lone surrogates, got ${inspectShort(pattern)}`,
    )
  if (!['throw', 'skip'].includes(onInvalid))
    throw new TypeError(`Expected \`onInvalid\` to be 'throw' or 'skip', got ${inspectWord(onInvalid)}`)
  if (wholeNumber('count', count, 1) > MOST_ENTRIES)
    throw new RangeError(`Expected \`count\` to be ${String(MOST_ENTRIES)} or less, got ${String(count)}`)
  return { pattern, count, onInvalid, signal: checkedSignal(signal) }
}
