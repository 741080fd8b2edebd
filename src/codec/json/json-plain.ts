import { MAX_DEPTH } from './json-trail.js'
import { hasToJson, isPlainNumber } from './json-writer.js'

/**
 * Whether `JSON.stringify` writes the value as Jackson does, escapes aside.
 *
 * This is so for nearly all values. It costs less to look at a value first than to write it without the engine.
 */
export function isPlainJson(value: unknown, depth = 0): boolean {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return true
    case 'number':
      return isPlainNumber(value)
    case 'object':
      return value === null || (depth < MAX_DEPTH && !hasToJson(value) && isPlainObject(value, depth + 1))
    default:
      return false
  }
}

function isPlainObject(value: object, depth: number): boolean {
  if (Array.isArray(value)) return isPlainList(value, depth)
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) return false
  const members = value as Readonly<Record<string, unknown>>
  for (const name in members) {
    const member = members[name]
    if (typeof member !== 'string' && member !== undefined && !isPlainJson(member, depth)) return false
  }
  return true
}

function isPlainList(value: readonly unknown[], depth: number): boolean {
  for (let at = 0; at < value.length; at += 1) if (!isPlainJson(value[at], depth)) return false
  return true
}
