const MAGIC = 0xfd2fb528

/** By the two flag bits of the header, how many bytes its field for the size of the content has. */
const SIZE_BYTES = [0, 2, 4, 8] as const

/** By the two bits for it, how many bytes the id of a dictionary has. */
const DICTIONARY_BYTES = [0, 1, 2, 4] as const

/**
 * How many bytes the content of a zstd frame has, if its header says so, by RFC 8878 §3.1.1.1.
 *
 * Node 22 takes a frame that was cut off for a shorter one, and this is how that is noticed.
 *
 * @throws `RangeError` if it is cut off in its header
 */
export function contentSizeOf(frame: Buffer): number | undefined {
  if (frame.readUInt32LE(0) !== MAGIC) return undefined // a frame to skip, perhaps
  const descriptor = frame.readUInt8(4)
  const isSingleSegment = (descriptor & 0b10_0000) !== 0
  const flag = bitsOf(descriptor >> 6)
  const size = flag === 0 && isSingleSegment ? 1 : SIZE_BYTES[flag]
  const at = 5 + (isSingleSegment ? 0 : 1) + DICTIONARY_BYTES[bitsOf(descriptor)]
  if (size === 0) return undefined
  if (size === 8) return Number(frame.readBigUInt64LE(at))
  return frame.readUIntLE(at, size) + (size === 2 ? 256 : 0)
}

function bitsOf(value: number): 0 | 1 | 2 | 3 {
  return (value & 0b11) as 0 | 1 | 2 | 3
}
