import type { LexHead, LexPage, LexRange, LexSetScanOptions, LexTail } from './lex-sorted-set.api.js'
import type { Argument } from '../../connection/connection.js'
import { flag, wholeNumber } from '../../core/arguments/arguments.js'
import { demandOptions, known, type Known } from '../../core/arguments/options.js'
import { checkedScan, type ScanSettings } from '../../core/arguments/scan-settings.js'
import { inspectShort } from '../../util/inspect-short.js'

const TAIL = { from: true, fromInclusive: true } as const
const HEAD = { to: true, toInclusive: true } as const
const PAGE = { offset: true, count: true } as const

/** What bounds a range: both ends, or only one of them. */
export type Extent = 'range' | 'tail' | 'head'

const BOUNDS: Readonly<Record<Extent, Known>> = {
  range: known<LexRange>({ ...TAIL, ...HEAD }),
  tail: known<LexTail>(TAIL),
  head: known<LexHead>(HEAD),
}

const PAGES: Readonly<Record<Extent, Known>> = {
  range: known<LexRange & LexPage>({ ...TAIL, ...HEAD, ...PAGE }),
  tail: known<LexTail & LexPage>({ ...TAIL, ...PAGE }),
  head: known<LexHead & LexPage>({ ...HEAD, ...PAGE }),
}

const SCAN = known<LexSetScanOptions>({ ...TAIL, ...HEAD, count: true, onInvalid: true, signal: true })

/** What Redis takes for a range without an end. */
const LOWEST = '-'
const HIGHEST = '+'

/** What Redis takes for as many as there are. */
const ALL = -1

/** The bounds of a range, as they are sent. */
export interface Bounds {
  readonly from: Argument
  readonly to: Argument
}

/** @throws TypeError for options that are unknown or wrong, and for a bound that is missing */
export function boundsOf(extent: Extent, range: Partial<LexRange>): Bounds {
  demandOptions(range, BOUNDS[extent])
  return checkedBounds(extent, range)
}

/** A part of a range, as it is sent. */
export interface PageArguments extends Bounds {
  readonly limit: readonly Argument[]
}

/** @throws `TypeError` or `RangeError` for options that are unknown or wrong, and for a bound that is missing */
export function pageOf(extent: Extent, page: Partial<LexRange> & LexPage): PageArguments {
  demandOptions(page, PAGES[extent])
  const { offset = 0, count } = page
  wholeNumber('offset', offset, 0)
  if (count !== undefined) wholeNumber('count', count, 0)
  return { ...checkedBounds(extent, page), limit: limitOf(offset, count ?? ALL) }
}

/** What an iteration is about, and how it is made. */
export interface LexScan extends Bounds {
  readonly settings: ScanSettings
}

/** @throws `TypeError` for options that are unknown or wrong; `RangeError` for a count that is too small or too large */
export function scanOf(options: LexSetScanOptions = {}): LexScan {
  demandOptions(options, SCAN)
  const { from, fromInclusive, to, toInclusive, ...scan } = options
  flag('fromInclusive', fromInclusive)
  flag('toInclusive', toInclusive)
  return {
    from: from === undefined ? LOWEST : bound('from', from, 'fromInclusive', fromInclusive),
    to: to === undefined ? HIGHEST : bound('to', to, 'toInclusive', toInclusive),
    settings: checkedScan(scan),
  }
}

/** How many values are left out at the beginning of a range, and how many there are at most. */
export function limitOf(offset: number, count: number): readonly Argument[] {
  return offset === 0 && count === ALL ? [] : ['LIMIT', offset, count]
}

/** The bound of what comes after a value. */
export function after(value: Buffer): Buffer {
  return Buffer.concat([Buffer.from('('), value])
}

function checkedBounds(extent: Extent, { from, fromInclusive, to, toInclusive }: Partial<LexRange>): Bounds {
  return {
    from: extent === 'head' ? LOWEST : bound('from', from, 'fromInclusive', fromInclusive),
    to: extent === 'tail' ? HIGHEST : bound('to', to, 'toInclusive', toInclusive),
  }
}

/** A bound that is missing is an error: the range would be larger than meant, and may be one that is removed. */
function bound(name: string, value: unknown, inclusiveName: string, inclusive: boolean | undefined): string {
  if (typeof value !== 'string' || !value.isWellFormed())
    throw new TypeError(
      `Expected \`${name}\` to be a string without lone surrogates, got ${inspectShort(value)}`,
    )
  return (flag(inclusiveName, inclusive, true) ? '[' : '(') + value
}
