import type { Bytes } from '../../reply.js'
import { callWithin } from './calls.js'
import { operationFailure } from './errors.js'
import { metamethod } from './metatables.js'
import { Table } from './table.js'
import type { Caller, Site } from './thread.js'
import { isTrue, typeOf, type Value } from './values.js'

/** `left == right` */
export function equals(left: Value, right: Value, caller: Caller, site: Site): boolean {
  if (left === right) return true
  if (!(left instanceof Table) || !(right instanceof Table)) return false
  const method = sharedMethod(left, right, '__eq')
  return method !== undefined && isTrue(callWithin(method, [left, right], caller, site)[0])
}

/** `left < right` */
export function isLess(left: Value, right: Value, caller: Caller, site: Site): boolean {
  if (typeof left === 'number' && typeof right === 'number') return left < right
  if (typeof left === 'string' && typeof right === 'string') return left < right
  const order = orderByMetatables(left, right, '__lt', caller, site)
  if (order === undefined) throw orderFailure(left, right, caller, site)
  return order
}

/** `left <= right` */
export function isLessOrEqual(left: Value, right: Value, caller: Caller, site: Site): boolean {
  if (typeof left === 'number' && typeof right === 'number') return left <= right
  if (typeof left === 'string' && typeof right === 'string') return left <= right
  const order = orderByMetatables(left, right, '__le', caller, site)
  if (order !== undefined) return order
  const reverse = orderByMetatables(right, left, '__lt', caller, site)
  if (reverse === undefined) throw orderFailure(left, right, caller, site)
  return !reverse
}

function orderByMetatables(
  left: Value,
  right: Value,
  event: Bytes,
  caller: Caller,
  site: Site,
): boolean | undefined {
  const method = typeOf(left) === typeOf(right) ? sharedMethod(left, right, event) : undefined
  return method === undefined ? undefined : isTrue(callWithin(method, [left, right], caller, site)[0])
}

/** Values are compared by a metamethod only if both have the same one. */
function sharedMethod(left: Value, right: Value, event: Bytes): Value {
  const method = metamethod(left, event)
  return method === metamethod(right, event) ? method : undefined
}

function orderFailure(left: Value, right: Value, caller: Caller, site: Site): Error {
  const types = [typeOf(left), typeOf(right)]
  const what = types[0] === types[1] ? `two ${types[0]} values` : types.join(' with ')
  return operationFailure(`attempt to compare ${what}`, caller, site)
}
