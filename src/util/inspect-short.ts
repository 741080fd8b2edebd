import { inspect } from 'node:util'

/** A value that was given by mistake, in one short line for an error message; it never throws. */
export function inspectShort(value: unknown): string {
  try {
    return inspect(value, { depth: 0, breakLength: Infinity, maxStringLength: 80, maxArrayLength: 3 })
  } catch {
    return `a value of type ${typeof value} that cannot be shown`
  }
}
