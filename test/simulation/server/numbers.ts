import { CommandError, notAnInteger } from './command-error.js'
import type { Bytes } from './reply.js'

const LEAST = -(2n ** 63n)
const MOST = 2n ** 63n - 1n

/** Reads an integer of 64 bits as Redis does: no sign `+`, no zeros in front, no spaces. */
export function integerOf(text: Bytes): bigint | undefined {
  if (!/^(0|-?[1-9]\d{0,18})$/.test(text)) return undefined
  const value = BigInt(text)
  return value >= LEAST && value <= MOST ? value : undefined
}

/** Reads an integer that has to be one. */
export function demandInteger(text: Bytes, error: () => CommandError = notAnInteger): bigint {
  const value = integerOf(text)
  if (value === undefined) throw error()
  return value
}

/** Reads an integer that counts something, as a number. */
export function demandCount(text: Bytes): number {
  return Number(demandInteger(text))
}

/** Adds two integers of 64 bits, and refuses a sum that has more. */
export function sumOf(one: bigint, other: bigint): bigint {
  const sum = one + other
  if (sum < LEAST || sum > MOST) throw new CommandError('ERR increment or decrement would overflow')
  return sum
}

/** The smallest form of an integer. */
export function compact(value: bigint): number | bigint {
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : value
}

const DECIMAL = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i
const INFINITE = /^[+-]?inf(inity)?$/i

/** Reads a number with a fraction. */
export function doubleOf(text: Bytes): number | undefined {
  if (DECIMAL.test(text)) return finite(Number(text))
  if (INFINITE.test(text)) return text.startsWith('-') ? -Infinity : Infinity
  return undefined
}

/** C reports what is too large for a number, and Redis takes that for none. */
function finite(value: number): number | undefined {
  return Number.isFinite(value) ? value : undefined
}

export function demandDouble(text: Bytes, message = 'ERR value is not a valid float'): number {
  const value = doubleOf(text)
  if (value === undefined) throw new CommandError(message)
  return value
}

/** Writes a number as C does by `%.17g`. */
export function doubleText(value: number): Bytes {
  if (!Number.isFinite(value)) return value > 0 ? 'inf' : '-inf'
  if (value === 0) return Object.is(value, -0) ? '-0' : '0'
  const [digits = '', exponentText = '0'] = value.toExponential(16).split('e')
  const exponent = Number(exponentText)
  if (exponent >= -4 && exponent < 17) return withoutZeros(value.toFixed(Math.max(0, 16 - exponent)))
  const sign = exponent < 0 ? '-' : '+'
  return `${withoutZeros(digits)}e${sign}${String(Math.abs(exponent)).padStart(2, '0')}`
}

/** Cuts off the zeros at the end of a fraction. */
function withoutZeros(text: string): string {
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text
}
