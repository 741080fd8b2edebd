import type { Bytes } from '../../reply.js'
import { toInt, toInt64, toUint64 } from '../numbers/integers.js'
import { isNegative, printed } from '../numbers/printed.js'
import { failure } from '../run/errors.js'
import type { Thread } from '../run/thread.js'
import type { Value } from '../run/values.js'
import type { Arguments } from './arguments.js'

/** One `%` with what belongs to it. */
interface Specification {
  readonly flags: string
  readonly width: number
  /** Undefined if there is none. */
  readonly precision: number | undefined
  readonly conversion: string
}

const SPECIFICATION = /%(?:%|([-+ #0]*)(\d?\d?)(?:(\.)(\d?\d?))?([^]?))/g

const MOST_FLAGS = 5
/** That of numbers with a fraction. */
const USUAL_PRECISION = 6
/** A string of this length is not cut. */
const LONG_STRING = 100

/** `string.format` */
export function format(args: Arguments, thread: Thread): Value {
  let position = 1
  return args.text(1).replace(SPECIFICATION, (all, ...parts: (string | undefined)[]) => {
    if (all === '%%') return '%'
    position += 1
    if (args.isNone(position)) throw args.error(position, 'no value')
    return formatted(specificationOf(parts, thread), args, position, thread)
  })
}

function specificationOf(parts: readonly (string | undefined)[], thread: Thread): Specification {
  const [flags = '', width = '', point, precision = '', conversion = ''] = parts
  if (flags.length > MOST_FLAGS) throw failure(thread, 'invalid format (repeated flags)')
  if (/\d/.test(conversion)) throw failure(thread, 'invalid format (width or precision too long)')
  return {
    flags,
    width: Number(width),
    precision: point === undefined ? undefined : Number(precision),
    conversion,
  }
}

function formatted(specification: Specification, args: Arguments, position: number, thread: Thread): Bytes {
  const { conversion } = specification
  switch (conversion) {
    case 'c':
      return beforeZero(character(args.number(position), specification))
    case 'd':
    case 'i':
      return signedInteger(args.number(position), specification)
    case 'o':
    case 'u':
    case 'x':
    case 'X':
      return unsignedInteger(args.number(position), specification)
    case 'e':
    case 'E':
    case 'f':
    case 'g':
    case 'G':
      return fractional(args.number(position), specification)
    case 'q':
      return quoted(args.text(position))
    case 's':
      return string(args.text(position), specification)
    default:
      throw failure(thread, `invalid option '%${conversion}' to 'format'`)
  }
}

function signedInteger(number: number, specification: Specification): Bytes {
  const integer = BigInt(toInt64(number))
  const digits = (integer < 0n ? -integer : integer).toString()
  return paddedInteger(digits, signOf(integer < 0n, specification), specification)
}

function unsignedInteger(number: number, specification: Specification): Bytes {
  const { conversion, flags } = specification
  const integer = toUint64(number)
  const isAlternate = flags.includes('#')
  if (conversion === 'u') return paddedInteger(integer.toString(), '', specification)
  if (conversion === 'o') {
    const digits = withPrecision(integer.toString(8), specification)
    return filled(isAlternate && !digits.startsWith('0') ? `0${digits}` : digits, '', specification)
  }
  const prefix = isAlternate && integer !== 0n ? '0x' : ''
  const text = paddedInteger(integer.toString(16), prefix, specification)
  return conversion === 'X' ? text.toUpperCase() : text
}

function paddedInteger(digits: string, prefix: string, specification: Specification): Bytes {
  return filled(withPrecision(digits, specification), prefix, specification)
}

/** Where the number of digits is given, zeros do not fill the width. */
function filled(digits: string, prefix: string, specification: Specification): Bytes {
  const { flags, precision } = specification
  const plain =
    precision === undefined ? specification : { ...specification, flags: flags.replaceAll('0', '') }
  return padded(digits, prefix, plain)
}

/** Of 0, no digit is left where none has to be. */
function withPrecision(digits: string, { precision }: Specification): string {
  return precision === 0 && digits === '0' ? '' : digits.padStart(precision ?? 1, '0')
}

function fractional(number: number, specification: Specification): Bytes {
  const { conversion, flags, precision = USUAL_PRECISION } = specification
  const text = printed(number, { conversion, precision, isAlternate: flags.includes('#') })
  const sign = signOf(isNegative(number), specification)
  const plain = Number.isFinite(number)
    ? specification
    : { ...specification, flags: flags.replaceAll('0', '') }
  return padded(text, sign, plain)
}

function signOf(isBelowZero: boolean, { flags }: Specification): string {
  if (isBelowZero) return '-'
  if (flags.includes('+')) return '+'
  return flags.includes(' ') ? ' ' : ''
}

function padded(text: Bytes, prefix: string, { flags, width }: Specification): Bytes {
  const length = width - prefix.length
  if (flags.includes('-')) return (prefix + text).padEnd(width)
  return flags.includes('0') ? prefix + text.padStart(length, '0') : (prefix + text).padStart(width)
}

function character(code: number, specification: Specification): Bytes {
  const plain = { ...specification, flags: specification.flags.replaceAll('0', '') }
  return padded(String.fromCharCode(toInt(code) & 0xff), '', plain)
}

function string(text: Bytes, specification: Specification): Bytes {
  const { precision } = specification
  if (precision === undefined && text.length >= LONG_STRING) return text
  const ofC = beforeZero(text)
  const plain = { ...specification, flags: specification.flags.replaceAll('0', '') }
  return padded(precision === undefined ? ofC : ofC.slice(0, precision), '', plain)
}

/** C ends a text with a zero. */
function beforeZero(text: Bytes): Bytes {
  const end = text.indexOf('\0')
  return end < 0 ? text : text.slice(0, end)
}

/** A string as Lua would read it. */
function quoted(text: Bytes): Bytes {
  const inside = text.replace(/["\\\n\r\0]/g, (character) => {
    if (character === '\r') return '\\r'
    return character === '\0' ? '\\000' : `\\${character}`
  })
  return `"${inside}"`
}
