import { inspect } from 'node:util'
import { isPlain } from './is-plain.js'

/**
 * A value that was given by mistake, in one short line for an error message; it never throws.
 *
 * Texts within objects and lists are left out, since settings that came to the wrong place may have a password among them.
 */
export function inspectShort(value: unknown): string {
  try {
    const shown = withoutTexts(value)
    return inspect(shown, { depth: 0, breakLength: Infinity, maxStringLength: 80, maxArrayLength: 3 })
  } catch {
    return `a value of type ${typeof value} that cannot be shown`
  }
}

function withoutTexts(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 4).map(withoutText)
  if (!isPlain(value) || inspect.custom in value) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withoutText(each)]))
}

function withoutText(value: unknown): unknown {
  return typeof value === 'string' || value instanceof Uint8Array ? '…' : value
}
