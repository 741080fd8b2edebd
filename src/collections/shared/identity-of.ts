import type { Argument } from '../../connection/connection.js'

/** A text that is the same for the same bytes, as a codec makes them or as Redis has them, and for no others. */
export function identityOf(value: Argument): string {
  return (Buffer.isBuffer(value) ? value : Buffer.from(String(value))).toString('latin1')
}
