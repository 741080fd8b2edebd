import type { Codec } from '../api/codec.js'
import { textOf } from './bytes.js'
import { cannotDecode, cannotEncode, kindOf } from './codec-failure.js'

const NAME = 'string'

/**
 * Writes a text as its bytes in UTF-8, as `StringCodec` of Redisson for Java does.
 *
 * A text with half of a surrogate pair is an error, since UTF-8 has no bytes for it and two such texts would become one. So are bytes
 * that are not UTF-8.
 */
export function stringCodec(): Codec<string> {
  return codec
}

const codec: Codec<string> = Object.freeze({ name: NAME, encode, decode })

function encode(value: string): string {
  if (typeof value !== 'string') throw cannotEncode(NAME, 'a text', kindOf(value))
  if (!value.isWellFormed()) throw cannotEncode(NAME, 'a text', 'one with half of a surrogate pair')
  return value
}

function decode(bytes: Uint8Array): string {
  const text = textOf(bytes)
  if (text === undefined) throw cannotDecode(NAME, 'text in UTF-8', bytes)
  return text
}
