import { int64, safeInteger, type Decoder } from '../../command/operation/replies.js'
import { wholeNumber } from './arguments.js'
import { UnsafeIntegerError } from '../../errors/reply-errors.js'
import { inspectShort } from '../../util/inspect-short.js'

/** How a program has its integers. */
export interface Integers<N extends number | bigint> {
  /**
   * Checks an argument.
   *
   * @param name - what the caller calls it
   * @throws RangeError or TypeError for what is no such integer
   */
  check(name: string, value: N): bigint
  /** @throws {@link UnsafeIntegerError} for an integer that the program could not have with all of its digits */
  of(value: bigint): N
  /** Reads one from a reply, and throws the same. Of a number no `bigint` is made. */
  readonly read: Decoder<N>
}

/** Integers up to 2⁵³ − 1. */
export const numbers: Integers<number> = {
  check: (name, value) => BigInt(wholeNumber(name, value)),
  of: (value) => {
    const number = Number(value)
    if (Number.isSafeInteger(number)) return number
    throw new UnsafeIntegerError(String(value))
  },
  read: safeInteger,
}

/** Integers of 64 bits. */
export const bigints: Integers<bigint> = {
  check: (name, value) => {
    if (typeof value !== 'bigint')
      throw new TypeError(`Expected \`${name}\` to be a bigint, got ${inspectShort(value)}`)
    if (BigInt.asIntN(64, value) === value) return value
    throw new RangeError(`Expected \`${name}\` to have 64 bits at most, got ${inspectShort(value)}`)
  },
  of: (value) => value,
  read: int64,
}
