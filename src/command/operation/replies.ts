import type { Codec } from '../../api/codec.js'
import { textOf } from '../../codec/bytes.js'
import { decodeAt, type Place } from '../../codec/encoding.js'
import type { Reply } from '../../connection/connection.js'
import { UnexpectedReplyError, UnsafeIntegerError } from '../../errors/reply-errors.js'

/** Reads a reply as what it was asked for. Only here is it doubted. */
export type Decoder<T> = (reply: Reply) => T

/** What Redis calls the numbers that have no digits. */
const NAMED_NUMBERS: ReadonlyMap<string, number> = new Map([
  ['inf', Infinity],
  ['+inf', Infinity],
  ['-inf', -Infinity],
  ['nan', NaN],
  ['-nan', NaN],
])

/** An integer of 64 bits has 20 characters. More are read for zeros in front, but not without bounds: reading millions takes seconds. */
const INTEGER = /^-?\d{1,40}$/

const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/

/** Reads an integer that is never large, such as a length. */
export function integer(reply: Reply): number {
  if (typeof reply === 'number') return reply
  if (typeof reply === 'string') return safe(reply)
  throw new UnexpectedReplyError('an integer', reply)
}

/** Leaves a reply to the caller, who knows how to read it. */
export function unread(reply: Reply): Reply {
  return reply
}

/**
 * Reads an integer, or a text of its digits, as a number.
 *
 * @throws {@link UnsafeIntegerError} beyond 2⁵³ − 1
 */
export function safeInteger(reply: Reply): number {
  return safe(digitsOf(reply))
}

/**
 * Reads an integer, or a text of its digits, with all of its digits.
 *
 * @throws {@link UnsafeIntegerError} for a number that has lost digits on its way
 */
export function int64(reply: Reply): bigint {
  if (typeof reply === 'number' && !Number.isSafeInteger(reply)) throw new UnsafeIntegerError(String(reply))
  return BigInt(digitsOf(reply))
}

/** Reads a number that may have a fraction, or be infinite. */
export function double(reply: Reply): number {
  if (typeof reply === 'number') return reply
  const said = typeof reply === 'string' || Buffer.isBuffer(reply) ? reply.toString() : ''
  if (DECIMAL.test(said)) return Number(said)
  const named = NAMED_NUMBERS.get(said.toLowerCase())
  if (named === undefined) throw new UnexpectedReplyError('a number', reply)
  return named
}

/** Reads whether something is so, or was done: 1 or `OK`; 0 or nothing if not. */
export function boolean(reply: Reply): boolean {
  if (reply === 1 || reply === '1' || isOk(reply)) return true
  if (reply === 0 || reply === '0' || reply === null) return false
  throw new UnexpectedReplyError('1 or 0', reply)
}

/** Reads that something was done. */
export function status(reply: Reply): 'OK' {
  if (isOk(reply)) return 'OK'
  throw new UnexpectedReplyError('OK', reply)
}

export function text(reply: Reply): string {
  if (Buffer.isBuffer(reply)) return reply.toString()
  throw new UnexpectedReplyError('a text', reply)
}

/** Reads a text that the program has made, which may be no text in UTF-8. */
export function exactText(reply: Reply): string {
  const read = Buffer.isBuffer(reply) ? textOf(reply) : undefined
  if (read === undefined) throw new UnexpectedReplyError('a text in UTF-8', reply)
  return read
}

/** Reads bytes as they are. */
export function bytes(reply: Reply): Buffer {
  if (Buffer.isBuffer(reply)) return reply
  throw new UnexpectedReplyError('bytes', reply)
}

/**
 * Reads bytes as the codec does.
 *
 * @param place - whose value it is, for the error
 */
export function value<T>(codec: Codec<T>, place: Place): Decoder<T> {
  return (reply) => decodeAt(codec, bytes(reply), place)
}

/** Reads what may be absent. */
export function nullable<T>(decoder: Decoder<T>): Decoder<T | undefined> {
  return (reply) => (reply === null ? undefined : decoder(reply))
}

export function list<T>(item: Decoder<T>): Decoder<T[]> {
  return (reply) => array(reply).map((each) => item(each))
}

/** Reads a list whose items mean different things. */
export function tuple<T extends readonly unknown[]>(
  ...items: { readonly [I in keyof T]: Decoder<T[I]> }
): Decoder<T> {
  return (reply) => {
    const replies = array(reply)
    if (replies.length < items.length) throw new UnexpectedReplyError(`${String(items.length)} items`, reply)
    return items.map((item, index) => item(replies[index] as Reply)) as unknown as T
  }
}

/**
 * Reads a list in which each key is followed by its value, as `HGETALL` has it, or in which each pair is a list, as RESP3 has some of them: in
 * the reply to a transaction ioredis leaves them as they are.
 */
export function pairs<K, V>(key: Decoder<K>, value: Decoder<V>): Decoder<[K, V][]> {
  return (reply) => {
    const items = array(reply)
    const replies = Array.isArray(items[0]) ? items.flatMap(array) : items
    if (replies.length % 2 === 1) throw new UnexpectedReplyError('pairs', reply)
    const read: [K, V][] = []
    for (let at = 0; at < replies.length; at += 2)
      read.push([key(replies[at] as Reply), value(replies[at + 1] as Reply)])
    return read
  }
}

function array(reply: Reply): readonly Reply[] {
  if (Array.isArray(reply)) return reply as readonly Reply[]
  throw new UnexpectedReplyError('a list', reply)
}

function isOk(reply: Reply): boolean {
  return Buffer.isBuffer(reply) && reply.length === 2 && reply.toString('latin1') === 'OK'
}

function digitsOf(reply: Reply): string {
  const digits = typeof reply === 'number' || Buffer.isBuffer(reply) ? reply.toString() : reply
  if (typeof digits === 'string' && INTEGER.test(digits)) return digits
  throw new UnexpectedReplyError('an integer', reply)
}

function safe(digits: string): number {
  const number = Number(digits)
  if (Number.isSafeInteger(number)) return number
  throw new UnsafeIntegerError(digits)
}
