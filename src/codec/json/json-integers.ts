/** An integer of fewer digits than these is exact as a number. */
const DIGITS = 16

/** The longest number that Jackson reads. The engine takes very long for one of millions of digits. */
const MAX_DIGITS = 1000

/** Is called with the value, and its source text. */
export type Reviver = (name: string, value: unknown, context: { readonly source?: string }) => unknown

/** `JSON.parse` with a reviver that gets the source text, which its type does not declare. */
export const parseWith = JSON.parse as (text: string, reviver: Reviver) => unknown

/**
 * Whether the JSON may have an integer that a number cannot hold.
 *
 * Of that many digits in a row one has an index that their number divides. So most bytes need not be read.
 */
export function hasLargeInteger(bytes: Uint8Array): boolean {
  const { length } = bytes
  for (let at = DIGITS - 1; at < length; at += DIGITS) {
    if (isDigit(bytes[at] ?? 0) && isLargeInteger(bytes, at)) return true
  }
  return false
}

/** Reads JSON with each integer beyond 2⁵³ − 1 as a `bigint`. */
export function parseWithBigints(text: string): unknown {
  return parseWith(text, reviveBigint)
}

export const reviveBigint: Reviver = (_name, value, { source }) =>
  typeof value === 'number' && !Number.isSafeInteger(value) && source !== undefined
    ? exact(value, source)
    : value

function exact(value: number, source: string): number | bigint {
  if (!/^-?\d+$/.test(source)) return value
  if (source.length > MAX_DIGITS) throw new RangeError(`Expected at most ${MAX_DIGITS} digits`)
  return BigInt(source)
}

/** Whether there are that many digits here, and those of an integer. Some in a string may be taken for one, which costs time only. */
function isLargeInteger(bytes: Uint8Array, at: number): boolean {
  let from = at
  while (from > 0 && isDigit(bytes[from - 1] ?? 0)) from -= 1
  let to = at + 1
  while (to < bytes.length && isDigit(bytes[to] ?? 0)) to += 1
  return to - from >= DIGITS && mayBeginInteger(bytes[from - 1])
}

/** A text begins behind a quotation mark, and a fraction behind a point. */
function mayBeginInteger(before: number | undefined): boolean {
  return before !== 0x22 && before !== 0x2e
}

function isDigit(byte: number): boolean {
  return byte >= 0x30 && byte <= 0x39
}
