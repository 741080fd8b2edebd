import type { Deduplication, OfferAllOptions, OfferOptions } from './reliable-queue.api.js'
import {
  demandAtMost,
  demandName,
  lifeTime,
  milliseconds,
  patienceOf,
  wholeNumber,
  type Patience,
} from '../../core/arguments/arguments.js'
import { demandOptions, known, optionsOf } from '../../core/arguments/options.js'
import { inspectShort, inspectWord } from '../../util/inspect-short.js'
import { isPlain } from '../../util/is-plain.js'
import { prefixOf } from './records.js'

const MANY = {
  delayMs: true,
  priority: true,
  group: true,
  headers: true,
  maxDeliveries: true,
  waitMs: true,
  signal: true,
} as const

const ELSEWHERE = { retryDelayMs: 'process()', visibilityMs: 'poll(), consume() and process()' }

const OFFER = known<OfferOptions>({ ...MANY, dedup: true }, { elsewhere: ELSEWHERE })
const OFFER_ALL = known<OfferAllOptions>(MANY, { elsewhere: { ...ELSEWHERE, dedup: 'offer()' } })
const DEDUP = known<Deduplication>({ id: true, ttlMs: true, mode: true })

/** The highest priority of a message. */
const HIGHEST_PRIORITY = 1_000_000

/** The longest delay, in milliseconds: 250 years. */
const LONGEST_DELAY_MS = 8e12

/** What an offer says of its messages, as the script takes it. */
export interface OfferArguments {
  readonly delayMs: number
  readonly priority: number
  readonly group: string
  readonly dedup: string
  readonly dedupMs: number
  readonly dedupMode: string
}

/** An offer, checked. */
export interface Offer {
  readonly args: OfferArguments
  /** What stands before each value. */
  readonly prefix: Buffer
  readonly patience: Patience
}

/** @throws TypeError or RangeError for options that do not exist or make no sense */
export function offerOf(options: OfferOptions | undefined): Offer {
  return checked(optionsOf<OfferOptions>(options, OFFER))
}

/** @throws TypeError or RangeError for options that do not exist or make no sense */
export function offerAllOf(options: OfferAllOptions | undefined): Offer {
  return checked(optionsOf<OfferAllOptions>(options, OFFER_ALL))
}

/** Reads after how many milliseconds a message is ready. */
export function delayOf(delayMs = 0, name = 'delayMs'): number {
  return durationOf(name, delayMs)
}

/** Reads a time of the server: whole milliseconds, 0 or more. */
export function durationOf(name: string, ms: number): number {
  const duration = Math.ceil(milliseconds(name, ms))
  if (duration < 0)
    throw new RangeError(`Expected \`${name}\` to be 0 milliseconds or more, got ${String(ms)}`)
  demandAtMost(name, duration, LONGEST_DELAY_MS)
  return duration
}

/** Reads how often a message is delivered at most. */
export function mostDeliveries(count: number): number {
  return wholeNumber('maxDeliveries', count, 1)
}

function checked(options: Partial<OfferOptions>): Offer {
  const priority = priorityOf(options.priority)
  const group = options.group === undefined ? '' : groupOf(options.group)
  const dedup = options.dedup === undefined ? NO_DEDUP : dedupOf(options.dedup)
  const maxDeliveries =
    options.maxDeliveries === undefined ? undefined : mostDeliveries(options.maxDeliveries)
  const headers = headersOf(options.headers)
  return {
    args: { delayMs: delayOf(options.delayMs), priority, group, ...dedup },
    prefix: prefixOf({ priority, maxDeliveries, group, dedup: dedup.dedup, headers }),
    patience: patienceOf(options, 0),
  }
}

const NO_DEDUP = { dedup: '', dedupMs: 0, dedupMode: '' }

function dedupOf(given: Deduplication): Pick<OfferArguments, 'dedup' | 'dedupMs' | 'dedupMode'> {
  demandOptions(given, DEDUP, '`dedup`')
  const { id, ttlMs } = given
  const mode: string = given.mode === undefined ? 'drop' : given.mode
  demandName('`dedup.id` to be', id)
  if (mode !== 'drop' && mode !== 'replace')
    throw new RangeError(`Expected \`dedup.mode\` to be 'drop' or 'replace', got ${inspectWord(mode)}`)
  return { dedup: id, dedupMs: ttlMs === undefined ? 0 : lifeTime(ttlMs, 'dedup.ttlMs'), dedupMode: mode }
}

function priorityOf(priority = 0): number {
  if (Math.abs(wholeNumber('priority', priority)) <= HIGHEST_PRIORITY) return priority === 0 ? 0 : priority
  throw new RangeError(
    `Expected \`priority\` to be from -${HIGHEST_PRIORITY} to ${HIGHEST_PRIORITY}, got ${priority}`,
  )
}

function groupOf(group: string): string {
  demandName('`group` to be', group)
  if (!group.includes('\0')) return group
  throw new RangeError(`Expected \`group\` to be without the character U+0000, got ${inspectWord(group)}`)
}

function headersOf(headers: unknown = {}): Readonly<Record<string, string>> {
  if (!isPlain(headers))
    throw new TypeError(`Expected \`headers\` to be an object, got ${inspectShort(headers)}`)
  for (const [name, value] of Object.entries(headers)) {
    if (typeof value !== 'string')
      throw new TypeError(
        `Expected \`headers\` to have texts, got ${inspectShort(value)} under ${inspectWord(name)}`,
      )
  }
  return Object.fromEntries(Object.entries(headers))
}
