import type { Codec } from '../api/codec.js'
import { textOf } from './bytes.js'
import { cannotDecode, cannotEncode, kindOf } from './codec-failure.js'
import { javaDouble } from './java-double.js'

const NAME = 'double'
const ZERO = '0.0'

/** Numbers as Java and Redis write them. */
const decimal = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/
const special = /^[+-]?(?:NaN|Infinity)$/

/**
 * Writes numbers as `DoubleCodec` of Redisson for Java does: `1.0`, `1.0E7`, `NaN`, `-Infinity`. It writes −0 as 0.
 *
 * It reads any decimal number, with or without an exponent.
 */
export function doubleCodec(): Codec<number> {
  return codec
}

const codec: Codec<number> = Object.freeze({ name: NAME, encode, decode })

function encode(value: number): string {
  if (typeof value !== 'number') throw cannotEncode(NAME, 'a number', kindOf(value))
  if (value === 0) return ZERO // also for −0, which a program takes for the same value
  return Number.isFinite(value) ? javaDouble(value) : String(value)
}

function decode(bytes: Uint8Array): number {
  const text = textOf(bytes)
  if (text !== undefined && (decimal.test(text) || special.test(text)))
    return Number(text.replace(/^[+-](?=NaN)/, ''))
  throw cannotDecode(NAME, 'a decimal number', bytes)
}
