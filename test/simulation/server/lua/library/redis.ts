import { createHash } from 'node:crypto'
import type { Bytes } from '../../reply.js'
import { argumentOf } from '../numbers/to-text.js'
import { asNumber } from '../run/arithmetic.js'
import { LuaError } from '../run/errors.js'
import { Table } from '../run/table.js'
import { asText } from '../run/texts.js'
import type { Thread } from '../run/thread.js'
import { type Body, NO_VALUES, type Value, type Values } from '../run/values.js'
import { fromReply } from '../replies.js'

const VERSION = '7.0.15'
const VERSION_NUMBER = 0x07000f

const REPLICATE_ALL = 3
const MOST_SEVERE_LEVEL = 3

const WRONG_ARGUMENTS = 'wrong number or type of arguments'

/** The library `redis`. */
export const redis: { functions: Record<string, Body>; values: Record<string, Value> } = {
  functions: {
    breakpoint: () => [false],
    call: (args, thread) => [unlessError(runCommand(args, thread), thread)],
    debug: () => NO_VALUES,
    error_reply: ([text]) => [
      typeof text === 'string' ? errorTable(withCode(text)) : errorTable(`ERR ${WRONG_ARGUMENTS}`),
    ],
    log,
    pcall: (args, thread) => [runCommand(args, thread)],
    replicate_commands: () => [true],
    set_repl: setReplication,
    setresp: setProtocol,
    sha1hex,
    status_reply: ([text]) => [
      typeof text === 'string' ? tableWith('ok', text) : errorTable(`ERR ${WRONG_ARGUMENTS}`),
    ],
  },
  values: {
    LOG_DEBUG: 0,
    LOG_VERBOSE: 1,
    LOG_NOTICE: 2,
    LOG_WARNING: MOST_SEVERE_LEVEL,
    REPL_NONE: 0,
    REPL_AOF: 1,
    REPL_SLAVE: 2,
    REPL_REPLICA: 2,
    REPL_ALL: REPLICATE_ALL,
    REDIS_VERSION: VERSION,
    REDIS_VERSION_NUM: VERSION_NUMBER,
  },
}

/** The SHA-1 of bytes, in hexadecimal digits. */
export function sha1(bytes: Bytes): string {
  return createHash('sha1').update(bytes, 'latin1').digest('hex')
}

function runCommand(args: Values, thread: Thread): Value {
  if (args.length === 0) return errorTable('ERR Please specify at least one argument for this redis lib call')
  const words: Bytes[] = []
  for (const arg of args) {
    const word = typeof arg === 'number' ? argumentOf(arg) : arg
    if (typeof word !== 'string') {
      return errorTable('ERR Lua redis lib command arguments must be strings or integers')
    }
    words.push(word)
  }
  return fromReply(thread.host.call(words))
}

function unlessError(value: Value, thread: Thread): Value {
  if (value instanceof Table && value.get('err') !== undefined) throw new LuaError(value, thread.site)
  return value
}

/** A message that does not begin with a code has the usual one. A hyphen in front is left out. */
function withCode(text: Bytes): Bytes {
  const message = text.startsWith('-') ? text.slice(1) : text
  return message.includes(' ') ? message : `ERR ${message}`
}

function errorTable(message: Bytes): Table {
  return tableWith('err', message)
}

function tableWith(key: string, value: Value): Table {
  const table = new Table(0, 1)
  table.set(key, value)
  return table
}

/** An error of a function of this library, which names no line. */
export function errorWith(message: string, thread: Thread): LuaError {
  return new LuaError(errorTable(`ERR ${message}`), thread.site)
}

function log(args: Values, thread: Thread): Values {
  const [level] = args
  if (args.length < 2) throw errorWith('redis.log() requires two arguments or more.', thread)
  const number = asNumber(level)
  if (number === undefined) throw errorWith('First argument must be a number (log level).', thread)
  if (number < 0 || number > MOST_SEVERE_LEVEL) throw errorWith('Invalid debug level.', thread)
  return NO_VALUES
}

function setReplication(args: Values, thread: Thread): Values {
  const [flags] = args
  if (args.length !== 1) throw errorWith('redis.set_repl() requires two arguments.', thread)
  if (((asNumber(flags) ?? 0) & ~REPLICATE_ALL) !== 0) {
    throw errorWith('Invalid replication flags. Use REPL_AOF, REPL_REPLICA, REPL_ALL or REPL_NONE.', thread)
  }
  return NO_VALUES
}

/** Replies are converted as those of RESP2 in any case. */
function setProtocol(args: Values, thread: Thread): Values {
  const [version] = args
  if (args.length !== 1) throw errorWith('redis.setresp() requires one argument.', thread)
  const number = asNumber(version)
  if (number !== 2 && number !== 3) throw errorWith('RESP version must be 2 or 3.', thread)
  return NO_VALUES
}

function sha1hex(args: Values, thread: Thread): Values {
  if (args.length !== 1) throw errorWith('wrong number of arguments', thread)
  return [sha1(asText(args[0]) ?? '')]
}
