import type { Bytes } from '../../reply.js'
import type { LuaError } from '../run/errors.js'
import { Table } from '../run/table.js'
import { asText } from '../run/texts.js'
import type { Thread } from '../run/thread.js'
import { toText } from './basics.js'

/** The text of an error with its code, which is `ERR` unless the error says another. */
export function errorTextOf({ value }: LuaError, thread: Thread): Bytes {
  const error = value instanceof Table ? value.get('err') : undefined
  return typeof error === 'string' ? error : `ERR ${asText(toText(value, thread)) ?? ''}`
}
