import { isUtf8 } from 'node:buffer'

/** The bytes as a `Buffer` on the same memory. */
export function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

/** What a decoder puts in the place of bytes that are no text. */
const REPLACEMENT = '\u{fffd}'

/** The text that the bytes are in UTF-8; undefined if they are none, where a text would have lost some of them. */
export function textOf(bytes: Uint8Array): string | undefined {
  const text = asBuffer(bytes).toString() // quicker than with the name of the encoding
  // It may also be in a text of its own right.
  return text.includes(REPLACEMENT) && !isUtf8(bytes) ? undefined : text
}
