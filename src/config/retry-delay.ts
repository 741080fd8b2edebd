import type { DelayOptions } from '../api/redisson-options.js'
import type { Delay } from './config.js'

/** Returns a number from 0 up to 1, without 1. */
type Random = () => number

/** Doublings beyond these exceed every delay that can be asked for. */
const MOST_DOUBLINGS = 31

/** After this number of steps, a decorrelated delay does not depend on its start. */
const MOST_STEPS = 32

/** Makes a strategy out of its description. */
export function delayOf(options: DelayOptions, random: Random = Math.random): Delay {
  switch (options.type) {
    case 'ConstantDelay':
      return () => options.delay
    case 'EqualJitterDelay':
      return equalJitter(options.baseDelay, options.maxDelay, random)
    case 'FullJitterDelay':
      return fullJitter(options.baseDelay, options.maxDelay, random)
    case 'DecorrelatedJitterDelay':
      return decorrelatedJitter(options.baseDelay, options.maxDelay, random)
  }
}

/** The longest delay that a strategy ever returns, in milliseconds. */
export function longestDelayMs(options: DelayOptions): number {
  return options.type === 'ConstantDelay' ? options.delay : options.maxDelay
}

/** Half of the delay for certain, and up to the other half at random. */
function equalJitter(baseMs: number, maxMs: number, random: Random): Delay {
  return (attempt) => {
    const halfMs = Math.floor(exponential(baseMs, maxMs, attempt) / 2)
    return halfMs + upTo(halfMs, random)
  }
}

/** Anything up to the delay. */
function fullJitter(baseMs: number, maxMs: number, random: Random): Delay {
  return (attempt) => upTo(exponential(baseMs, maxMs, attempt), random)
}

/**
 * The base, and up to three times the delay before on top of it.
 *
 * The delays before are drawn anew each time. Keeping them would mix those of all callers of this strategy.
 */
function decorrelatedJitter(baseMs: number, maxMs: number, random: Random): Delay {
  return (attempt) => {
    let delayMs = baseMs
    for (let step = 0; step <= Math.min(attempt, MOST_STEPS); step++) {
      delayMs = Math.min(baseMs + Math.floor(random() * delayMs * 3), maxMs)
    }
    return delayMs
  }
}

function exponential(baseMs: number, maxMs: number, attempt: number): number {
  return Math.min(baseMs * 2 ** Math.min(attempt, MOST_DOUBLINGS), maxMs)
}

/** A whole number from 0 to `most`, both included. */
function upTo(most: number, random: Random): number {
  return Math.floor(random() * (most + 1))
}
