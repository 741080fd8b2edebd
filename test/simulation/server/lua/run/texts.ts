import type { Bytes } from '../../reply.js'
import { textOf } from '../numbers/to-text.js'
import type { Names } from './arithmetic.js'
import { callWithin } from './calls.js'
import { typeFailure } from './errors.js'
import { metamethod } from './metatables.js'
import { Table } from './table.js'
import type { Caller, Site } from './thread.js'
import type { Value } from './values.js'

/** A string, or a number as a text; undefined for all others. */
export function asText(value: Value): Bytes | undefined {
  if (typeof value === 'string') return value
  return typeof value === 'number' ? textOf(value) : undefined
}

/** `left .. right` */
export function concatenate(left: Value, right: Value, caller: Caller, site: Site, names?: Names): Value {
  const first = asText(left)
  const second = asText(right)
  if (first !== undefined && second !== undefined) return first + second
  const method = metamethod(left, '__concat') ?? metamethod(right, '__concat')
  if (method !== undefined) return callWithin(method, [left, right], caller, site)[0]
  throw first === undefined
    ? typeFailure('concatenate', left, names?.left, caller, site)
    : typeFailure('concatenate', right, names?.right, caller, site)
}

/** `#value` @param name - what the script calls it, for the error */
export function lengthOf(value: Value, caller: Caller, site: Site, name?: string): Value {
  if (typeof value === 'string') return value.length
  if (value instanceof Table) return value.length()
  throw typeFailure('get length of', value, name, caller, site)
}
