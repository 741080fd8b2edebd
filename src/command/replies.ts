import type { Reply } from '../connection/connection.js'
import { UnexpectedReplyError } from '../errors/reply-errors.js'

/** Reads a reply as what it was asked for. Only here is it doubted. */
export type Decoder<T> = (reply: Reply) => T

export function integer(reply: Reply): number {
  if (typeof reply === 'number') return reply
  throw new UnexpectedReplyError('an integer', reply)
}

export function text(reply: Reply): string {
  if (Buffer.isBuffer(reply)) return reply.toString()
  throw new UnexpectedReplyError('a text', reply)
}

export function list<T>(item: Decoder<T>): Decoder<T[]> {
  return (reply) => array(reply).map((each) => item(each))
}

/** Reads a list whose items mean different things. */
export function tuple<T extends readonly unknown[]>(
  ...items: { readonly [I in keyof T]: Decoder<T[I]> }
): Decoder<T> {
  return (reply) => {
    const replies = array(reply)
    if (replies.length < items.length) throw new UnexpectedReplyError(`${String(items.length)} items`, reply)
    return items.map((item, index) => item(replies[index] as Reply)) as unknown as T
  }
}

function array(reply: Reply): readonly Reply[] {
  if (Array.isArray(reply)) return reply as readonly Reply[]
  throw new UnexpectedReplyError('a list', reply)
}
