import type { CountIntersectionOptions, ScoredSetScanOptions } from './scored-sorted-set.api.js'
import { wholeNumber } from '../../core/arguments/arguments.js'
import { demandOptions, known } from '../../core/arguments/options.js'
import { checkedScan, type ScanSettings } from '../../core/arguments/scan-settings.js'

const SCAN = known<ScoredSetScanOptions>({ pattern: true, count: true, onInvalid: true, signal: true })
const COUNT_INTERSECTION = known<CountIntersectionOptions>({ limit: true })

/** What Redis takes for no limit. */
const UNLIMITED = 0

/** @throws `TypeError` for options that are unknown or wrong; `RangeError` for a count that is too small or too large */
export function scanSettings(options: ScoredSetScanOptions = {}): ScanSettings {
  demandOptions(options, SCAN)
  return checkedScan(options)
}

/** @throws `TypeError` or `RangeError` for options that are unknown or wrong */
export function countLimit(options: CountIntersectionOptions): number {
  demandOptions(options, COUNT_INTERSECTION)
  return options.limit === undefined ? UNLIMITED : wholeNumber('limit', options.limit, 1)
}
