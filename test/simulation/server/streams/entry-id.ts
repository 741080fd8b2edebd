import { CommandError } from '../command-error.js'
import type { Bytes } from '../reply.js'

/** The id of an entry: its milliseconds are the upper 64 bits, its number among those of the same millisecond the lower ones. */
export type EntryId = bigint

const BITS = 64n

/** The highest number of 64 bits. */
const MOST = (1n << BITS) - 1n

export const FIRST_ID: EntryId = 0n
export const LAST_ID: EntryId = (1n << (2n * BITS)) - 1n

/** Where an id without a number of its own begins or ends a range. */
export type Side = 'first' | 'last'

export function idOf(ms: bigint, sequence: bigint): EntryId {
  return (ms << BITS) | sequence
}

export function millisecondsOf(id: EntryId): bigint {
  return id >> BITS
}

export function idText(id: EntryId): Bytes {
  return `${String(id >> BITS)}-${String(id & MOST)}`
}

/** Reads an id, which may lack its number. `-` and `+` are none. */
export function demandId(text: Bytes, side: Side = 'first'): EntryId {
  const [ms = '', ...rest] = wordOf(text).split('-')
  const sequence = rest.length === 0 ? ofSide(side) : numberOf(rest.join('-'))
  const time = numberOf(ms)
  if (time === undefined || sequence === undefined || text.length > 127) throw invalidId()
  return idOf(time, sequence)
}

/** Reads an id, or `-` and `+` for the first and the last one. */
export function demandAnyId(text: Bytes, side: Side = 'first'): EntryId {
  if (text === '-') return FIRST_ID
  return text === '+' ? LAST_ID : demandId(text, side)
}

/** Reads where a range begins. */
export function demandStart(text: Bytes): EntryId {
  if (!isExclusive(text)) return demandAnyId(text)
  const id = demandId(text.slice(1))
  if (id === LAST_ID) throw new CommandError('ERR invalid start ID for the interval')
  return id + 1n
}

/** Reads where a range ends. */
export function demandEnd(text: Bytes): EntryId {
  if (!isExclusive(text)) return demandAnyId(text, 'last')
  const id = demandId(text.slice(1), 'last')
  if (id === FIRST_ID) throw new CommandError('ERR invalid end ID for the interval')
  return id - 1n
}

function isExclusive(text: Bytes): boolean {
  return text.length > 1 && text.startsWith('(')
}

function ofSide(side: Side): bigint {
  return side === 'first' ? 0n : MOST
}

/** Words end for Redis with a byte of zero here. */
function wordOf(text: Bytes): Bytes {
  return text.replace(/\0.*/s, '')
}

/** A number of 64 bits without a sign, as C reads it: spaces, a plus and zeros may be in front. */
function numberOf(text: Bytes): bigint | undefined {
  if (!/^[ \t-\r]*\+?\d+$/.test(text)) return undefined
  const number = BigInt(text.replace(/^[ \t-\r]*\+?/, ''))
  return number <= MOST ? number : undefined
}

function invalidId(): CommandError {
  return new CommandError('ERR Invalid stream ID specified as stream command argument')
}
