import type { Codec, LongCodecOptions } from '../api/codec.js'
import { textOf } from './bytes.js'
import { cannotDecode, cannotEncode, kindOf } from './codec-failure.js'
import { demandCodecOptions, FLAG } from './codec-options.js'

const NAME = 'long'

/**
 * Writes integers as decimal digits, as `LongCodec` of Redisson for Java does.
 *
 * Without options they are `number`, and one beyond 2⁵³ − 1 is an error, since its last digit would be lost. With `bigint: true` they are
 * `bigint`, of 64 bits as in Java.
 */
export function longCodec(options?: LongCodecOptions<false>): Codec<number>
/** Writes integers of 64 bits as decimal digits, and reads them as `bigint`. */
export function longCodec(options: LongCodecOptions<true>): Codec<bigint>
export function longCodec(options: LongCodecOptions = {}): Codec<number> | Codec<bigint> {
  demandCodecOptions<LongCodecOptions>('longCodec', options, { bigint: FLAG })
  return options.bigint === true ? bigintCodec : numberCodec
}

const numberCodec: Codec<number> = Object.freeze({
  name: NAME,
  encode(value: number) {
    if (Number.isSafeInteger(value)) return String(value)
    throw cannotEncode(NAME, 'an integer from −(2⁵³ − 1) to 2⁵³ − 1', kindOf(value))
  },
  decode(bytes: Uint8Array) {
    const value = Number(digitsOf(bytes))
    if (Number.isSafeInteger(value)) return value
    throw cannotDecode(
      NAME,
      'an integer from −(2⁵³ − 1) to 2⁵³ − 1, as longCodec({ bigint: true }) reads others',
      bytes,
    )
  },
})

const bigintCodec: Codec<bigint> = Object.freeze({
  name: NAME,
  encode(value: bigint) {
    if (typeof value === 'bigint' && isLong(value)) return String(value)
    throw cannotEncode(
      NAME,
      'a bigint of 64 bits',
      typeof value === 'bigint' ? 'a longer one' : kindOf(value),
    )
  },
  decode(bytes: Uint8Array) {
    const value = BigInt(digitsOf(bytes))
    if (isLong(value)) return value
    throw cannotDecode(NAME, 'an integer of 64 bits', bytes)
  },
})

/** The longest integer of 64 bits has 20 characters. More are accepted for zeros in front, but not without bounds. */
const integer = /^[+-]?\d{1,40}$/

function digitsOf(bytes: Uint8Array): string {
  const text = textOf(bytes)
  if (text === undefined || !integer.test(text))
    throw cannotDecode(NAME, 'an integer in decimal digits', bytes)
  return text.startsWith('+') ? text.slice(1) : text
}

function isLong(value: bigint): boolean {
  return BigInt.asIntN(64, value) === value
}
