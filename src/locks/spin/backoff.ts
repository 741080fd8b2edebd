import type { Backoff } from './spin-lock.api.js'
import { demandOptions, known } from '../../core/arguments/options.js'
import { inspectShort, inspectWord } from '../../util/inspect-short.js'

/** Returns the next pause, in milliseconds, each time that it is called. */
export type Pauses = () => number

const CONSTANT = known<Extract<Backoff, { type: 'constant' }>>({ type: true, delayMs: true })

const EXPONENTIAL = known<Extract<Backoff, { type: 'exponential' }>>({
  type: true,
  initialDelayMs: true,
  maxDelayMs: true,
  multiplier: true,
})

const ANY_BACKOFF = { ...CONSTANT, names: [...CONSTANT.names, ...EXPONENTIAL.names] }

/** The pauses of one waiter, after Redisson's strategies. */
export function pausesOf(backoff: Backoff): Pauses {
  demandOptions(backoff, ANY_BACKOFF)
  switch (backoff.type) {
    case 'constant': {
      demandOptions(backoff, CONSTANT)
      const { delayMs = 64 } = backoff
      return constant(positive('delayMs', delayMs))
    }
    case 'exponential': {
      demandOptions(backoff, EXPONENTIAL)
      const { initialDelayMs = 1, maxDelayMs = 128, multiplier = 2 } = backoff
      return exponential({
        initialMs: positive('initialDelayMs', initialDelayMs),
        longestMs: positive('maxDelayMs', maxDelayMs),
        multiplier: positive('multiplier', multiplier),
      })
    }
    default: {
      const { type }: { readonly type?: unknown } = backoff
      throw new RangeError(`Expected \`type\` to be 'constant' or 'exponential', got ${inspectWord(type)}`)
    }
  }
}

function constant(delayMs: number): Pauses {
  return () => delayMs
}

interface Growth {
  readonly initialMs: number
  readonly longestMs: number
  readonly multiplier: number
}

/** Each pause adds less than as many milliseconds as there were pauses, at random, so that waiters do not march in step. */
function exponential({ initialMs, longestMs, multiplier }: Growth): Pauses {
  let pauseMs = initialMs
  let pauses = 0
  return () => {
    if (pauses > 0 && pauseMs < longestMs) pauseMs = pauseMs * multiplier + Math.floor(Math.random() * pauses)
    pauses += 1
    pauseMs = Math.min(pauseMs, longestMs)
    return pauseMs
  }
}

function positive(name: string, value: number): number {
  if (typeof value === 'number' && value > 0 && Number.isFinite(value)) return value
  throw new RangeError(`Expected \`${name}\` to be a positive number, got ${inspectShort(value)}`)
}
