import type { Bytes } from '../../reply.js'
import { Table } from '../run/table.js'
import { NULL_POINTER, type Value } from '../run/values.js'
import { DEEPEST, JsonError } from './json-error.js'
import { type Token, Tokens } from './tokens.js'

/** The value that a text of JSON says. Its null is a pointer, as nil could not be in a table. */
export function decode(text: Bytes): Value {
  if (text.length >= 2 && text.slice(0, 2).includes('\0')) {
    throw new JsonError('JSON parser does not support UTF-16 or UTF-32')
  }
  const tokens = new Tokens(text)
  const value = decodeValue(tokens, tokens.next(), 0)
  const end = tokens.next()
  if (end.type !== 'T_END') throw tokens.unexpected(end, 'the end')
  return value
}

function decodeValue(tokens: Tokens, token: Token, depth: number): Value {
  switch (token.type) {
    case 'T_STRING':
    case 'T_NUMBER':
    case 'T_BOOLEAN':
      return token.value
    case 'T_NULL':
      return NULL_POINTER
    case 'T_OBJ_BEGIN':
      return decodeObject(tokens, deeper(depth, tokens))
    case 'T_ARR_BEGIN':
      return decodeList(tokens, deeper(depth, tokens))
    default:
      throw tokens.unexpected(token, 'value')
  }
}

function deeper(depth: number, { position }: Tokens): number {
  if (depth < DEEPEST) return depth + 1
  throw new JsonError(`Found too many nested data structures (${depth + 1}) at character ${position}`)
}

function decodeObject(tokens: Tokens, depth: number): Table {
  const table = new Table()
  let token = tokens.next()
  if (token.type === 'T_OBJ_END') return table
  for (;;) {
    if (token.type !== 'T_STRING') throw tokens.unexpected(token, 'object key string')
    const colon = tokens.next()
    if (colon.type !== 'T_COLON') throw tokens.unexpected(colon, 'colon')
    table.set(token.value, decodeValue(tokens, tokens.next(), depth))
    const end = tokens.next()
    if (end.type === 'T_OBJ_END') return table
    if (end.type !== 'T_COMMA') throw tokens.unexpected(end, 'comma or object end')
    token = tokens.next()
  }
}

function decodeList(tokens: Tokens, depth: number): Table {
  const list = new Table()
  let token = tokens.next()
  if (token.type === 'T_ARR_END') return list
  for (let at = 1; ; at++) {
    list.set(at, decodeValue(tokens, token, depth))
    const end = tokens.next()
    if (end.type === 'T_ARR_END') return list
    if (end.type !== 'T_COMMA') throw tokens.unexpected(end, 'comma or array end')
    token = tokens.next()
  }
}
