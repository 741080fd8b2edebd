import { CommandError, syntaxError } from '../command-error.js'
import { compact, demandInteger } from '../numbers.js'
import type { Bytes, Reply } from '../reply.js'
import { command, word, type Command, type Context } from './command.js'

/** The most bytes that a string has. */
export const MOST_BYTES = 2n ** 29n

export const bits: readonly Command[] = [
  command('setbit', 4, 'grow', (context, args) => {
    const at = bitOffset(word(args, 1))
    const on = bitOf(word(args, 2), 'ERR bit is not an integer or out of range')
    const string = openString(context, word(args, 0), at)
    const before = bitAt(string.bytes, at)
    setBit(string.bytes, at, on)
    save(context, word(args, 0), string, before !== on)
    return before
  }),
  command('getbit', 3, 'read', ({ database }, args) => {
    const at = bitOffset(word(args, 1))
    return bitAt(bytesOf(database.read(word(args, 0), 'string') ?? ''), at)
  }),
  command('bitcount', -2, 'read', ({ database }, args) => {
    const value = database.read(word(args, 0), 'string')
    if (value === undefined) return 0
    if (args.length !== 1 && args.length !== 3) throw syntaxError()
    const range = isBackward(args.slice(1)) ? undefined : rangeOf(value.length, args.slice(1))
    return range === undefined ? 0 : countOf(bytesOf(value).subarray(range[0], range[1] + 1))
  }),
  command('bitpos', -3, 'read', ({ database }, args) => {
    const wanted = bitOf(word(args, 1), 'ERR The bit argument must be 1 or 0.')
    const value = database.read(word(args, 0), 'string')
    if (value === undefined) return wanted === 1 ? -1 : 0
    if (args.length > 4) throw syntaxError()
    const range = rangeOf(value.length, args.slice(2))
    return range === undefined ? -1 : positionOf(bytesOf(value), wanted, range, args.length > 3)
  }),
  command('bitop', -4, 'grow', bitop),
  command('bitfield', -2, 'grow', (context, args) => bitfield(context, args)),
  command('bitfield_ro', -2, 'read', (context, args) => {
    const steps = stepsOf(args.slice(1))
    if (steps.some(({ kind }) => kind !== 'get'))
      throw new CommandError('ERR BITFIELD_RO only supports the GET subcommand')
    return bitfield(context, args)
  }),
]

/** A string that is about to be changed. */
interface OpenString {
  readonly bytes: Uint8Array
  /** Whether it has become longer for that. */
  readonly hasGrown: boolean
}

/** A string that has a bit at this place. */
function openString({ database }: Context, key: Bytes, last: number): OpenString {
  const present = bytesOf(database.read(key, 'string') ?? '')
  const length = Math.max(present.length, Math.floor(last / 8) + 1)
  const bytes = new Uint8Array(length)
  bytes.set(present)
  return { bytes, hasGrown: length > present.length }
}

/** Redis notifies of what has become longer, or other than it was. */
function save({ database, notify }: Context, key: Bytes, { bytes, hasGrown }: OpenString, isOther: boolean) {
  const value = Buffer.from(bytes).toString('latin1')
  database.put(key, { type: 'string', value, expireAt: database.find(key)?.expireAt })
  if (hasGrown || isOther) notify('$', 'setbit', key)
}

function bytesOf(value: Bytes): Uint8Array {
  return Buffer.from(value, 'latin1')
}

function bitAt(bytes: Uint8Array, at: number): 0 | 1 {
  return ((bytes[Math.floor(at / 8)] ?? 0) & (0x80 >> (at % 8))) === 0 ? 0 : 1
}

function setBit(bytes: Uint8Array, at: number, on: 0 | 1): void {
  const place = Math.floor(at / 8)
  const mask = 0x80 >> (at % 8)
  const byte = bytes[place] ?? 0
  bytes[place] = on === 1 ? byte | mask : byte & ~mask
}

function countOf(bytes: Uint8Array): number {
  let count = 0
  for (let at = 0; at < bytes.length * 8; at += 1) count += bitAt(bytes, at)
  return count
}

/** The first such bit within a range of bytes. A zero may follow the last byte, unless the range has an end. */
function positionOf(
  bytes: Uint8Array,
  wanted: 0 | 1,
  [from, to]: readonly [number, number],
  hasEnd: boolean,
): number {
  for (let at = from * 8; at < (to + 1) * 8; at += 1) if (bitAt(bytes, at) === wanted) return at
  return wanted === 0 && !hasEnd ? (to + 1) * 8 : -1
}

/** Whether both ends of a range count from the back, the last one first: BITCOUNT counts nothing then, and GETRANGE returns nothing, while BITPOS may find something. */
export function isBackward(words: readonly Bytes[]): boolean {
  const [from = 0n, to = 0n] = words.map((each) => demandInteger(each))
  return from < 0n && to < 0n && from > to
}

/** The first and the last byte of a range, which counts from the back below zero; undefined if there is none between them. */
export function rangeOf(length: number, words: readonly Bytes[]): readonly [number, number] | undefined {
  const [from = 0, to = length - 1] = words.map((each) => Number(demandInteger(each)))
  const first = Math.max(0, from < 0 ? from + length : from)
  const last = Math.min(Math.max(0, to < 0 ? to + length : to), length - 1)
  return first > last ? undefined : [first, last]
}

/** A place of a bit. Behind `#` it counts in cells of that many bits. */
function bitOffset(text: Bytes, cell?: number): number {
  const message = 'ERR bit offset is not an integer or out of range'
  const isInCells = cell !== undefined && text.startsWith('#')
  const count = integerOr(isInCells ? text.slice(1) : text, message)
  const at = isInCells ? count * BigInt(cell) : count
  if (at < 0n || at / 8n >= MOST_BYTES) throw new CommandError(message)
  return Number(at)
}

function bitOf(text: Bytes, message: string): 0 | 1 {
  const isPosition = message.includes('argument')
  const value = isPosition ? demandInteger(text) : integerOr(text, message)
  if (value !== 0n && value !== 1n) throw new CommandError(message)
  return value === 1n ? 1 : 0
}

/** Reads an integer; an error has other words than usual. */
function integerOr(text: Bytes, message: string): bigint {
  return demandInteger(text, () => new CommandError(message))
}

const OPERATIONS: Readonly<Record<string, (one: number, other: number) => number>> = {
  AND: (one, other) => one & other,
  OR: (one, other) => one | other,
  XOR: (one, other) => one ^ other,
  NOT: (one) => ~one,
}

function bitop({ database, notify }: Context, [name = '', target = '', ...keys]: readonly Bytes[]): Reply {
  const operation = OPERATIONS[name.toUpperCase()]
  if (operation === undefined) throw syntaxError()
  const isNot = name.toUpperCase() === 'NOT'
  if (isNot && keys.length !== 1)
    throw new CommandError('ERR BITOP NOT must be called with a single source key.')
  const sources = keys.map((key) => bytesOf(database.read(key, 'string') ?? ''))
  const length = Math.max(...sources.map((source) => source.length))
  if (length === 0) {
    if (database.find(target) === undefined) return 0
    database.remove(target)
    notify('g', 'del', target)
    return 0
  }
  const [first = new Uint8Array(), ...others] = sources
  const result = Array.from({ length }, (_, at) => {
    const start = first[at] ?? 0
    const byte = isNot
      ? operation(start, 0)
      : others.reduce((sum, each) => operation(sum, each[at] ?? 0), start)
    return byte & 0xff
  })
  database.put(target, { type: 'string', value: Buffer.from(result).toString('latin1') })
  notify('$', 'set', target)
  return length
}

type Overflow = 'WRAP' | 'SAT' | 'FAIL'

/** One operation of a bit field. */
interface Step {
  readonly kind: 'get' | 'set' | 'incrby'
  readonly isSigned: boolean
  readonly bits: number
  readonly at: number
  readonly operand: bigint
  readonly overflow: Overflow
}

const OPERANDS: Readonly<Record<string, number>> = { GET: 2, SET: 3, INCRBY: 3, OVERFLOW: 1 }

function stepsOf(words: readonly Bytes[]): readonly Step[] {
  const steps: Step[] = []
  let overflow: Overflow = 'WRAP'
  for (let at = 0; at < words.length;) {
    const name = word(words, at).toUpperCase()
    const count = OPERANDS[name]
    if (count === undefined || words.length - at - 1 < count) throw syntaxError()
    const given = words.slice(at + 1, at + 1 + count)
    if (name === 'OVERFLOW') overflow = overflowOf(word(given, 0))
    else steps.push(stepOf(name.toLowerCase() as Step['kind'], given, overflow))
    at += 1 + count
  }
  return steps
}

function overflowOf(text: Bytes): Overflow {
  const found = (['WRAP', 'SAT', 'FAIL'] as const).find((each) => each === text.toUpperCase())
  if (found === undefined) throw new CommandError('ERR Invalid OVERFLOW type specified')
  return found
}

function stepOf(kind: Step['kind'], given: readonly Bytes[], overflow: Overflow): Step {
  const message =
    'ERR Invalid bitfield type. Use something like i16 u8. Note that u64 is not supported but i64 is.'
  const type = word(given, 0)
  const isSigned = type.startsWith('i')
  if (!isSigned && !type.startsWith('u')) throw new CommandError(message)
  const width = Number(integerOr(type.slice(1), message))
  if (width < 1 || width > (isSigned ? 64 : 63)) throw new CommandError(message)
  const at = bitOffset(word(given, 1), width)
  const operand = kind === 'get' ? 0n : demandInteger(word(given, 2))
  return { kind, isSigned, bits: width, at, operand, overflow }
}

function bitfield(context: Context, args: readonly Bytes[]): Reply {
  const key = word(args, 0)
  const steps = stepsOf(args.slice(1))
  const writing = steps.filter(({ kind }) => kind !== 'get')
  if (writing.length === 0) {
    const bytes = bytesOf(context.database.read(key, 'string') ?? '')
    return steps.map((step) => compact(cellAt(bytes, step)))
  }
  const last = Math.max(...writing.map((step) => step.at + step.bits - 1))
  const string = openString(context, key, last)
  let isOther = false
  const replies = steps.map((step) => {
    const before = cellAt(string.bytes, step)
    const after = cellAfter(step, before)
    if (after === undefined) return null
    if (step.kind !== 'get') setCell(string.bytes, step, after)
    isOther ||= after !== before
    return compact(step.kind === 'incrby' ? after : before)
  })
  save(context, key, string, isOther)
  return replies
}

/** What a cell becomes; undefined if that would be too much and shall fail. */
function cellAfter({ kind, operand, overflow, ...cell }: Step, before: bigint): bigint | undefined {
  if (kind === 'get') return before
  const [least, most] = boundsOf(cell)
  // What is set to an unsigned cell counts as unsigned itself.
  const given = cell.isSigned ? operand : BigInt.asUintN(64, operand)
  const wanted = kind === 'set' ? given : before + operand
  if (wanted >= least && wanted <= most) return wanted
  if (overflow === 'FAIL') return undefined
  if (overflow === 'SAT') return wanted > most ? most : least
  return cell.isSigned ? BigInt.asIntN(cell.bits, wanted) : BigInt.asUintN(cell.bits, wanted)
}

function boundsOf({ isSigned, bits: width }: Pick<Step, 'isSigned' | 'bits'>): readonly [bigint, bigint] {
  if (!isSigned) return [0n, 2n ** BigInt(width) - 1n]
  const half = 2n ** BigInt(width - 1)
  return [-half, half - 1n]
}

function cellAt(bytes: Uint8Array, { at, bits: width, isSigned }: Step): bigint {
  let value = 0n
  for (let place = at; place < at + width; place += 1) value = value * 2n + BigInt(bitAt(bytes, place))
  return isSigned ? BigInt.asIntN(width, value) : value
}

function setCell(bytes: Uint8Array, { at, bits: width }: Step, value: bigint): void {
  for (let place = 0; place < width; place += 1)
    setBit(bytes, at + width - 1 - place, (value >> BigInt(place)) & 1n ? 1 : 0)
}
