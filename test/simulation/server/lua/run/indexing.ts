import { callWithin } from './calls.js'
import { operationFailure, typeFailure } from './errors.js'
import { metamethod } from './metatables.js'
import { Table } from './table.js'
import type { Caller, Site } from './thread.js'
import { Func, type Value } from './values.js'

/** How many metatables may lead from one to another. */
const LONGEST_CHAIN = 100

export const READONLY = 'Attempt to modify a readonly table'

/** `base[key]` @param name - what the script calls the base, for the error */
export function index(base: Value, key: Value, caller: Caller, site: Site, name?: string): Value {
  const found = base instanceof Table ? base.get(key) : undefined
  return found !== undefined || (base instanceof Table && !base.metatable)
    ? found
    : indexByMetatable(base, key, caller, site, name)
}

/** The same where a table itself has nothing at the key. */
export function indexByMetatable(base: Value, key: Value, caller: Caller, site: Site, name?: string): Value {
  let target = base
  for (let steps = 0; steps < LONGEST_CHAIN; steps++) {
    const found = target instanceof Table ? target.get(key) : undefined
    if (found !== undefined) return found
    const next = metamethod(target, '__index')
    if (next === undefined) {
      if (target instanceof Table) return undefined
      throw typeFailure('index', target, steps === 0 ? name : undefined, caller, site)
    }
    if (next instanceof Func) return callWithin(next, [target, key], caller, site)[0]
    target = next
  }
  throw operationFailure('loop in gettable', caller, site)
}

/** `base[key] = value` @param name - what the script calls the base, for the error */
export function setIndex(
  base: Value,
  key: Value,
  value: Value,
  caller: Caller,
  site: Site,
  name?: string,
): void {
  let target = base
  for (let steps = 0; steps < LONGEST_CHAIN; steps++) {
    const next =
      target instanceof Table
        ? setOrDelegate(target, key, value, caller, site)
        : metamethod(target, '__newindex')
    if (next === DONE) return
    if (next === undefined) throw typeFailure('index', target, steps === 0 ? name : undefined, caller, site)
    if (next instanceof Func) {
      callWithin(next, [target, key, value], caller, site)
      return
    }
    target = next
  }
  throw operationFailure('loop in settable', caller, site)
}

/** Sets a value in a table itself, with no heed to its metatable. */
export function rawSet(table: Table, key: Value, value: Value, caller: Caller, site: Site): void {
  if (table.isReadonly) throw operationFailure(READONLY, caller, site)
  if (key === undefined) throw operationFailure('table index is nil', caller, site)
  if (Number.isNaN(key)) throw operationFailure('table index is NaN', caller, site)
  table.set(key, value)
}

const DONE = Symbol('done')

function setOrDelegate(
  table: Table,
  key: Value,
  value: Value,
  caller: Caller,
  site: Site,
): Value | typeof DONE {
  if (table.metatable && table.get(key) === undefined) {
    const next = table.metatable.get('__newindex')
    if (next !== undefined) return next
  }
  rawSet(table, key, value, caller, site)
  return DONE
}
