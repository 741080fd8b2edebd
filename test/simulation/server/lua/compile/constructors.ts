import type { TableConstructorExpression, TableKey, TableKeyString, TableValue } from 'luaparse'
import { rawSet } from '../run/indexing.js'
import { Table } from '../run/table.js'
import type { Value, Values } from '../run/values.js'
import { type Context, siteOf } from './context.js'
import { compileExpression } from './expressions.js'
import type { Evaluate, Frame } from './frame.js'
import { compileOpen, openEnd } from './lists.js'

/** How many elements without keys Lua sets at a time. */
const BATCH = 50

/** Evaluates one field, and adds it to the table, or to the elements that are set later. */
type AddField = (frame: Frame, table: Table, pending: Value[]) => void

/** `{ 1, 2, x = 3 }` */
export function compileConstructor(node: TableConstructorExpression, context: Context): Evaluate {
  const elements = node.fields.filter((field) => field.type === 'TableValue').length
  const last = node.fields.at(-1)
  const open = last?.type === 'TableValue' ? openEnd([last.value], context) : undefined
  const single = open ? node.fields.slice(0, -1) : node.fields
  const fields = single.map((field) => compileField(field, context))
  const tail = open && compileOpen(open, context)
  const arraySize = roundedSize(elements - (open ? 1 : 0))
  const hashSize = roundedSize(node.fields.length - elements)
  return (frame) => {
    const table = new Table(arraySize, hashSize)
    const pending: Value[] = []
    let done = 0
    for (const add of fields) {
      if (pending.length === BATCH) done = setElements(table, done, pending.splice(0))
      add(frame, table, pending)
    }
    if (tail) setElements(table, done, [...pending, ...tail(frame)])
    else if (pending.length > 0) setElements(table, done, pending)
    return table
  }
}

function compileField(field: TableKey | TableKeyString | TableValue, context: Context): AddField {
  if (field.type === 'TableValue') return compileElement(field, context)
  const key = field.type === 'TableKey' ? compileExpression(field.key, context) : nameAsKey(field)
  const value = compileExpression(field.value, context)
  const site = siteOf(field, context)
  return (frame, table) => {
    const at = key(frame)
    rawSet(table, at, value(frame), frame, site)
  }
}

function compileElement(field: TableValue, context: Context): AddField {
  const value = compileExpression(field.value, context)
  return (frame, _table, pending) => {
    pending.push(value(frame))
  }
}

function nameAsKey({ key }: TableKeyString): Evaluate {
  return () => key.name
}

/** Sets elements behind those that are there, the last one first. Returns how many there are now. */
function setElements(table: Table, done: number, values: Values): number {
  const last = done + values.length
  table.reserve(last)
  for (let at = last; at > done; at--) table.set(at, values[at - done - 1])
  return last
}

/** Lua notes the sizes of a table in one byte, and rounds those up that are larger than 15. */
function roundedSize(size: number): number {
  let mantissa = size
  let exponent = 0
  while (mantissa >= 16) {
    mantissa = (mantissa + 1) >> 1
    exponent += 1
  }
  return mantissa << exponent
}
