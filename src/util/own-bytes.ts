/**
 * The same bytes in memory of their own. What comes from a connection shares its memory with other replies: a program that keeps a few bytes would
 * keep all of it, and one that hands it over to another thread would take it from the connection.
 */
export function ownBytes(bytes: Uint8Array): Buffer {
  return Buffer.from(new Uint8Array(bytes).buffer)
}
