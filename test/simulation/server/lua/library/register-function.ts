import type { Bytes } from '../../reply.js'
import type { LuaError } from '../run/errors.js'
import { Table } from '../run/table.js'
import { asText } from '../run/texts.js'
import type { Thread } from '../run/thread.js'
import { Func, type Value, type Values } from '../run/values.js'
import { errorWith } from './redis.js'

/** What `redis.register_function` is given. */
export interface Registration {
  readonly name: Bytes
  readonly description: Bytes | null
  readonly flags: readonly Bytes[]
  readonly callback: Func
}

/** The flags of functions, in the order in which Redis lists them. */
const FLAGS = ['no-writes', 'allow-oom', 'allow-stale', 'no-cluster', 'allow-cross-slot-keys']

export const WRONG_NAME =
  'Library names can only contain letters, numbers, or underscores(_) and must be at least one character long'

/** Reads the arguments of `redis.register_function`: a name and a function, or a table. */
export function registrationOf(args: Values, thread: Thread): Registration {
  const refuse: Refuse = (message) => errorWith(message, thread)
  if (args.length < 1 || args.length > 2) throw refuse('wrong number of arguments to redis.register_function')
  const registration = args.length === 1 ? named(args[0], refuse) : positional(args, refuse)
  if (!isName(registration.name)) throw refuse(WRONG_NAME)
  return registration
}

/** Whether a library or a function may be called so. */
export function isName(text: Bytes): boolean {
  return /^\w+$/.test(text)
}

type Refuse = (message: string) => LuaError

function positional([name, callback]: Values, refuse: Refuse): Registration {
  const text = asText(name)
  if (text === undefined) throw refuse('first argument to redis.register_function must be a string')
  if (!(callback instanceof Func))
    throw refuse('second argument to redis.register_function must be a function')
  return { name: text, callback, description: null, flags: [] }
}

type Draft = { -readonly [K in keyof Registration]?: Registration[K] }

function named(table: Value, refuse: Refuse): Registration {
  if (!(table instanceof Table))
    throw refuse(
      'calling redis.register_function with a single argument is only applicable to Lua table (representing named arguments).',
    )
  const draft: Draft = {}
  for (let key = table.keyAfter(undefined); key !== undefined && key !== null; key = table.keyAfter(key))
    take(draft, key, table.get(key), refuse)
  const { name, callback, description = null, flags = [] } = draft
  if (name === undefined) throw refuse('redis.register_function must get a function name argument')
  if (callback === undefined) throw refuse('redis.register_function must get a callback argument')
  return { name, callback, description, flags }
}

/** Takes one of the named arguments. */
function take(draft: Draft, key: Value, value: Value, refuse: Refuse): void {
  switch (asText(key)?.toLowerCase()) {
    case undefined:
      throw refuse('named argument key given to redis.register_function is not a string')
    case 'function_name':
      draft.name = demandText(value, 'function_name', refuse)
      break
    case 'description':
      draft.description = demandText(value, 'description', refuse)
      break
    case 'callback':
      if (!(value instanceof Func))
        throw refuse('callback argument given to redis.register_function must be a function')
      draft.callback = value
      break
    case 'flags':
      draft.flags = flagsIn(value, refuse)
      break
    default:
      throw refuse('unknown argument given to redis.register_function')
  }
}

function demandText(value: Value, name: string, refuse: Refuse): Bytes {
  const text = asText(value)
  if (text !== undefined) return text
  throw refuse(`${name} argument given to redis.register_function must be a string`)
}

function flagsIn(value: Value, refuse: Refuse): readonly Bytes[] {
  if (!(value instanceof Table))
    throw refuse('flags argument to redis.register_function must be a table representing function flags')
  const given = new Set<string | undefined>()
  for (let at = 1; value.get(at) !== undefined; at += 1) given.add(asText(value.get(at))?.toLowerCase())
  if ([...given].some((flag) => flag === undefined || !FLAGS.includes(flag)))
    throw refuse('unknown flag given')
  return FLAGS.filter((flag) => given.has(flag))
}
