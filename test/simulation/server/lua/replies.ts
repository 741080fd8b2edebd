import { type Bytes, Refusal, type Reply, Status } from '../reply.js'
import { toInt64 } from './numbers/integers.js'
import { argumentOf } from './numbers/to-text.js'
import { bitsFor } from './run/hash-part.js'
import { Table } from './run/table.js'
import type { Value } from './run/values.js'

/** A reply of a command, as a script gets it. */
export function fromReply(reply: Reply): Value {
  if (typeof reply === 'string' || typeof reply === 'number') return reply
  if (reply === null) return false
  if (typeof reply === 'bigint') return Number(reply)
  if (reply instanceof Status) return tableWith('ok', reply.text)
  if (reply instanceof Refusal) return errorTable(reply.text)
  return listOf(reply.map(fromReply))
}

/** Values as a list of a script. It has as much room as if they had been added one by one. */
export function listOf(values: readonly Value[]): Table {
  const list = new Table(values.length === 0 ? 0 : 1 << bitsFor(values.length))
  values.forEach((value, at) => {
    list.set(at + 1, value)
  })
  return list
}

/** What a script returns, as a reply. */
export function toReply(value: Value): Reply {
  switch (typeof value) {
    case 'string':
      return value
    case 'number':
      return integerOf(value)
    case 'boolean':
      return value ? 1 : null
    default:
      return value instanceof Table ? ofTable(value) : null
  }
}

/** Besides lists, Redis knows tables with one field that says what they are. The first of these that fits counts. */
function ofTable(table: Table): Reply {
  const error = table.get('err')
  if (typeof error === 'string') return new Refusal(onOneLine(error))
  const status = table.get('ok')
  if (typeof status === 'string') return new Status(onOneLine(status))
  return ofProtocol3(table) ?? ofList(table)
}

/** What RESP3 has types for, as RESP2 says it. */
function ofProtocol3(table: Table): Reply | undefined {
  const double = table.get('double')
  if (typeof double === 'number') return argumentOf(double)
  const map = table.get('map')
  if (map instanceof Table) return keysOf(map).flatMap((key) => [toReply(key), toReply(map.get(key))])
  const set = table.get('set')
  if (set instanceof Table) return keysOf(set).map(toReply)
  const integer = table.get('big_number')
  if (typeof integer === 'string') return onOneLine(integer)
  return undefined
}

/** A list ends before its first nil. */
function ofList(table: Table): Reply {
  const list: Reply[] = []
  for (let at = 1; ; at++) {
    const value = table.getNumber(at)
    if (value === undefined) return list
    list.push(toReply(value))
  }
}

function keysOf(table: Table): Value[] {
  const keys: Value[] = []
  for (let key = table.keyAfter(undefined); key !== undefined && key !== null; key = table.keyAfter(key))
    keys.push(key)
  return keys
}

/** An integer of 64 bits. */
function integerOf(number: number): number | bigint {
  const integer = toInt64(number)
  return Number.isSafeInteger(integer) ? integer : BigInt(integer)
}

/** Statuses and refusals end with their line. */
function onOneLine(text: Bytes): Bytes {
  return text.replace(/[\r\n]/g, ' ')
}

/** The error that a command has replied with. */
function errorTable(message: Bytes): Table {
  const table = tableWith('err', message)
  table.set('ignore_error_stats_update', true)
  return table
}

function tableWith(key: string, value: Value): Table {
  const table = new Table(0, 1)
  table.set(key, value)
  return table
}
