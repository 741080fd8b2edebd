import type { EntryPolicy, Policy } from './cache-settings.js'

/** When the entries of a tag were deleted and expired last, by the clock of the server that has the tag; 0 for never. */
export interface Times {
  readonly deleted: number
  readonly expired: number
}

export const NEVER: Times = { deleted: 0, expired: 0 }

/** The times of tags, by tag; of all entries for the empty tag. */
export type Stamp = ReadonlyMap<string, Times>

/** What an entry has besides its value. */
export interface Header {
  /** `Infinity` for an entry that does not expire. */
  readonly ttlMs: number
  readonly staleMs: number
  /** How long the load took, in milliseconds. */
  readonly loadMs: number
  /** Whether there is no value. */
  readonly isAbsent: boolean
  /** The times that were known when the load began. */
  readonly stamp: Stamp
}

const VERSION = '1'
const FOREVER = '-1'
const LINE = 10

type TagTuple = readonly [tag: string, deleted: number, expired: number]

/**
 * What stands before the value of an entry: one line.
 *
 * `1 ttlMs staleMs loadMs absent clearedAt`, then the tags with their times as JSON, if there are any.
 */
export function headerLine({ ttlMs, staleMs, loadMs, isAbsent, stamp }: Header): string {
  const tags: TagTuple[] = []
  for (const [tag, { deleted, expired }] of stamp) if (tag !== '') tags.push([tag, deleted, expired])
  const parts = [
    VERSION,
    ttlMs === Infinity ? FOREVER : String(ttlMs),
    String(staleMs),
    String(Math.round(loadMs)),
    isAbsent ? '1' : '0',
    String(stamp.get('')?.deleted ?? 0),
  ]
  if (tags.length > 0) parts.push(JSON.stringify(tags))
  return `${parts.join(' ')}\n`
}

/** The record of an entry. */
export function recordOf(header: Header, value: string | Buffer): string | Buffer {
  const line = headerLine(header)
  return typeof value === 'string' ? line + value : Buffer.concat([Buffer.from(line), value])
}

/** Reads the line; undefined for bytes that no cache of this kind has written, which count as no entry. */
export function readHeader(record: Buffer): (Header & { readonly value: Buffer }) | undefined {
  const end = record.indexOf(LINE)
  const found = /^1 (-1|\d+) (\d+) (\d+) ([01]) (\d+)(?: (\[.*\]))?$/s.exec(
    record.toString('utf8', 0, Math.max(end, 0)),
  )
  if (found === null) return undefined
  const [, ttlMs, staleMs, loadMs, absent, cleared, tags] = found
  const tuples = tagsIn(tags)
  if (tuples === undefined) return undefined
  const stamp = new Map<string, Times>().set('', { deleted: Number(cleared), expired: 0 })
  for (const [tag, deleted, expired] of tuples) stamp.set(tag, { deleted, expired })
  return {
    ttlMs: ttlMs === FOREVER ? Infinity : Number(ttlMs),
    staleMs: Number(staleMs),
    loadMs: Number(loadMs),
    isAbsent: absent === '1',
    stamp,
    value: record.subarray(end + 1),
  }
}

/** The first line of a record. */
export function lineOf(record: Buffer, { value }: { readonly value: Buffer }): Buffer {
  return record.subarray(0, record.length - value.length)
}

/** The tags of an entry; undefined for what are none. */
function tagsIn(json: string | undefined): readonly TagTuple[] | undefined {
  if (json === undefined) return []
  try {
    const tags = JSON.parse(json) as readonly unknown[]
    return tags.every(isTagTuple) ? tags : undefined
  } catch {
    return undefined
  }
}

function isTagTuple(value: unknown): value is TagTuple {
  if (!Array.isArray(value)) return false
  const [tag, ...times] = value as readonly unknown[]
  return typeof tag === 'string' && times.length === 2 && times.every((time) => typeof time === 'number')
}

/** For how long Redis keeps an entry, as scripts take it. */
export function lifeOf({ ttlMs, staleMs }: Pick<Header, 'ttlMs' | 'staleMs'>): number {
  return ttlMs === Infinity ? -1 : ttlMs + staleMs
}

/** For how long an entry with tags is fresh at most, and stale at most: the times of its tags are kept for longer. */
const TAGGED_LIFE_MS = 31 * 24 * 3_600_000

/** How long an entry is fresh, a share of it less at random, and how long it is stale after that. */
export function livesOf({ ttlMs, staleMs, jitter, tags }: EntryPolicy): Pick<Header, 'ttlMs' | 'staleMs'> {
  const mostMs = tags.length === 0 ? Infinity : TAGGED_LIFE_MS
  return { ttlMs: jittered(Math.min(ttlMs, mostMs), jitter), staleMs: Math.min(staleMs, mostMs) }
}

/** How long it is remembered that there is no value. */
export function negativeLifeOf({ negativeTtlMs, tags }: Policy): number {
  return Math.ceil(tags.length === 0 ? negativeTtlMs : Math.min(negativeTtlMs, TAGGED_LIFE_MS))
}

function jittered(ttlMs: number, jitter: number): number {
  if (ttlMs === Infinity || jitter === 0) return ttlMs
  return Math.max(1, Math.ceil(ttlMs * (1 - jitter * Math.random())))
}

/** For how long an entry is still fresh, in milliseconds: 0 or less if it is stale; undefined if it is old. */
export function freshFor(
  { staleMs, ttlMs, stamp }: Pick<Header, 'staleMs' | 'ttlMs' | 'stamp'>,
  leftMs: number,
  now: Stamp,
): number | undefined {
  let isExpired = false
  for (const [tag, then] of stamp) {
    const { deleted, expired } = now.get(tag) ?? NEVER
    if (deleted > then.deleted) return undefined
    if (tag !== '' && expired > then.expired) isExpired = true
  }
  const freshMs = ttlMs === Infinity ? Infinity : leftMs - staleMs
  if (freshMs > 0 && !isExpired) return freshMs
  return staleMs > 0 ? 0 : undefined
}

/** Whether a tag was deleted or expired, or all entries were cleared, after these times. */
export function isOutdated(stamp: Stamp, now: Stamp): boolean {
  for (const [tag, then] of stamp) {
    const { deleted, expired } = now.get(tag) ?? NEVER
    if (deleted > then.deleted || expired > then.expired) return true
  }
  return false
}
