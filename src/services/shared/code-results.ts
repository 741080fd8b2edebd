import type { Codec } from '../../api/codec.js'
import type { ScriptItem, ScriptResults } from '../script/script.api.js'
import type { Place } from '../../codec/encoding.js'
import {
  boolean,
  exactText,
  nullable,
  safeInteger,
  value,
  type Decoder,
} from '../../command/operation/replies.js'
import type { Reply } from '../../connection/connection.js'
import { UnexpectedReplyError } from '../../errors/reply-errors.js'

/** How the replies of scripts and functions are read. */
export type ResultDecoders<V> = { readonly [R in keyof ScriptResults<V>]: Decoder<ScriptResults<V>[R]> }

export function resultDecoders<V>(codec: Codec<V>, place: Place): ResultDecoders<V> {
  const read = value(codec, place)
  return {
    BOOLEAN: boolean,
    INTEGER: safeInteger,
    STATUS: exactText,
    VALUE: nullable(read),
    MULTI: items(read),
  }
}

/** Reads a list of values, integers and lists. */
function items<V>(read: Decoder<V>): Decoder<readonly ScriptItem<V>[]> {
  const item = (reply: Reply): ScriptItem<V> => {
    if (reply === null) return undefined
    if (Array.isArray(reply)) return (reply as readonly Reply[]).map(item)
    return Buffer.isBuffer(reply) ? read(reply) : safeInteger(reply)
  }
  return (reply) => {
    if (Array.isArray(reply)) return (reply as readonly Reply[]).map(item)
    throw new UnexpectedReplyError('a list', reply)
  }
}
