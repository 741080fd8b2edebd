import { CommandError } from './command-error.js'
import type { Bytes } from './reply.js'

/**
 * The numbers by which `INCRBYFLOAT` and `HINCRBYFLOAT` count: the long double of x86, which has a mantissa of 64 bits. Its sums are
 * 0.3 where those of JavaScript are 0.30000000000000004.
 */
export interface LongDouble {
  /** The value is `mantissa * 2 ** exponent`. */
  readonly mantissa: bigint
  readonly exponent: number
}

const MANTISSA_BITS = 64

/** How many digits of a fraction Redis writes. */
const FRACTION_DIGITS = 17

const FORM = /^([+-]?)(\d*)\.?(\d*)(?:e([+-]?\d+))?$/i

/** Reads a decimal number. Exponents of more than four digits are not read: no double has them. */
export function longDoubleOf(text: Bytes): LongDouble | undefined {
  const [, sign, whole = '', fraction = '', power = '0'] = FORM.exec(text) ?? []
  const digits = whole + fraction
  if (sign === undefined || digits === '' || power.length > 5) return undefined
  const exponent = Number(power) - fraction.length
  const value = BigInt(digits) * (sign === '-' ? -1n : 1n)
  return exponent >= 0
    ? rounded(value * 10n ** BigInt(exponent), 1n)
    : rounded(value, 10n ** BigInt(-exponent))
}

export function demandLongDouble(text: Bytes, message = 'ERR value is not a valid float'): LongDouble {
  const value = longDoubleOf(text)
  if (value === undefined) throw new CommandError(message)
  return value
}

export function add(one: LongDouble, other: LongDouble): LongDouble {
  const exponent = Math.min(one.exponent, other.exponent)
  const sum = shifted(one, exponent) + shifted(other, exponent)
  return exponent >= 0 ? rounded(sum << BigInt(exponent), 1n) : rounded(sum, 1n << BigInt(-exponent))
}

/** Writes the number without an exponent, with up to 17 digits of a fraction. */
export function longDoubleText({ mantissa, exponent }: LongDouble): Bytes {
  const scale = 10n ** BigInt(FRACTION_DIGITS)
  const scaled =
    exponent >= 0
      ? (mantissa << BigInt(exponent)) * scale
      : divided(mantissa * scale, 1n << BigInt(-exponent))
  const digits = (scaled < 0n ? -scaled : scaled).toString().padStart(FRACTION_DIGITS + 1, '0')
  const fraction = digits.slice(-FRACTION_DIGITS).replace(/0+$/, '')
  const text = digits.slice(0, -FRACTION_DIGITS) + (fraction === '' ? '' : `.${fraction}`)
  return scaled < 0n ? `-${text}` : text
}

function shifted({ mantissa, exponent }: LongDouble, to: number): bigint {
  return mantissa << BigInt(exponent - to)
}

/** The long double next to a quotient. */
function rounded(numerator: bigint, denominator: bigint): LongDouble {
  if (numerator === 0n) return { mantissa: 0n, exponent: 0 }
  const bits = bitsOf(numerator) - bitsOf(denominator)
  // One bit more or less is what the lengths of the two do not tell.
  for (let exponent = bits - MANTISSA_BITS - 1; ; exponent += 1) {
    const mantissa =
      exponent >= 0
        ? divided(numerator, denominator << BigInt(exponent))
        : divided(numerator << BigInt(-exponent), denominator)
    if (bitsOf(mantissa) <= MANTISSA_BITS) return { mantissa, exponent }
  }
}

/** Divides, and rounds to the nearest; a tie to the even one. */
function divided(numerator: bigint, denominator: bigint): bigint {
  const sign = numerator < 0n ? -1n : 1n
  const magnitude = numerator * sign
  const [quotient, twice] = [magnitude / denominator, (magnitude % denominator) * 2n]
  const up = twice > denominator || (twice === denominator && quotient % 2n === 1n)
  return sign * (quotient + (up ? 1n : 0n))
}

function bitsOf(value: bigint): number {
  return (value < 0n ? -value : value).toString(2).length
}
