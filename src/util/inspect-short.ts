import { inspect } from 'node:util'
import { isPlain } from './is-plain.js'

/**
 * A value that was given by mistake, in one short line for an error message; it never throws.
 *
 * Of objects and lists the texts are left out, and of everything else that has contents all of them, since settings that came to the wrong
 * place may have a password among them.
 */
export function inspectShort(value: unknown): string {
  try {
    if (hasOtherContents(value)) return `[${tagOf(value)}]`
    const shown = withoutTexts(value)
    return inspect(shown, { depth: 0, breakLength: Infinity, maxStringLength: 80, maxArrayLength: 3 })
  } catch {
    return `a value of type ${typeof value} that cannot be shown`
  }
}

/** Whether a value is neither an object nor a list, and may have texts in it nevertheless: an address, a map, bytes, an error. */
function hasOtherContents(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isPlain(value)
}

function tagOf(value: object): string {
  return Object.prototype.toString.call(value).slice('[object '.length, -1)
}

function withoutTexts(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutText)
  if (!isPlain(value) || inspect.custom in value) return value // objects of this library show no secrets
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withoutText(each)]))
}

function withoutText(value: unknown): unknown {
  return typeof value === 'string' || hasOtherContents(value) ? '…' : value
}
