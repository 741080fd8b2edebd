import type { Bytes } from '../../reply.js'
import { isNegative, printed } from './printed.js'

/** How many digits a number has as a text of Lua. */
const DIGITS_OF_LUA = 14
/** How many it has as an argument of a command. */
const DIGITS_OF_COMMANDS = 17

/** From here on 14 digits do not suffice for an integer. */
const LARGEST_PLAIN = 1e14
/** Below that it is written with an exponent. */
const LEAST_PLAIN = 1e-4

/** The text of a number, as `tostring` and `..` have it. */
export function textOf(number: number): Bytes {
  return briefly(number) ?? inDigits(number, DIGITS_OF_LUA)
}

/** The text of a number as an argument of a command. */
export function argumentOf(number: number): Bytes {
  return Number.isSafeInteger(number) && !Object.is(number, -0)
    ? number.toString()
    : inDigits(number, DIGITS_OF_COMMANDS)
}

/** A number in the given number of digits, as by `%.14g`. */
export function inDigits(number: number, digits: number): Bytes {
  const text = printed(number, { conversion: 'g', precision: digits, isAlternate: false })
  return isNegative(number) ? `-${text}` : text
}

/** The text where JavaScript and C agree, as they do on nearly all numbers. */
function briefly(number: number): Bytes | undefined {
  const size = Math.abs(number)
  if (!(size < LARGEST_PLAIN) || Object.is(number, -0)) return undefined
  if (Number.isInteger(number)) return number.toString()
  if (size < LEAST_PLAIN) return undefined
  const text = size.toString()
  const point = 1
  return text.replace(/^0\.0*/, '').length <= DIGITS_OF_LUA + (size < 1 ? 0 : point)
    ? number.toString()
    : undefined
}
