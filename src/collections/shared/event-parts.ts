const LENGTH_BYTES = 8

/** The parts of an event, each of which is behind its length. */
export function partsOf(message: Buffer): readonly Buffer[] {
  const parts: Buffer[] = []
  let start = 0
  while (start < message.length) {
    const end = start + LENGTH_BYTES + Number(message.readBigUInt64LE(start))
    parts.push(message.subarray(start + LENGTH_BYTES, end))
    start = end
  }
  return parts
}
