import type { Bytes } from '../../reply.js'
import { toInt64, toUint64 } from '../numbers/integers.js'
import { asNumber } from '../run/arithmetic.js'
import { failure } from '../run/errors.js'
import type { Thread } from '../run/thread.js'
import type { Body, Value, Values } from '../run/values.js'
import { Format, type Item } from '../structs/items.js'
import { Arguments } from './arguments.js'
import { checking, giving } from './functions.js'

/** The library `struct`: values as C lays them out in memory. */
export const struct: Record<string, Body> = {
  pack: giving(pack),
  size: giving(sizeOf),
  unpack: checking(unpack),
}

const view = new DataView(new ArrayBuffer(8))

function pack(given: Arguments, thread: Thread): Bytes {
  const args = new Arguments([...given.all, undefined], thread) // what is missing is nil
  const format = new Format(given, thread)
  let packed = ''
  let position = 2
  for (let item = format.next(0); item; item = format.next(packed.length)) {
    packed += '\0'.repeat(item.padding)
    if (item.option === 'x') {
      packed += '\0'
      continue
    }
    packed += packedValue(item, args, position)
    position += 1
  }
  return packed
}

function packedValue(item: Item, args: Arguments, position: number): Bytes {
  switch (item.option) {
    case 'f':
    case 'd':
      return packedFraction(item, args.number(position))
    case 'c':
    case 's':
      return packedString(item, args, position)
    default:
      return packedInteger(item, args.number(position))
  }
}

function packedInteger(item: Item, number: number): Bytes {
  let rest = number < 0 ? BigInt.asUintN(64, BigInt(toInt64(number))) : toUint64(number)
  let bytes = ''
  for (let count = 0; count < item.size; count++) {
    bytes += String.fromCharCode(Number(rest & 0xffn))
    rest >>= 8n
  }
  return inOrder(bytes, item)
}

function packedFraction(item: Item, number: number): Bytes {
  if (item.size === 4) view.setFloat32(0, number, true)
  else view.setFloat64(0, number, true)
  if (Number.isNaN(number)) view.setUint8(item.size - 1, 0xff) // that which 0/0 gives
  const bytes = Array.from({ length: item.size }, (_, at) => String.fromCharCode(view.getUint8(at)))
  return inOrder(bytes.join(''), item)
}

/** The error names the argument behind, as that of Redis does. */
function packedString({ option, size }: Item, args: Arguments, position: number): Bytes {
  const text = args.text(position)
  if (text.length < size) throw args.error(position + 1, 'string too short')
  return option === 's' ? `${text}\0` : text.slice(0, size === 0 ? text.length : size)
}

function sizeOf(args: Arguments, thread: Thread): number {
  const format = new Format(args, thread, { isLenient: true })
  let size = 0
  for (let item = format.next(size); item; item = format.next(size)) {
    if (item.option === 's') throw args.error(1, `option 's' has no fixed size`)
    if (item.option === 'c' && item.size === 0) throw args.error(1, `option 'c0' has no fixed size`)
    size += item.padding + item.size
  }
  return size
}

/** What is unpacked, and how far it has been. */
interface Unpacking {
  readonly args: Arguments
  readonly thread: Thread
  readonly data: Bytes
  readonly values: Value[]
}

function unpack(args: Arguments, thread: Thread): Values {
  const format = new Format(args, thread)
  const unpacking: Unpacking = { args, thread, data: args.text(2), values: [] }
  let at = args.longOr(3, 1) - 1
  if (at === -1) throw args.error(3, 'offset must be 1 or greater')
  for (let item = format.next(at); item; item = format.next(at)) {
    at += item.padding
    demandBytes(unpacking, at, item.size)
    at += unpackItem(unpacking, item, at)
  }
  return [...unpacking.values, at + 1]
}

/** Adds the value of an item, and says how many bytes it takes. */
function unpackItem(unpacking: Unpacking, item: Item, at: number): number {
  const { data, values } = unpacking
  switch (item.option) {
    case 'x':
      return item.size
    case 'c':
      return unpackBytes(unpacking, item.size === 0 ? takeSize(unpacking) : item.size, at)
    case 's':
      return unpackUntilZero(unpacking, at)
    case 'f':
    case 'd':
      values.push(fractionOf(inOrder(data.slice(at, at + item.size), item)))
      return item.size
    default:
      values.push(integerOf(inOrder(data.slice(at, at + item.size), item), item))
      return item.size
  }
}

function unpackBytes(unpacking: Unpacking, size: number, at: number): number {
  demandBytes(unpacking, at, size)
  unpacking.values.push(unpacking.data.slice(at, at + size))
  return size
}

/** The size of a string is the number that comes before it. */
function takeSize({ values, thread }: Unpacking): number {
  const size = asNumber(values.at(-1))
  if (size === undefined) throw failure(thread, `format 'c0' needs a previous size`)
  values.pop()
  return Number(toUint64(size))
}

function unpackUntilZero({ data, values, thread }: Unpacking, at: number): number {
  const end = data.indexOf('\0', at)
  if (end < 0) throw failure(thread, 'unfinished string in data')
  values.push(data.slice(at, end))
  return end - at + 1
}

function demandBytes({ args, data }: Unpacking, at: number, size: number): void {
  if (at < 0 || at + size > data.length) throw args.error(2, 'data string too short')
}

/** Of integers of more than 64 bits, only the low ones are kept. */
function integerOf(bytes: Bytes, { option, size }: Item): number {
  let integer = 0n
  for (let at = bytes.length - 1; at >= 0; at--) integer = (integer << 8n) | BigInt(bytes.charCodeAt(at))
  const low = BigInt.asUintN(64, integer)
  if (option !== option.toLowerCase()) return Number(low)
  const signBits = BigInt.asUintN(64, -1n << BigInt((size * 8 - 1) & 63))
  return Number(BigInt.asIntN(64, (low & signBits) === 0n ? low : low | signBits))
}

function fractionOf(bytes: Bytes): number {
  const littleEndian = new DataView(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0)).buffer)
  return bytes.length === 4 ? littleEndian.getFloat32(0, true) : littleEndian.getFloat64(0, true)
}

/** Bytes from the lowest on, as the item has them, or the other way round. */
function inOrder(bytes: Bytes, { isLittleEndian }: Item): Bytes {
  return isLittleEndian ? bytes : Array.from(bytes).reverse().join('')
}
