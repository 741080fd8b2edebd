import { hashedPart } from '../../util/hash/hashed-part.js'
import type { Key } from '../connection.js'

const SLOTS = 16_384

/** The remainder of each byte by the polynomial of CRC-16/XMODEM. */
const REMAINDERS = Uint16Array.from({ length: 256 }, (_, byte) => {
  let remainder = byte << 8
  for (let bit = 0; bit < 8; bit += 1) remainder = (remainder << 1) ^ (remainder & 0x8000 ? 0x1021 : 0)
  return remainder
})

/**
 * Returns the cluster's hash slot of a key, or of a channel for sharded messages.
 *
 * ioredis looks for another hash tag after an empty one, as in `{}{a}`, and Redis does not.
 */
export function hashSlot(key: Key): number {
  return crc16(hashedBytes(key)) % SLOTS
}

function hashedBytes(key: Key): Buffer {
  return typeof key === 'string'
    ? Buffer.from(hashedPart(key))
    : Buffer.from(hashedPart(key.toString('latin1')), 'latin1')
}

function crc16(bytes: Buffer): number {
  let crc = 0
  for (const byte of bytes) crc = ((crc & 0xff) << 8) ^ (REMAINDERS[(crc >> 8) ^ byte] ?? 0)
  return crc
}
