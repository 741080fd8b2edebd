import type { DelayOptions } from '../api/redisson-options.js'
import { ConfigError } from '../errors/client-errors.js'
import { readSettings, within } from './read-settings.js'
import { isRecord, milliseconds, oneOf, type Reader } from './readers.js'

const constant = oneOf('ConstantDelay')
const jitter = oneOf('EqualJitterDelay', 'FullJitterDelay', 'DecorrelatedJitterDelay')
const anyType = oneOf('ConstantDelay', 'EqualJitterDelay', 'FullJitterDelay', 'DecorrelatedJitterDelay')

/** Reads how long to wait: a number of milliseconds, at least `leastMs`, or the description of a strategy. */
export function delay(leastMs: number): Reader<DelayOptions> {
  return (value, key) => {
    if (typeof value === 'number') return { type: 'ConstantDelay', delay: milliseconds(leastMs)(value, key) }
    if (!isRecord(value))
      throw new ConfigError(key, 'a number of milliseconds, or a strategy with a `type`', value)
    return anyType(value['type'], within(key, 'type')) === 'ConstantDelay'
      ? readSettings(value, key, { type: constant, delay: milliseconds(leastMs) })
      : readJitter(value, key, leastMs)
  }
}

function readJitter(value: unknown, key: string, leastMs: number): DelayOptions {
  const strategy = readSettings(value, key, {
    type: jitter,
    baseDelay: milliseconds(leastMs),
    maxDelay: milliseconds(leastMs),
  })
  if (strategy.maxDelay >= strategy.baseDelay) return strategy
  throw new ConfigError(
    within(key, 'maxDelay'),
    `at least the baseDelay of ${strategy.baseDelay}`,
    strategy.maxDelay,
  )
}
