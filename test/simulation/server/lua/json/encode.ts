import type { Bytes } from '../../reply.js'
import { textOf } from '../numbers/to-text.js'
import { Table } from '../run/table.js'
import { NULL_POINTER, typeOf, type Value } from '../run/values.js'
import { DEEPEST, JsonError } from './json-error.js'

/** A list with no more elements than that may have any holes. */
const SHORT_LIST = 10
/** In a longer one there may be this number of places for each element. */
const MOST_PLACES = 2

const ESCAPES: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '/': '\\/',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
}

/** The JSON of a value. */
export function encode(value: Value): Bytes {
  return encodeAt(value, 0)
}

function encodeAt(value: Value, depth: number): Bytes {
  switch (typeof value) {
    case 'string':
      return encodeString(value)
    case 'number':
      return encodeNumber(value)
    case 'boolean':
      return value ? 'true' : 'false'
    case 'undefined':
      return 'null'
    default:
      if (value === NULL_POINTER) return 'null'
      if (value instanceof Table) return encodeTable(value, depth + 1)
      throw refusal(value, 'type not supported')
  }
}

function encodeString(text: Bytes): Bytes {
  // eslint-disable-next-line no-control-regex -- these have to be escaped
  const inside = text.replace(/["\\/\0-\x1f\x7f]/g, (character) => {
    const code = character.charCodeAt(0).toString(16).padStart(4, '0')
    return ESCAPES[character] ?? `\\u${code}`
  })
  return `"${inside}"`
}

function encodeNumber(number: number): Bytes {
  if (!Number.isFinite(number)) throw refusal(number, 'must not be NaN or Inf')
  return textOf(number)
}

function encodeTable(table: Table, depth: number): Bytes {
  if (depth > DEEPEST) throw new JsonError(`Cannot serialise, excessive nesting (${depth})`)
  const entries = entriesOf(table)
  const length = lengthOfList(table, entries)
  return length > 0 ? encodeList(table, length, depth) : encodeObject(entries, depth)
}

type Entry = readonly [key: Value, value: Value]

function entriesOf(table: Table): Entry[] {
  const entries: Entry[] = []
  for (let key = table.keyAfter(undefined); key !== undefined && key !== null; key = table.keyAfter(key)) {
    entries.push([key, table.get(key)])
  }
  return entries
}

/** How many elements a list has, with its holes; 0 for what is no list. */
function lengthOfList(table: Table, entries: readonly Entry[]): number {
  let largest = 0
  for (const [key] of entries) {
    if (typeof key !== 'number' || !Number.isInteger(key) || key < 1) return 0
    largest = Math.max(largest, key)
  }
  const isSparse = largest > entries.length * MOST_PLACES && largest > SHORT_LIST
  if (isSparse) throw refusal(table, 'excessively sparse array')
  return largest
}

function encodeList(table: Table, length: number, depth: number): Bytes {
  const elements = Array.from({ length }, (_, at) => encodeAt(table.getNumber(at + 1), depth))
  return `[${elements.join(',')}]`
}

function encodeObject(entries: readonly Entry[], depth: number): Bytes {
  const members = entries.map(([key, value]) => `${encodeKey(key)}:${encodeAt(value, depth)}`)
  return `{${members.join(',')}}`
}

function encodeKey(key: Value): Bytes {
  if (typeof key === 'string') return encodeString(key)
  if (typeof key === 'number') return `"${encodeNumber(key)}"`
  throw refusal(key, 'table key must be a number or string')
}

function refusal(value: Value, problem: string): JsonError {
  return new JsonError(`Cannot serialise ${typeOf(value)}: ${problem}`)
}
