import { randomBytes } from 'node:crypto'
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

/** The encoded value of a record. What is no record is left as it is, for the codec to refuse. */
export function valueIn(record: Buffer): Buffer {
  const lengthAt = 1 + (record[0] ?? 0)
  const valueAt = lengthAt + LENGTH_BYTES
  if (record.length < valueAt) return record
  const end = valueAt + Number(record.readBigUInt64LE(lengthAt))
  return end === record.length ? record.subarray(valueAt) : record
}
