import { bytesCodec } from '../../codec/bytes-codec.js'
import type { Codec } from '../../api/codec.js'
import { cannotEncode } from '../../codec/codec-failure.js'
import { repliedWords } from '../../errors/lasting-failure.js'

/** How many bytes a string of Redis has at most, unless `proto-max-bulk-len` of the server is less. */
export const MOST_BYTES = 2 ** 29

/** What Redis says of a string that would become longer, and of a chunk that is longer, before it closes the connection. */
const REFUSAL = /string exceeds maximum allowed size|Protocol error: invalid bulk length/

const bytes = bytesCodec()

/** Leaves bytes as they are, and refuses more of them than a string can have: the server would close the connection. */
export const limitedBytes: Codec<Uint8Array> = Object.freeze({
  ...bytes,
  encode: (value: Uint8Array) => {
    const encoded = bytes.encode(value)
    if (encoded.length <= MOST_BYTES) return encoded
    throw cannotEncode(bytes.name, `at most ${String(MOST_BYTES)} bytes`, `${String(encoded.length)} bytes`)
  },
})

/** @throws RangeError for bytes that would end beyond those that a string can have */
export function demandWithinLimit(object: string, end: number): void {
  if (end > MOST_BYTES) throw tooLong(object, `to end at ${String(MOST_BYTES)} or before, got ${String(end)}`)
}

/**
 * What a request resolves with that makes a string longer.
 *
 * @throws RangeError where the server finds it too long
 */
export async function withinLimit<T>(object: string, asked: Promise<T>): Promise<T> {
  try {
    return await asked
  } catch (error) {
    if (!isRefusal(error)) throw error
    throw tooLong(object, 'to be no longer than the server allows', { cause: error })
  }
}

function isRefusal(error: unknown): boolean {
  return REFUSAL.test(repliedWords(error))
}

function tooLong(object: string, expected: string, options?: ErrorOptions): RangeError {
  return new RangeError(`Expected the binary stream ${object} ${expected}`, options)
}
