import { highwayHashName } from '../../util/hash/highway-hash.js'
import { inspectShort } from '../../util/inspect-short.js'

/** What the values of a group are called in Redis, each once and in one order, with a space between them. */
export function valueNames(values: Iterable<string | Uint8Array>): string {
  if (typeof values === 'string' || !isIterable(values)) {
    throw new TypeError(`Expected \`values\` to be a list, got ${inspectShort(values)}`)
  }
  const names = new Set(Array.from(values, nameOf))
  if (names.size === 0) throw new TypeError('Expected at least one value, got none')
  return [...names].sort().join(' ')
}

/** As Redisson names it, once its codec has made bytes of it. */
function nameOf(value: string | Uint8Array): string {
  if (typeof value !== 'string' && !(value instanceof Uint8Array)) {
    throw new TypeError(`Expected each of \`values\` to be a text or bytes, got ${inspectShort(value)}`)
  }
  if (typeof value === 'string' && !value.isWellFormed())
    throw new TypeError('Expected each of `values` to be without half of a surrogate pair')
  return highwayHashName(typeof value === 'string' ? Buffer.from(value) : value)
}

function isIterable(values: unknown): boolean {
  return typeof values === 'object' && values !== null && Symbol.iterator in values
}
