/** Digits, of which the first has the weight of ten to the exponent. */
export interface Decimal {
  readonly digits: string
  readonly exponent: number
}

/** An integer divided by a power of ten. */
interface Fraction {
  readonly integer: bigint
  readonly scale: number
}

const FRACTION_BITS = 52n
const LEAST_EXPONENT = -1074
const bits = new DataView(new ArrayBuffer(8))

/** So many digits of a finite number, the last one rounded. The sign is left out. */
export function significantDigits(number: number, count: number): Decimal {
  if (number === 0) return { digits: '0'.repeat(count), exponent: 0 }
  const { integer, scale } = exactly(number)
  const length = integer.toString().length
  const digits = roundedQuotient(integer, length - count).toString()
  const exponent = length - 1 - scale
  return digits.length > count
    ? { digits: digits.slice(0, count), exponent: exponent + 1 }
    : { digits, exponent }
}

/** A finite number with the given number of decimals, without its sign. */
export function fixedDecimals(number: number, decimals: number): string {
  if (decimals === 0 && Number.isSafeInteger(number)) return Math.abs(number).toString()
  const { integer, scale } = exactly(number)
  const digits = roundedQuotient(integer, scale - decimals)
    .toString()
    .padStart(decimals + 1, '0')
  const point = digits.length - decimals
  return decimals === 0 ? digits : `${digits.slice(0, point)}.${digits.slice(point)}`
}

function exactly(number: number): Fraction {
  bits.setFloat64(0, Math.abs(number))
  const all = bits.getBigUint64(0)
  const biased = Number(all >> FRACTION_BITS)
  const fraction = BigInt.asUintN(Number(FRACTION_BITS), all)
  const mantissa = biased === 0 ? fraction : fraction | (1n << FRACTION_BITS)
  const exponent = LEAST_EXPONENT + Math.max(biased - 1, 0)
  return exponent >= 0
    ? { integer: mantissa << BigInt(exponent), scale: 0 }
    : { integer: mantissa * 5n ** BigInt(-exponent), scale: -exponent }
}

/** Divides by a power of ten. As in C, what lies in the middle goes to the even neighbour. */
function roundedQuotient(integer: bigint, powerOfTen: number): bigint {
  if (powerOfTen <= 0) return integer * 10n ** BigInt(-powerOfTen)
  const divisor = 10n ** BigInt(powerOfTen)
  const quotient = integer / divisor
  const twice = (integer % divisor) * 2n
  const isUp = twice === divisor ? quotient % 2n === 1n : twice > divisor
  return isUp ? quotient + 1n : quotient
}
