import type { Bytes } from '../../reply.js'
import { callFromLibrary } from '../run/calls.js'
import { failure, failureWithoutLine } from '../run/errors.js'
import { READONLY } from '../run/indexing.js'
import type { Table } from '../run/table.js'
import { asText } from '../run/texts.js'
import type { Thread } from '../run/thread.js'
import { type Body, NO_VALUES, typeOf, type Value, type Values } from '../run/values.js'
import type { Arguments } from './arguments.js'
import { checking, giving } from './functions.js'
import { sort } from './sort.js'

/** The functions of `table`. */
export const table: Record<string, Body> = {
  concat: giving(concat),
  foreach: checking(forEach),
  foreachi: checking(forEachIndex),
  getn: giving((args) => args.table(1).length()),
  insert: checking(insert),
  maxn: giving((args) => largestKey(args.table(1))),
  remove: checking(remove),
  setn: checking((args, thread) => {
    args.table(1)
    throw failure(thread, `'setn' is obsolete`)
  }),
  sort: checking(sort),
}

function concat(args: Arguments, thread: Thread): Value {
  const separator = args.textOr(2, '')
  const list = args.table(1)
  const first = args.integerOr(3, 1)
  const last = args.integerOr(4, undefined) ?? list.length()
  const parts: Bytes[] = []
  for (let at = first; at <= last; at++) parts.push(partAt(list, at, thread))
  return parts.join(separator)
}

function partAt(list: Table, at: number, thread: Thread): Bytes {
  const value = list.getNumber(at)
  const text = asText(value)
  if (text !== undefined) return text
  throw failure(thread, `invalid value (${typeOf(value)}) at index ${at} in table for 'concat'`)
}

function insert(args: Arguments, thread: Thread): Values {
  const list = args.table(1)
  const end = list.length() + 1
  if (args.count !== 2 && args.count !== 3) throw failure(thread, `wrong number of arguments to 'insert'`)
  const position = args.count === 2 ? end : args.integer(2)
  for (let at = Math.max(end, position); at > position; at--) put(list, at, list.getNumber(at - 1), thread)
  put(list, position, args.at(args.count), thread)
  return NO_VALUES
}

function remove(args: Arguments, thread: Thread): Values {
  const list = args.table(1)
  const length = list.length()
  const position = args.integerOr(2, length)
  if (position < 1 || position > length) return NO_VALUES
  const removed = list.getNumber(position)
  for (let at = position; at < length; at++) put(list, at, list.getNumber(at + 1), thread)
  put(list, length, undefined, thread)
  return [removed]
}

/** Sets an element, with no heed to the metatable. */
export function put(list: Table, at: number, value: Value, thread: Thread): void {
  if (list.isReadonly) throw failureWithoutLine(thread, READONLY)
  list.set(at, value)
}

function largestKey(list: Table): number {
  let largest = 0
  for (let key = list.keyAfter(undefined); key !== undefined && key !== null; key = list.keyAfter(key)) {
    if (typeof key === 'number') largest = Math.max(largest, key)
  }
  return largest
}

/** Calls a function with each key and value, until it gives something. */
function forEach(args: Arguments, thread: Thread): Values {
  const list = args.table(1)
  const visit = args.function(2)
  for (let key = list.keyAfter(undefined); key !== undefined && key !== null; key = list.keyAfter(key)) {
    const [result] = callFromLibrary(thread, visit, [key, list.get(key)])
    if (result !== undefined) return [result]
  }
  return NO_VALUES
}

function forEachIndex(args: Arguments, thread: Thread): Values {
  const list = args.table(1)
  const visit = args.function(2)
  const length = list.length()
  for (let at = 1; at <= length; at++) {
    const [result] = callFromLibrary(thread, visit, [at, list.getNumber(at)])
    if (result !== undefined) return [result]
  }
  return NO_VALUES
}
