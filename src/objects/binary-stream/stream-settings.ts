import type { BinaryReadOptions, BinaryWriteFlags, BinaryWriteOptions } from './binary-stream.api.js'
import { checkedSignal, wholeNumber } from '../../core/arguments/arguments.js'
import { demandOptions, known } from '../../core/arguments/options.js'
import { inspectShort, inspectWord } from '../../util/inspect-short.js'
import { MOST_BYTES } from './size-limit.js'

const READ = known<BinaryReadOptions>({ start: true, end: true, highWaterMark: true, signal: true })
const WRITE = known<BinaryWriteOptions>({ flags: true, start: true, highWaterMark: true, signal: true })

const FLAGS: readonly BinaryWriteFlags[] = ['a', 'w', 'r+']

/** How many bytes a chunk has, and how many wait to be written, unless the program says. */
const USUAL_BYTES = 2 ** 18

/** What either kind of stream is given. */
export interface StreamSettings {
  readonly highWaterMark: number
  readonly signal: AbortSignal | undefined
}

/** How a stream reads. */
export interface ReadSettings extends StreamSettings {
  readonly start: number
  /** Behind the last byte. */
  readonly end: number
}

/** How a stream writes. */
export interface WriteSettings extends StreamSettings {
  readonly flags: BinaryWriteFlags
  readonly start: number
}

/** @throws TypeError or RangeError for options that are unknown or wrong */
export function readSettings(options: BinaryReadOptions = {}): ReadSettings {
  demandOptions(options, READ)
  const { start = 0, end = Infinity } = options
  const first = wholeNumber('start', start, 0)
  return {
    start: first,
    end: end === Infinity ? Infinity : wholeNumber('end', end, first) + 1,
    ...streamSettings(options),
  }
}

/** @throws TypeError or RangeError for options that are unknown or wrong */
export function writeSettings(options: BinaryWriteOptions = {}): WriteSettings {
  demandOptions(options, WRITE)
  const { flags = options.start === undefined ? 'a' : 'r+', start } = options
  if (!FLAGS.includes(flags))
    throw new TypeError(`Expected \`flags\` to be 'a', 'w' or 'r+', got ${inspectWord(flags)}`)
  if (start !== undefined && flags !== 'r+')
    throw new TypeError(`Expected no \`start\` with the flags '${flags}', got ${inspectShort(start)}`)
  const first = start === undefined ? 0 : wholeNumber('start', start, 0)
  if (first > MOST_BYTES)
    throw new RangeError(`Expected \`start\` to be at most ${String(MOST_BYTES)}, got ${String(first)}`)
  return { flags, start: first, ...streamSettings(options) }
}

function streamSettings({
  highWaterMark = USUAL_BYTES,
  signal,
}: BinaryReadOptions | BinaryWriteOptions): StreamSettings {
  if (wholeNumber('highWaterMark', highWaterMark, 1) > MOST_BYTES)
    throw new RangeError(
      `Expected \`highWaterMark\` to be at most ${String(MOST_BYTES)}, got ${String(highWaterMark)}`,
    )
  return { highWaterMark, signal: checkedSignal(signal) }
}
