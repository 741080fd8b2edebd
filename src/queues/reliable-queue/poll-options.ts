import type {
  ConsumeOptions,
  DeliveryOptions,
  ProcessOptions,
  QueuePollOptions,
} from './reliable-queue.api.js'
import { pollCount } from '../../collections/shared/polling.js'
import {
  checkedSignal,
  newLease,
  patienceOf,
  wholeNumber,
  type Patience,
} from '../../core/arguments/arguments.js'
import { demandNoMore, known, optionsOf } from '../../core/arguments/options.js'
import { delayOf } from './offer-options.js'
import type { TakeRequest } from './take/takes.js'

const POLL = known<QueuePollOptions>({ waitMs: true, signal: true, visibilityMs: true })
const CONSUME = known<ConsumeOptions>({ concurrency: true, signal: true, visibilityMs: true })
const PROCESS = known<ProcessOptions>(
  { concurrency: true, signal: true, visibilityMs: true, retryDelayMs: true },
  { elsewhere: { maxDeliveries: 'getReliableQueue() and offer()', rate: 'getReliableQueue()' } },
)

/** How many messages one request takes, reads or moves. */
export const MOST_AT_ONCE = 1_000

/** What a poll was given. */
export interface PollArguments {
  /** Undefined for one message. */
  readonly count: number | undefined
  readonly request: TakeRequest
  readonly patience: Patience
}

/** How deliveries are taken one after the other. */
export interface ConsumeRequest {
  readonly concurrency: number
  readonly visibilityMs: number | undefined
  readonly signal: AbortSignal | undefined
}

/** The same for a worker. */
export interface ProcessRequest extends ConsumeRequest {
  readonly retryDelayMs: ProcessOptions['retryDelayMs']
}

/** Reads the arguments of a poll: a count, options, both or neither. */
export function pollArguments(given: readonly unknown[]): PollArguments {
  const [first, second, surplus] = given
  const hasCount = typeof first === 'number'
  demandNoMore(hasCount ? surplus : second, hasCount ? undefined : 'a count comes first')
  const options = optionsOf<QueuePollOptions>(
    (hasCount ? second : first) as QueuePollOptions | undefined,
    POLL,
  )
  const patience = patienceOf(options, 0)
  const count = hasCount ? pollCount(first, MOST_AT_ONCE) : undefined
  return { count, request: { count: count ?? 1, visibilityMs: visibilityOf(options) }, patience }
}

export function consumeRequest(options: ConsumeOptions | undefined): ConsumeRequest {
  return consumption(optionsOf<ConsumeOptions>(options, CONSUME))
}

export function processRequest(options: ProcessOptions | undefined): ProcessRequest {
  const given = optionsOf<ProcessOptions>(options, PROCESS)
  const { retryDelayMs } = given
  if (typeof retryDelayMs !== 'function') delayOf(retryDelayMs, 'retryDelayMs')
  return { ...consumption(given), retryDelayMs }
}

function consumption({ concurrency = 1, signal, ...options }: Partial<ConsumeOptions>): ConsumeRequest {
  return {
    concurrency: wholeNumber('concurrency', concurrency, 1),
    visibilityMs: visibilityOf(options),
    signal: checkedSignal(signal),
  }
}

function visibilityOf({ visibilityMs }: DeliveryOptions): number | undefined {
  return visibilityMs === undefined
    ? undefined
    : newLease(visibilityMs, 'a delivery', { option: 'visibilityMs' })
}
