/** A text that is the same for the same bytes, and for no others. */
export function identityOf(bytes: Buffer): string {
  return bytes.toString('latin1')
}
