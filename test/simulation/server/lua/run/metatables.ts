import type { Bytes } from '../../reply.js'
import { Table } from './table.js'
import type { Value } from './values.js'

/** The metatable that all strings share. The library fills it. */
export const stringMetatable = new Table()

export function metatableOf(value: Value): Table | undefined {
  if (value instanceof Table) return value.metatable
  return typeof value === 'string' ? stringMetatable : undefined
}

/** What a value's metatable has for an event such as `__index`. */
export function metamethod(value: Value, event: Bytes): Value {
  return metatableOf(value)?.get(event)
}
