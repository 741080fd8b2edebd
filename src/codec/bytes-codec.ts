import { types } from 'node:util'
import type { Codec } from '../api/codec.js'
import { ownBytes } from '../util/own-bytes.js'
import { cannotEncode, kindOf } from './codec-failure.js'

const NAME = 'bytes'

/** Leaves bytes as they are, as `ByteArrayCodec` of Redisson for Java does: for files, and for formats that the program knows itself. */
export function bytesCodec(): Codec<Uint8Array> {
  return codec
}

const codec: Codec<Uint8Array> = Object.freeze({ name: NAME, encode, decode: ownBytes })

function encode(value: Uint8Array): Uint8Array {
  if (!types.isUint8Array(value)) throw cannotEncode(NAME, 'a Uint8Array', kindOf(value))
  if (value.length === 0 && isOutOfBounds(value))
    throw cannotEncode(
      NAME,
      'a Uint8Array that has its memory',
      'one whose buffer was transferred or made shorter',
    )
  return Buffer.from(value) // the program may change its own while the request is under way, or is sent again
}

/** It has a length of 0 then, as if it were empty. */
function isOutOfBounds(value: Uint8Array): boolean {
  try {
    Uint8Array.prototype.at.call(value, 0)
    return false
  } catch {
    return true
  }
}
