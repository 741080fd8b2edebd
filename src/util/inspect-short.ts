import { inspect } from 'node:util'
import { isPlain } from './is-plain.js'

/** How values are shown. */
const SHORT = { depth: 0, breakLength: Infinity, maxStringLength: 80, maxArrayLength: 3 } as const

/** Stands for what is not shown. */
const HIDDEN = '…'

/**
 * A value that was given by mistake, in one short line for an error message; it never throws.
 *
 * Of a text it says only how long it is. Of objects the texts are left out, of lists the numbers as well, and of everything else that has contents all
 * of them. What came to the wrong place may be a password, as a text or as bytes, or have one among its settings.
 */
export function inspectShort(value: unknown): string {
  try {
    if (typeof value === 'string') return ofLength(value)
    if (hasOtherContents(value)) return `[${tagOf(value)}]`
    return inspect(withoutTexts(value), SHORT)
  } catch {
    return `a value of type ${typeof value} that cannot be shown`
  }
}

/** The same where a text is shown: the name of an option or of an object, or one of a few words, of which the program meant another. */
export function inspectWord(value: unknown): string {
  return typeof value === 'string' ? inspect(value, SHORT) : inspectShort(value)
}

function ofLength({ length }: string): string {
  if (length === 0) return 'an empty string'
  return length === 1 ? 'a string of 1 character' : `a string of ${String(length)} characters`
}

/** Whether a value is neither an object nor a list, and may have texts in it nevertheless: an address, a map, bytes, an error. */
function hasOtherContents(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isPlain(value)
}

function tagOf(value: object): string {
  return Object.prototype.toString.call(value).slice('[object '.length, -1)
}

function withoutTexts(value: unknown): unknown {
  if (Array.isArray(value))
    return value.map((each) => (typeof each === 'number' ? HIDDEN : withoutText(each)))
  if (!isPlain(value) || inspect.custom in value) return value // objects of this library show no secrets
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withoutText(each)]))
}

function withoutText(value: unknown): unknown {
  return typeof value === 'string' || hasOtherContents(value) ? HIDDEN : value
}
