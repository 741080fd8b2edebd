import type { Bytes } from '../../reply.js'
import { toInt64 } from '../numbers/integers.js'
import { Table } from '../run/table.js'
import type { Value } from '../run/values.js'

/** What is nested deeper is left out. */
const DEEPEST = 16

const LARGEST_INT32 = 2 ** 31 - 1

const view = new DataView(new ArrayBuffer(8))

/** A type byte, and how many bytes of length follow it. */
interface Header {
  /** For lengths that fit in the type byte itself, and the longest one. */
  readonly short: readonly [type: number, longest: number]
  readonly long: readonly (readonly [type: number, bytes: number])[]
}

const STRING: Header = {
  short: [0xa0, 31],
  long: [
    [0xd9, 1],
    [0xda, 2],
    [0xdb, 4],
  ],
}
const LIST: Header = {
  short: [0x90, 15],
  long: [
    [0xdc, 2],
    [0xdd, 4],
  ],
}
const MAP: Header = {
  short: [0x80, 15],
  long: [
    [0xde, 2],
    [0xdf, 4],
  ],
}

const POSITIVE: Header = {
  short: [0, 127],
  long: [
    [0xcc, 1],
    [0xcd, 2],
    [0xce, 4],
    [0xcf, 8],
  ],
}
const NEGATIVE_TYPES = [
  [0xd0, 1],
  [0xd1, 2],
  [0xd2, 4],
  [0xd3, 8],
] as const
const LEAST_SHORT = -32

/** The MessagePack of a value. */
export function encode(value: Value, depth = 0): Bytes {
  switch (typeof value) {
    case 'string':
      return header(value.length, STRING) + value
    case 'number':
      return encodeNumber(value)
    case 'boolean':
      return value ? '\xc3' : '\xc2'
    default:
      return value instanceof Table && depth < DEEPEST ? encodeTable(value, depth + 1) : '\xc0'
  }
}

function encodeNumber(number: number): Bytes {
  if (!Number.isFinite(number) || toInt64(number) !== number) return encodeFraction(number)
  if (number >= 0) return header(number, POSITIVE)
  if (number >= LEAST_SHORT) return String.fromCharCode(number & 0xff)
  const [type, bytes] =
    NEGATIVE_TYPES.find(([, size]) => number >= -(2 ** (8 * size - 1))) ?? NEGATIVE_TYPES[3]
  return String.fromCharCode(type) + bigEndian(number, bytes)
}

/** In four bytes, if these suffice. */
function encodeFraction(number: number): Bytes {
  if (Math.fround(number) === number) {
    view.setFloat32(0, number)
    return '\xca' + bytesOfView(4)
  }
  view.setFloat64(0, number)
  if (Number.isNaN(number)) view.setUint8(0, 0xff) // that which 0/0 gives
  return '\xcb' + bytesOfView(8)
}

function encodeTable(table: Table, depth: number): Bytes {
  const keys = keysOf(table)
  if (isList(keys)) {
    const elements = keys.map((_, at) => encode(table.getNumber(at + 1), depth))
    return header(elements.length, LIST) + elements.join('')
  }
  const members = keys.map((key) => encode(key, depth) + encode(table.get(key), depth))
  return header(members.length, MAP) + members.join('')
}

function keysOf(table: Table): Value[] {
  const keys: Value[] = []
  for (let key = table.keyAfter(undefined); key !== undefined && key !== null; key = table.keyAfter(key))
    keys.push(key)
  return keys
}

/** Whether keys are all integers from 1 to their number. */
function isList(keys: readonly Value[]): boolean {
  let largest = 0
  for (const key of keys) {
    if (typeof key !== 'number' || !Number.isInteger(key) || key < 1 || key > LARGEST_INT32) return false
    largest = Math.max(largest, key)
  }
  return largest === keys.length
}

function header(length: number, { short, long }: Header): Bytes {
  const [shortType, longest] = short
  if (length <= longest) return String.fromCharCode(shortType | length)
  const [type, bytes] = long.find(([, size]) => length < 2 ** (8 * size)) ?? [0, 0]
  return String.fromCharCode(type) + bigEndian(length, bytes)
}

function bigEndian(integer: number, bytes: number): Bytes {
  view.setBigInt64(0, BigInt.asIntN(64, BigInt(integer)))
  return bytesOfView(8).slice(8 - bytes)
}

function bytesOfView(count: number): Bytes {
  return Array.from({ length: count }, (_, at) => String.fromCharCode(view.getUint8(at))).join('')
}
