import type { CountOptions, SetScanOptions } from './set.api.js'
import { wholeNumber } from '../../core/arguments/arguments.js'
import { demandOptions, known } from '../../core/arguments/options.js'
import { checkedScan, type ScanSettings } from '../../core/arguments/scan-settings.js'

const SCAN = known<SetScanOptions>({ pattern: true, count: true, onInvalid: true, signal: true })
const COUNT = known<CountOptions>({ limit: true })
/** @throws `TypeError` for options that are unknown or wrong; `RangeError` for a count that is too small or too large */
export function scanSettings(options: SetScanOptions = {}): ScanSettings {
  demandOptions(options, SCAN)
  return checkedScan(options)
}

/** The largest number that is wanted; 0 for none. */
export function limitOf(options: CountOptions = {}): number {
  demandOptions(options, COUNT)
  const { limit = 0 } = options
  return wholeNumber('limit', limit, 0)
}
