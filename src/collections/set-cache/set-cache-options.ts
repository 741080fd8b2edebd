import type { ValueLifeOptions, ValuesLifeOptions } from './set-cache.api.js'
import { optionalLifeTime } from '../../core/arguments/arguments.js'
import { known, optionsOf } from '../../core/arguments/options.js'

const LIFE = known<ValueLifeOptions>({ ttlMs: true })
const LIVES = known<ValuesLifeOptions<unknown>>({ ttlMs: true })

/** @throws TypeError for options that are unknown; RangeError for a time that is negative, or none */
export function lifeOf(options: ValueLifeOptions | undefined): number {
  return timeOf(optionsOf(options, LIFE).ttlMs)
}

/** The same for each of several values. */
export function livesOf<V>(options: ValuesLifeOptions<V> | undefined): (value: V) => number {
  const { ttlMs } = optionsOf(options, LIVES)
  if (typeof ttlMs === 'function') return (value) => timeOf(ttlMs(value))
  const time = timeOf(ttlMs)
  return () => time
}

/** As it is sent: 0 for never. */
function timeOf(ttlMs: number | undefined): number {
  return optionalLifeTime(ttlMs) ?? 0
}
