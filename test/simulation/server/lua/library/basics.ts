import { integerFrom } from '../numbers/from-text.js'
import { toInt32 } from '../numbers/integers.js'
import { asNumber } from '../run/arithmetic.js'
import { callFromLibrary, callWithin } from '../run/calls.js'
import { failure, failureWithoutLine, LuaError, positionOf } from '../run/errors.js'
import { rawSet, READONLY } from '../run/indexing.js'
import { metamethod, metatableOf } from '../run/metatables.js'
import { Table } from '../run/table.js'
import { asText } from '../run/texts.js'
import { NATIVE, type Thread } from '../run/thread.js'
import {
  type Body,
  Func,
  isTrue,
  LightUserdata,
  NO_VALUES,
  typeOf,
  type Value,
  type Values,
} from '../run/values.js'
import { asLuaError } from './caught.js'
import type { Arguments } from './arguments.js'
import { checking, giving } from './functions.js'

/** How many values a function of the library may have, with its arguments. */
const MOST_VALUES = 8000

const next = new Func(
  checking((args, thread) => {
    const table = args.table(1)
    const key = table.keyAfter(args.at(2))
    if (key === null) throw failureWithoutLine(thread, `invalid key to 'next'`)
    return key === undefined ? [undefined] : [key, table.get(key)]
  }),
)

const nextIndex = new Func(([table, last]) => {
  const at = (asNumber(last) ?? 0) + 1
  const value = table instanceof Table ? table.getNumber(at) : undefined
  return value === undefined ? [undefined] : [at, value]
})

/** The functions that have no table. */
export const basics: Record<string, Body> = {
  assert: checking(assert),
  collectgarbage: giving((args) => collectGarbage(args)),
  error: (args, thread) => raise(args, thread),
  gcinfo: () => [0],
  getmetatable: giving((args) => {
    const metatable = metatableOf(args.any(1))
    return metatable?.get('__metatable') ?? metatable
  }),
  ipairs: checking((args) => [nextIndex, args.table(1), 0]),
  next: next.body,
  pairs: checking((args) => [next, args.table(1), undefined]),
  pcall: protectedCall,
  rawequal: giving((args) => args.any(1) === args.any(2)),
  rawget: giving((args) => args.table(1).get(args.any(2))),
  rawset: giving((args, thread) => {
    const table = args.table(1)
    rawSet(table, args.any(2), args.any(3), thread.native, NATIVE)
    return table
  }),
  select: checking(select),
  setmetatable: giving(setMetatable),
  tonumber: giving(toNumber),
  tostring: giving((args, thread) => toText(args.any(1), thread)),
  type: giving((args) => typeOf(args.any(1))),
  unpack: checking(unpack),
  xpcall: checking(protectedCallWithHandler),
}

/** The text of any value. */
export function toText(value: Value, thread: Thread): Value {
  const method = metamethod(value, '__tostring')
  if (method !== undefined && typeof value !== 'string') return callFromLibrary(thread, method, [value])[0]
  if (typeof value === 'boolean') return value ? 'true' : 'false'
  return asText(value) ?? (value === undefined ? 'nil' : addressOf(value))
}

function addressOf(value: Value): string {
  if (value instanceof LightUserdata) return 'userdata: (nil)'
  const identity = value instanceof Table || value instanceof Func ? value.identity : 0
  return `${typeOf(value)}: 0x${identity.toString(16).padStart(12, '0')}`
}

function assert(args: Arguments, thread: Thread): Values {
  if (isTrue(args.any(1))) return args.all
  throw failure(thread, args.textOr(2, 'assertion failed!'))
}

/** There is no garbage that scripts could notice. */
function collectGarbage(args: Arguments): Value {
  const option = args.textOr(1, 'collect')
  if (!/^(?:stop|restart|collect|count|step|setpause|setstepmul)$/.test(option)) {
    throw args.error(1, `invalid option '${option}'`)
  }
  return 0
}

function raise([message, level]: Values, thread: Thread): never {
  const isText = typeof message === 'string' || typeof message === 'number'
  const position = isText ? positionAt(toInt32(asNumber(level) ?? 1), thread) : ''
  throw new LuaError(isText ? position + (asText(message) ?? '') : message, thread.site)
}

/** Level 1 is where `error` was called, and level 2 where the function was that called it. */
function positionAt(level: number, { site, caller }: Thread): string {
  if (level === 1) return positionOf(site)
  const { calledAt } = caller
  return level === 2 && calledAt && !calledAt.isTailCall ? positionOf(calledAt) : ''
}

function protectedCall(all: Values, thread: Thread): Values {
  if (all.length === 0) return [false, 'attempt to call a boolean value'] // as Redis says it
  const [callee, ...args] = all
  const state = stateOf(thread)
  try {
    return [true, ...callWithin(callee, args, thread.native, NATIVE)]
  } catch (error) {
    Object.assign(thread, state)
    return [false, ...messageOf(asLuaError(error, thread).value)]
  }
}

/** Of an error of Redis, `pcall` gives the message only. Of another table, it gives the message as well, which is nil. */
function messageOf(error: Value): Values {
  if (!(error instanceof Table)) return [error]
  const message = error.get('err')
  return message === undefined ? [error, undefined] : [message]
}

/** What an error leaves behind as it was where it was raised. */
function stateOf({
  caller,
  site,
  depth,
  depthInC,
}: Thread): Pick<Thread, 'caller' | 'site' | 'depth' | 'depthInC'> {
  return { caller, site, depth, depthInC }
}

function protectedCallWithHandler(args: Arguments, thread: Thread): Values {
  const handler = args.any(2)
  const state = stateOf(thread)
  try {
    return [true, ...callWithin(args.at(1), NO_VALUES, thread.native, NATIVE)]
  } catch (error) {
    Object.assign(thread, state)
    return [false, handled(asLuaError(error, thread).value, handler, thread)]
  }
}

function handled(value: Value, handler: Value, thread: Thread): Value {
  const state = stateOf(thread)
  try {
    return callWithin(handler, [value], thread.native, NATIVE)[0]
  } catch (error) {
    asLuaError(error, thread)
    Object.assign(thread, state)
    return 'error in error handling'
  }
}

function select(args: Arguments): Values {
  const [selector] = args.all
  if (typeof selector === 'string' && selector.startsWith('#')) return [args.count - 1]
  const from = args.integer(1)
  const start = from < 0 ? args.count + from : from
  if (start < 1) throw args.error(1, 'index out of range')
  return args.all.slice(start)
}

function setMetatable(args: Arguments, thread: Thread): Value {
  const table = args.table(1)
  const metatable = args.at(2)
  const isFitting = metatable instanceof Table || (metatable === undefined && !args.isNone(2))
  if (!isFitting) throw args.error(2, 'nil or table expected')
  if (table.metatable?.get('__metatable') !== undefined) {
    throw failure(thread, 'cannot change a protected metatable')
  }
  if (table.isReadonly) throw failureWithoutLine(thread, READONLY)
  table.metatable = metatable
  return table
}

function toNumber(args: Arguments): Value {
  const base = args.integerOr(2, 10)
  if (base === 10) return asNumber(args.any(1))
  const text = args.text(1)
  if (base < 2 || base > 36) throw args.error(2, 'base out of range')
  return integerFrom(text, base)
}

function unpack(args: Arguments, thread: Thread): Values {
  const table = args.table(1)
  const first = args.integerOr(2, 1)
  const last = args.integerOr(3, undefined) ?? table.length()
  if (first > last) return NO_VALUES
  if (last - first + 1 + args.count > MOST_VALUES) throw failure(thread, 'too many results to unpack')
  return Array.from({ length: last - first + 1 }, (_, at) => table.getNumber(first + at))
}
