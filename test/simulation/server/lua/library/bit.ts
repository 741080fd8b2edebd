import type { Bytes } from '../../reply.js'
import type { Body } from '../run/values.js'
import type { Arguments } from './arguments.js'
import { giving } from './functions.js'

/** Added to a number, it moves the bits before the point to the end of the mantissa. */
const SHIFTING = 2 ** 52 + 2 ** 51

const MOST_HEX_DIGITS = 8
const view = new DataView(new ArrayBuffer(8))

/** The library `bit`: operations on 32 bits. */
export const bit: Record<string, Body> = {
  arshift: shifting((bits, count) => bits >> count),
  band: folding((one, other) => one & other),
  bnot: giving((args) => ~bitsAt(args, 1)),
  bor: folding((one, other) => one | other),
  bswap: giving((args) => swapped(bitsAt(args, 1))),
  bxor: folding((one, other) => one ^ other),
  lshift: shifting((bits, count) => bits << count),
  rol: shifting((bits, count) => (bits << count) | (bits >>> (32 - count))),
  ror: shifting((bits, count) => (bits >>> count) | (bits << (32 - count))),
  rshift: shifting((bits, count) => (bits >>> count) | 0),
  tobit: giving((args) => bitsAt(args, 1)),
  tohex: giving(toHex),
}

/** The low 32 bits of a number. A fraction is rounded to the even neighbour. */
function bitsAt(args: Arguments, position: number): number {
  view.setFloat64(0, args.number(position) + SHIFTING)
  return view.getInt32(4)
}

function folding(combine: (one: number, other: number) => number): Body {
  return giving((args) => {
    let result = bitsAt(args, 1)
    for (let position = args.count; position > 1; position--) result = combine(result, bitsAt(args, position))
    return result
  })
}

function shifting(shift: (bits: number, count: number) => number): Body {
  return giving((args) => {
    const bits = bitsAt(args, 1)
    return shift(bits, bitsAt(args, 2) & 31) | 0
  })
}

function swapped(bits: number): number {
  view.setInt32(0, bits)
  return view.getInt32(0, true)
}

/** In hexadecimal digits: in capital ones if their number is negative. */
function toHex(args: Arguments): Bytes {
  const digits = (bitsAt(args, 1) >>> 0).toString(16).padStart(MOST_HEX_DIGITS, '0')
  const count = args.isNone(2) ? MOST_HEX_DIGITS : bitsAt(args, 2)
  const size = Math.min(Math.abs(count), MOST_HEX_DIGITS)
  const text = digits.slice(MOST_HEX_DIGITS - size)
  return count < 0 ? text.toUpperCase() : text
}
