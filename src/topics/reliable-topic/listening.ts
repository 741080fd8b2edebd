import type { ReliableListenOptions } from './reliable-topic.api.js'
import { checkedSignal, demandName, milliseconds, wholeNumber } from '../../core/arguments/arguments.js'
import { known, optionsOf } from '../../core/arguments/options.js'
import { inspectWord } from '../../util/inspect-short.js'
import { startPosition } from './start-position.js'

const OPTIONS = known<ReliableListenOptions>({
  signal: true,
  subscriber: true,
  from: true,
  maxDeliveries: true,
  retryDelayMs: true,
  deadLetterTopic: true,
})

/** What groups of the library begin with. */
const RESERVED = 'ioredisson:'

const MAX_DELIVERIES = 5
const RETRY_MS = 1_000
const LONGEST_RETRY_MS = 60_000

/** How a subscriber listens, checked. */
export interface Listening {
  readonly signal: AbortSignal | undefined
  readonly subscriber: string | undefined
  /** The message after which it begins. */
  readonly position: string
  readonly maxDeliveries: number
  /** Throws what a function of the program throws, and for what is no time. */
  readonly retryDelayMs: (deliveries: number) => number
  readonly deadLetterTopic: string | undefined
}

/** @throws TypeError or RangeError for options that are unknown or wrong */
export function checkedReliableListening(given?: ReliableListenOptions): Listening {
  const options = optionsOf(given, OPTIONS)
  const { subscriber, from = 'beginning', maxDeliveries = MAX_DELIVERIES, deadLetterTopic } = options
  if (subscriber !== undefined) demandSubscriber(subscriber)
  if (deadLetterTopic !== undefined) demandName('`deadLetterTopic` to be', deadLetterTopic)
  return {
    signal: checkedSignal(options.signal),
    subscriber,
    position: startPosition(from),
    maxDeliveries: maxDeliveries === Infinity ? Infinity : wholeNumber('maxDeliveries', maxDeliveries, 1),
    retryDelayMs: retryDelay(options.retryDelayMs),
    deadLetterTopic,
  }
}

/** @throws TypeError for what is no name; RangeError for one that the library has itself */
export function demandSubscriber(name: string): void {
  demandName('`subscriber` to be', name)
  if (name.startsWith(RESERVED))
    throw new RangeError(`Expected \`subscriber\` not to begin with ${RESERVED}, got ${inspectWord(name)}`)
}

/** How long it takes until a message is delivered again, in milliseconds. */
export function defaultRetryDelay(deliveries: number): number {
  return Math.min(LONGEST_RETRY_MS, RETRY_MS * 2 ** (deliveries - 1))
}

function retryDelay(given: ReliableListenOptions['retryDelayMs']): Listening['retryDelayMs'] {
  if (given === undefined) return defaultRetryDelay
  if (typeof given === 'function') return (deliveries) => delayOf(given(deliveries))
  const delayMs = delayOf(given)
  return () => delayMs
}

/** @throws TypeError or RangeError for what is no time */
function delayOf(given: number): number {
  const delayMs = milliseconds('retryDelayMs', given)
  if (delayMs >= 0 && delayMs < Infinity) return delayMs
  throw new RangeError(`Expected \`retryDelayMs\` to be 0 milliseconds or more, got ${String(delayMs)}`)
}
