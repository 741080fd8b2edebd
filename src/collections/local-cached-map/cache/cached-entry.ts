import type { Argument } from '../../../connection/connection.js'
import { highwayHash128 } from '../../../util/hash/highway-hash.js'
import { bytesOf } from '../../map/entry-codec.js'

/** A key and its value, as they are in Redis, and what messages call the key. */
export interface CachedEntry {
  readonly key: Buffer
  readonly hash: string
  readonly value: Buffer | undefined
}

/** @param field - the key, as a codec has made it */
export function entryOf(field: Argument, value: Buffer | undefined): CachedEntry {
  const key = bytesOf(field)
  return { key, value, hash: hashOf(key) }
}

/** What messages call a key. */
export function hashOf(key: Buffer): string {
  return highwayHash128(key).toString('latin1')
}

/**
 * Copies of key and value. What comes from a connection may be a part of all that it has received, which would be kept with it; and the call that has read
 * it may hand it out.
 */
export function ownBytesOf({
  key,
  value,
}: Pick<CachedEntry, 'key' | 'value'>): Pick<CachedEntry, 'key' | 'value'> {
  return { key: Buffer.from(key), value: value && Buffer.from(value) }
}
