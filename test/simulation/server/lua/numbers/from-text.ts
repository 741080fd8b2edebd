import type { Bytes } from '../../reply.js'

/** What most numbers are. */
const PLAIN = /^-?\d{1,15}$/
const SPACE = ' \\t\\n\\v\\f\\r'
const NUMBER = new RegExp(
  `^[${SPACE}]*([+-]?)(?:0[xX]([0-9a-fA-F]*)(?:\\.([0-9a-fA-F]*))?(?:[pP]([+-]?\\d+))?|(\\d+\\.?\\d*(?:[eE][+-]?\\d+)?|\\.\\d+(?:[eE][+-]?\\d+)?)|(inf(?:inity)?)|(nan(?:\\([0-9a-z_]*\\))?))[${SPACE}]*$`,
  'i',
)
const INTEGER = new RegExp(`^[${SPACE}]*([+-]?)(.*?)[${SPACE}]*$`, 's')

const LARGEST_UINT64 = 2n ** 64n - 1n

/** The number that a text is, as `strtod` of C reads it; undefined for what is none. */
export function numberFrom(text: Bytes): number | undefined {
  if (PLAIN.test(text)) return Number(text)
  const match = NUMBER.exec(beforeZero(text))
  if (!match) return undefined
  const [, sign, integer, fraction = '', power, decimal, infinity] = match
  const size =
    integer !== undefined
      ? fromHex(integer, fraction, power)
      : decimal !== undefined
        ? Number(decimal)
        : infinity !== undefined
          ? Infinity
          : NaN
  return sign === '-' && size !== undefined ? -size : size
}

/** The integer that a text is in a base from 2 to 36, as `strtoul` of C reads it. */
export function integerFrom(text: Bytes, base: number): number | undefined {
  const [, sign = '', rest = ''] = INTEGER.exec(beforeZero(text)) ?? []
  const digits = base === 16 ? rest.replace(/^0x(?=[0-9a-f])/i, '') : rest
  const size = fromDigits(digits.toLowerCase(), base)
  if (size === undefined) return undefined
  const fitting = size > LARGEST_UINT64 ? LARGEST_UINT64 : size
  return Number(sign === '-' && size <= LARGEST_UINT64 ? BigInt.asUintN(64, -fitting) : fitting)
}

/** C ends a text with a zero. */
function beforeZero(text: Bytes): Bytes {
  const end = text.indexOf('\0')
  return end < 0 ? text : text.slice(0, end)
}

function fromHex(integer: string, fraction: string, power = '0'): number | undefined {
  const digits = integer + fraction
  if (digits === '') return undefined
  return scaled(BigInt(`0x${digits}`), Number(power) - 4 * fraction.length)
}

/** An integer times a power of two, rounded once. */
function scaled(integer: bigint, power: number): number {
  const value = Number(integer)
  return value * 2 ** power
}

function fromDigits(digits: string, base: number): bigint | undefined {
  if (digits === '') return undefined
  let value = 0n
  for (const digit of digits) {
    const weight = weightOf(digit)
    if (weight >= base) return undefined
    value = value * BigInt(base) + BigInt(weight)
  }
  return value
}

function weightOf(digit: string): number {
  return /[0-9a-z]/.test(digit) ? Number.parseInt(digit, 36) : Infinity
}
