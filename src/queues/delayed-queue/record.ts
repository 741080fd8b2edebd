import { randomBytes } from 'node:crypto'
import type { Codec } from '../../api/codec.js'
import { asBuffer } from '../../codec/bytes.js'
import type { Argument } from '../../connection/connection.js'

/** How many random bytes a record has, so that no two are equal. */
const RANDOM_BYTES = 8

/** The length of the value, as an integer of 64 bits, the lowest byte first. */
const LENGTH_BYTES = 8

/**
 * A record of a delayed queue, other than all before.
 *
 * It is Redisson's `struct.pack('Bc0Lc0', …)`: how many random bytes there are, these, how long the value is, and the value.
 */
export function recordOf(value: Argument): Buffer {
  const bytes = Buffer.isBuffer(value) ? value : Buffer.from(String(value))
  const head = Buffer.alloc(1 + RANDOM_BYTES + LENGTH_BYTES)
  head.writeUInt8(RANDOM_BYTES)
  randomBytes(RANDOM_BYTES).copy(head, 1)
  head.writeBigUInt64LE(BigInt(bytes.length), 1 + RANDOM_BYTES)
  return Buffer.concat([head, bytes])
}

/** Reads the values of records. */
export function readingRecords<V>(codec: Codec<V>): Codec<V> {
  return {
    name: codec.name,
    encode: (value) => codec.encode(value),
    decode: (record) => codec.decode(valueIn(asBuffer(record))),
  }
}

/** @throws RangeError for what is no record */
export function valueIn(record: Buffer): Buffer {
  const lengthAt = 1 + record.readUInt8()
  const length = Number(record.readBigUInt64LE(lengthAt))
  const value = record.subarray(lengthAt + LENGTH_BYTES)
  if (value.length < length) throw new RangeError(`Expected a record with ${String(length)} bytes of a value`)
  return value.subarray(0, length)
}
