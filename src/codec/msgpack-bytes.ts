import { isUtf8 } from 'node:buffer'
import { asBuffer } from './bytes.js'

/** What follows a first byte: the bytes of a length, if there is one, and then the content, whose size is that length and `more`. */
interface Form {
  readonly lengthBytes: 0 | 1 | 2 | 4
  readonly more: number
  readonly isText?: boolean
}

/** The byte that begins nothing. */
const UNUSED = 0xc1

const NIL = 0xc0
const UINT_64 = 0xcf
const INT_64 = 0xd3
const LAST_SHORT_TEXT = 0xbf
const FIRST_SHORT_TEXT = 0xa0
const FIRST_NEGATIVE = 0xe0

/** What follows the bytes from 0xc0 to 0xdf. Of a list or map that is how many items it has: they come next, as any value. */
const FORMS: readonly Form[] = [
  ...sized(0, 0, 0, 0), // nil, unused, false, true
  { lengthBytes: 1, more: 0 }, // bytes
  { lengthBytes: 2, more: 0 },
  { lengthBytes: 4, more: 0 },
  { lengthBytes: 1, more: 1 }, // extensions, each with a type
  { lengthBytes: 2, more: 1 },
  { lengthBytes: 4, more: 1 },
  ...sized(4, 8), // floats
  ...sized(1, 2, 4, 8), // integers without a sign
  ...sized(1, 2, 4, 8), // integers with one
  ...sized(2, 3, 5, 9, 17), // extensions of a fixed size, each with a type
  { lengthBytes: 1, more: 0, isText: true },
  { lengthBytes: 2, more: 0, isText: true },
  { lengthBytes: 4, more: 0, isText: true },
  ...sized(2, 4), // lists
  ...sized(2, 4), // maps
]

/**
 * Looks at what the package would read in silence as something else: a byte that begins nothing, and texts that are no UTF-8.
 *
 * It takes one pass without a stack, as the items of a list follow its header. What is cut off is left to the package.
 *
 * @returns whether there are integers of 64 bits
 * @throws `RangeError`
 */
export function inspectMsgpack(bytes: Uint8Array): { readonly hasLongs: boolean } {
  const buffer = asBuffer(bytes)
  let hasLongs = false
  for (let at = 0; at < buffer.length;) {
    const first = buffer[at] as number
    const { lengthBytes, more, isText } = formOf(first)
    if (first === UNUSED) throw new RangeError('A byte that begins nothing')
    if (first === UINT_64 || first === INT_64) hasLongs = true
    const begin = at + 1 + lengthBytes
    if (begin > buffer.length) break
    const end = begin + more + (lengthBytes === 0 ? 0 : buffer.readUIntBE(at + 1, lengthBytes))
    if (isText === true && !isUtf8(buffer.subarray(begin, end)))
      throw new RangeError('A text that is no UTF-8')
    at = end
  }
  return { hasLongs }
}

const SINGLE: Form = { lengthBytes: 0, more: 0 }

function formOf(first: number): Form {
  if (first >= FIRST_SHORT_TEXT && first <= LAST_SHORT_TEXT)
    return { lengthBytes: 0, more: first - FIRST_SHORT_TEXT, isText: true }
  return first < NIL || first >= FIRST_NEGATIVE ? SINGLE : (FORMS[first - NIL] as Form)
}

function sized(...sizes: readonly number[]): readonly Form[] {
  return sizes.map((more) => ({ lengthBytes: 0, more }))
}
