import type { BitFieldGet, BitFieldIncrement, BitFieldOverflow, BitFieldSet } from './bit-set.api.js'
import type { Argument } from '../../connection/connection.js'
import { wholeNumber } from '../../core/arguments/arguments.js'
import type { Integers } from '../../core/arguments/integers.js'
import { demandOptions, known } from '../../core/arguments/options.js'
import { inspectShort, inspectWord } from '../../util/inspect-short.js'

/** How many bits there may be. */
export const MOST_BITS = 2 ** 32

/** A cell of some bits. */
export interface Cell {
  readonly sign: 'i' | 'u'
  readonly size: number
  readonly offset: number
}

/** What is done with a cell. */
export interface CellOperation extends Cell {
  readonly name: 'get' | 'set' | 'incrby'
  readonly number: bigint
  readonly overflow: BitFieldOverflow
}

const OVERFLOWS: readonly unknown[] = ['WRAP', 'SAT', 'FAIL']

const GET = known<BitFieldGet>({ get: true, offset: true })
const SET = known<BitFieldSet>({ set: true, offset: true, value: true, overflow: true })
const INCREMENT = known<BitFieldIncrement>({ increment: true, offset: true, by: true, overflow: true })

/** The most bits of which every number is one of Lua and of JavaScript. */
const EXACT_BITS = 53

/** Whether a cell can hold more than a number of Lua, by which a script would return it. */
export function isWide({ size }: Cell): boolean {
  return size > EXACT_BITS
}

/** @throws RangeError for a cell that there cannot be */
export function cellOf(sign: 'i' | 'u', size: number, offset: number): Cell {
  const most = sign === 'i' ? 64 : 63
  if (wholeNumber('size', size, 1) > most)
    throw new RangeError(`Expected \`size\` to be ${String(most)} bits or less, got ${String(size)}`)
  if (bitIndex('offset', offset) + size > MOST_BITS)
    throw new RangeError(
      `Expected \`offset\` to be that of a cell that ends with index ${String(MOST_BITS - 1)} or before, got ${String(offset)}`,
    )
  return { sign, size, offset }
}

/** @throws RangeError for what is no index of a bit */
export function bitIndex(name: string, index: number, most = MOST_BITS - 1): number {
  if (wholeNumber(name, index, 0) <= most) return index
  throw new RangeError(`Expected \`${name}\` to be ${String(most)} or less, got ${String(index)}`)
}

/** @throws RangeError for a number that the cell cannot hold */
export function demandFits({ sign, size }: Cell, number: bigint): void {
  const held = sign === 'i' ? BigInt.asIntN(size, number) : BigInt.asUintN(size, number)
  if (held !== number)
    throw new RangeError(
      `Expected \`value\` to be one that a cell of ${String(size)} ${sign === 'i' ? 'signed' : 'unsigned'} bits can hold, got ${inspectShort(number)}`,
    )
}

/** Reads an operation of the program. */
export function operationOf<N extends number | bigint>(
  given: BitFieldGet | BitFieldSet<N> | BitFieldIncrement<N> | null,
  integers: Integers<N>,
): CellOperation {
  if (typeof given !== 'object' || given === null)
    throw new TypeError(`Expected each of \`operations\` to be an object, got ${inspectShort(given)}`)
  if ('get' in given) {
    demandOptions(given, GET)
    return { ...typedCell(given.get, given.offset), name: 'get', number: 0n, overflow: 'WRAP' }
  }
  if ('set' in given) {
    demandOptions(given, SET)
    const cell = typedCell(given.set, given.offset)
    const overflow = overflowOf(given.overflow)
    const number = integers.check('value', given.value)
    return { ...cell, name: 'set', number: overflow === 'SAT' ? saturated(cell, number) : number, overflow }
  }
  demandOptions(given, INCREMENT)
  const cell = typedCell(given.increment, given.offset)
  const number = integers.check('by', given.by)
  return { ...cell, name: 'incrby', number, overflow: overflowOf(given.overflow) }
}

/** What `BITFIELD` is sent. */
export function wordsOf(operations: readonly CellOperation[]): Argument[] {
  return operations.flatMap(({ name, sign, size, offset, number, overflow }) => {
    const cell = [name, `${sign}${String(size)}`, offset]
    return name === 'get' ? cell : ['overflow', overflow, ...cell, String(number)]
  })
}

/** The same as the script for wide cells takes it. */
export function scriptWordsOf(operations: readonly CellOperation[]): Argument[] {
  return operations.flatMap(({ name, sign, size, offset, number, overflow }) => [
    name,
    sign,
    size,
    offset,
    String(number),
    overflow,
  ])
}

/** Redis takes negative numbers for large ones: any of them in an unsigned cell, and those far below the least of a signed one. */
function saturated({ sign, size }: Cell, number: bigint): bigint {
  const least = sign === 'u' ? 0n : -(2n ** BigInt(size - 1))
  return number < least ? least : number
}

function typedCell(type: unknown, offset: number): Cell {
  const [, sign, size] = (typeof type === 'string' && /^([iu])([1-9]\d?)$/.exec(type)) || []
  if (sign === undefined)
    throw new TypeError(
      `Expected a type as 'i8' or 'u5', with at most 64 or 63 bits, got ${inspectShort(type)}`,
    )
  return cellOf(sign as 'i' | 'u', Number(size), offset)
}

function overflowOf(overflow: BitFieldOverflow = 'WRAP'): BitFieldOverflow {
  if (OVERFLOWS.includes(overflow)) return overflow
  throw new TypeError(`Expected \`overflow\` to be WRAP, SAT or FAIL, got ${inspectWord(overflow)}`)
}
