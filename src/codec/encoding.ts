import { types } from 'node:util'
import type { Codec } from '../api/codec.js'
import { CodecError } from '../errors/codec-errors.js'
import { asBuffer } from './bytes.js'
import { cannotDecode, cannotEncode, forget, isEncoded, kindOf, notEncoded } from './codec-failure.js'
import { AsyncSchemaError } from './schema-codec.js'

/** Where a value is, for the error that says so. */
export interface Place {
  /** The name of the object. */
  readonly object: string
  /** The key of the value in its object, if it has one. */
  readonly key?: string
  /** What the program can do where the codec cannot write the value. */
  readonly advice?: string
}

/**
 * Makes of a value what is sent: a text, which stands for its bytes in UTF-8, or bytes.
 *
 * @throws {@link CodecError} with the place, for any error of the codec; `TypeError` for a schema that does not check at once
 */
export function encodeAt<T>(codec: Codec<T>, value: T, place: Place): string | Buffer {
  const encoded = encodedBy(codec, value, place)
  if (isEncoded(encoded)) return typeof encoded === 'string' ? encoded : asBuffer(encoded)
  throw placed(notEncoded(codec.name, encoded), place)
}

/** The same as bytes, for comparison or hashing. */
export function encodeBytesAt<T>(codec: Codec<T>, value: T, place: Place): Buffer {
  const encoded = encodeAt(codec, value, place)
  return typeof encoded === 'string' ? Buffer.from(encoded) : encoded
}

/**
 * Makes a value of bytes from Redis.
 *
 * @throws {@link CodecError} with the place, for any error of the codec; `TypeError` for a schema that does not check at once
 */
export function decodeAt<T>(codec: Codec<T>, bytes: Uint8Array, place: Place): T {
  const value = decodedBy(codec, bytes, place)
  if (!types.isPromise(value)) return value
  forget(value)
  throw placed(
    cannotDecode(codec.name, 'its decode() to return a value, and no promise of one', bytes),
    place,
  )
}

function decodedBy<T>(codec: Codec<T>, bytes: Uint8Array, place: Place): T {
  try {
    return codec.decode(bytes)
  } catch (error) {
    if (error instanceof AsyncSchemaError) throw error
    if (error instanceof CodecError) throw placed(error, place)
    throw placed(cannotDecode(codec.name, 'what its decode() reads', bytes, { cause: error }), place)
  }
}

function encodedBy<T>(codec: Codec<T>, value: T, place: Place): unknown {
  try {
    return codec.encode(value)
  } catch (error) {
    if (error instanceof AsyncSchemaError) throw error
    if (error instanceof CodecError) throw placed(error, place)
    const got = kindOf(value)
    throw placed(cannotEncode(codec.name, 'what its encode() writes', got, { cause: error }), place)
  }
}

/** The error with the place of the value, and with the cause that it had. */
function placed(error: CodecError, { object, key, advice }: Place): CodecError {
  const { codec, action, got, bytes, cause } = error
  const expected = advice === undefined ? error.expected : `${error.expected} (${advice})`
  const facts = { codec, action, expected, got, bytes, object, key }
  return new CodecError(facts, cause === undefined ? undefined : { cause })
}
