import type {
  StreamAddOptions,
  StreamAutoClaimOptions,
  StreamClaimOptions,
  StreamGroupOptions,
  StreamOptions,
  StreamPendingOptions,
  StreamRange,
  StreamRangeOptions,
  StreamReadGroupOptions,
  StreamReadOptions,
  StreamTrim,
  StreamWaiting,
} from './stream-options.api.js'
import { mapCodecs, type KeyAndValue } from '../../codec/codecs.js'
import type { RunOptions } from '../../command/operation/command-executor.js'
import type { Argument } from '../../connection/connection.js'
import {
  demandName,
  flag,
  milliseconds,
  patienceOf,
  wholeNumber,
  type Patience,
} from '../../core/arguments/arguments.js'
import { runOptions } from '../../core/arguments/object-settings.js'
import { demandOptions, known } from '../../core/arguments/options.js'
import { DEFAULT_COUNT, MOST_ENTRIES } from '../../core/arguments/scan-settings.js'
import type { ObjectContext } from '../../core/context/object-context.js'
import { valuesOf } from '../../core/entries.js'
import { inspectShort } from '../../util/inspect-short.js'

const STREAM = known<StreamOptions<unknown, unknown>>({ codec: true, validate: true, exactlyOnce: true })
const ADD = known<StreamAddOptions>({
  id: true,
  noMakeStream: true,
  maxLen: true,
  minId: true,
  limit: true,
  exact: true,
})
const TRIM = known<StreamTrim>({ maxLen: true, minId: true, limit: true })
const STRICT_TRIM = known<Omit<StreamTrim, 'limit'>>({ maxLen: true, minId: true })
const range = { from: true, fromInclusive: true, to: true, toInclusive: true } as const
const RANGE = known<StreamRangeOptions>({ ...range, count: true })
const READ = known<StreamReadOptions>({ after: true, count: true, waitMs: true, signal: true })
const READ_GROUP = known<StreamReadGroupOptions>({
  after: true,
  count: true,
  noAck: true,
  waitMs: true,
  signal: true,
})
const GROUP = known<StreamGroupOptions>({ from: true, makeStream: true })
const PENDING = known<StreamPendingOptions>({ ...range, consumer: true, idleMs: true, count: true })
const CLAIM = known<StreamClaimOptions>({ idleMs: true, ids: true })
const AUTO_CLAIM = known<StreamAutoClaimOptions>({ idleMs: true, from: true, count: true })

const CLAIM_COUNT = 100

const ID = /^\d{1,20}(?:-\d{1,20})?$/
const NEW_ID = /^\d{1,20}(?:-(?:\d{1,20}|\*))?$/

/** What the options of a stream mean for its requests. */
export interface StreamSettings<K, V> {
  readonly codec: KeyAndValue<K, V>
  readonly run: RunOptions
}

/** @throws `TypeError` for options that are unknown or wrong */
export function streamSettings<K, V>(
  options: StreamOptions<K, V> = {},
  { config }: ObjectContext,
): StreamSettings<K, V> {
  demandOptions(options, STREAM)
  // The program says by its type arguments what the codecs of the client make.
  const codec = mapCodecs(options.codec, config.codecs, options.validate) as KeyAndValue<K, V>
  return { codec, run: runOptions(options) }
}

/** @throws `TypeError` for what is no id; of those that stand for one, only the given ones are allowed */
export function checkedId(name: string, id: string, ...symbols: readonly string[]): string {
  if (typeof id === 'string' && (ID.test(id) || symbols.includes(id))) return id
  const others = symbols.map((symbol) => `, or '${symbol}'`).join('')
  throw new TypeError(
    `Expected \`${name}\` to be an id such as '1700000000000-0'${others}, got ${inspectShort(id)}`,
  )
}

export function checkedIds(ids: Iterable<string>): readonly string[] {
  return valuesOf('ids', ids).map((id) => checkedId('ids', id))
}

export function groupName(name: string): string {
  demandName('`group` to be', name)
  return name
}

export function consumerName(name: string): string {
  demandName('`consumer` to be', name)
  return name
}

/** What `XADD` takes between the key and the fields. */
export function addWords(options: StreamAddOptions = {}): Argument[] {
  demandOptions(options, ADD)
  const { id = '*', noMakeStream, exact, ...trim } = options
  if (typeof id !== 'string' || (id !== '*' && !NEW_ID.test(id)))
    throw new TypeError(
      `Expected \`id\` to be an id such as '1700000000000-0' or '1700000000000-*', got ${inspectShort(id)}`,
    )
  const isExact = flag('exact', exact)
  const isTrimmed = trim.maxLen !== undefined || trim.minId !== undefined || trim.limit !== undefined
  return [
    ...(flag('noMakeStream', noMakeStream) ? ['NOMKSTREAM'] : []),
    ...(isTrimmed ? wordsOf(trim, isExact) : []),
    id,
  ]
}

/** What `XTRIM` takes after the key. */
export function trimWords(trim: StreamTrim, isExact: boolean): Argument[] {
  demandOptions(trim, isExact ? STRICT_TRIM : TRIM)
  return wordsOf(trim, isExact)
}

function wordsOf({ maxLen, minId, limit }: StreamTrim, isExact: boolean): Argument[] {
  if ((maxLen === undefined) === (minId === undefined))
    throw new TypeError('Expected either `maxLen` or `minId`')
  if (limit !== undefined && isExact) throw new TypeError('Expected no `limit` of an exact trim')
  return [
    ...(maxLen === undefined
      ? ['MINID', ...approximately(isExact), checkedId('minId', minId as string)]
      : ['MAXLEN', ...approximately(isExact), wholeNumber('maxLen', maxLen, 0)]),
    ...(limit === undefined ? [] : ['LIMIT', wholeNumber('limit', limit, 1)]),
  ]
}

/** As Java writes it. */
function approximately(isExact: boolean): string[] {
  return isExact ? [] : ['~']
}

/** Which messages a range means, and how many at most; undefined for all. */
export interface Bounds {
  readonly from: string
  readonly to: string
  readonly count: number | undefined
}

export function rangeBounds(options: StreamRangeOptions = {}): Bounds {
  demandOptions(options, RANGE)
  return { ...boundsOf(options), count: optionalCount(options.count) }
}

function boundsOf({ from, fromInclusive, to, toInclusive }: StreamRange): Pick<Bounds, 'from' | 'to'> {
  return {
    from: boundOf('from', from, flag('fromInclusive', fromInclusive, true)) ?? '-',
    to: boundOf('to', to, flag('toInclusive', toInclusive, true)) ?? '+',
  }
}

function boundOf(name: string, id: string | undefined, isInclusive: boolean): string | undefined {
  if (id === undefined) return undefined
  const bound = checkedId(name, id)
  return isInclusive ? bound : `(${bound}`
}

function optionalCount(count: number | undefined): number | undefined {
  return count === undefined ? undefined : wholeNumber('count', count, 0)
}

/** How `COUNT` is sent. */
export function countWords(count: number | undefined): Argument[] {
  return count === undefined ? [] : ['COUNT', count]
}

/** What a read is about, and how long it waits. */
export interface Reading {
  readonly after: string
  readonly count: number | undefined
  readonly patience: Patience
}

export function reading(options: StreamReadOptions = {}): Reading {
  demandOptions(options, READ)
  const { after = '0' } = options
  return { after: checkedId('after', after, '$'), ...waitingOf(options) }
}

/** The same for a consumer of a group. */
export interface GroupReading extends Reading {
  readonly noAck: boolean
}

export function groupReading(options: StreamReadGroupOptions = {}): GroupReading {
  demandOptions(options, READ_GROUP)
  const { after = '>' } = options
  return {
    after: checkedId('after', after, '>'),
    noAck: flag('noAck', options.noAck),
    ...waitingOf(options),
  }
}

function waitingOf(options: StreamWaiting): Omit<Reading, 'after'> {
  return { count: optionalCount(options.count), patience: patienceOf(options, 0) }
}

export function groupBeginning(options: StreamGroupOptions = {}): { from: string; makeStream: 0 | 1 } {
  demandOptions(options, GROUP)
  const { from = '$', makeStream } = options
  return { from: checkedId('from', from, '$'), makeStream: flag('makeStream', makeStream) ? 1 : 0 }
}

/** What `XPENDING` takes after the group. */
export function pendingWords(options: StreamPendingOptions = {}): Argument[] {
  demandOptions(options, PENDING)
  const { from, to } = boundsOf(options)
  const { consumer, idleMs, count } = options
  return [
    ...(idleMs === undefined ? [] : ['IDLE', idleTime(idleMs)]),
    from,
    to,
    pageSize(count, DEFAULT_COUNT),
    ...(consumer === undefined ? [] : [consumerName(consumer)]),
  ]
}

export function claiming(options: StreamClaimOptions): { idleMs: number; ids: readonly string[] } {
  demandOptions(options, CLAIM)
  return { idleMs: idleTime(options.idleMs), ids: checkedIds(options.ids) }
}

export function autoClaiming(options: StreamAutoClaimOptions): {
  idleMs: number
  from: string
  count: number
} {
  demandOptions(options, AUTO_CLAIM)
  const { idleMs, from = '0-0', count } = options
  return { idleMs: idleTime(idleMs), from: checkedId('from', from), count: pageSize(count, CLAIM_COUNT) }
}

/** How many messages one request is about. */
export function pageSize(count: number | undefined, byDefault: number, name = 'count'): number {
  if (count === undefined) return byDefault
  if (wholeNumber(name, count, 1) <= MOST_ENTRIES) return count
  throw new RangeError(`Expected \`${name}\` to be ${String(MOST_ENTRIES)} or less, got ${String(count)}`)
}

function idleTime(idleMs: number): number {
  const idle = Math.ceil(milliseconds('idleMs', idleMs))
  if (idle >= 0 && idle <= Number.MAX_SAFE_INTEGER) return idle
  throw new RangeError(`Expected \`idleMs\` to be 0 milliseconds or more, got ${String(idleMs)}`)
}
