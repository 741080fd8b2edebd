import type { Bytes } from '../../reply.js'
import { failure } from '../run/errors.js'
import type { Thread } from '../run/thread.js'
import type { Body, Values } from '../run/values.js'
import type { Arguments } from './arguments.js'
import { format } from './format.js'
import { checking, giving } from './functions.js'
import { patternFunctions, relativePosition } from './patterns.js'

/** The functions of `string`, which are methods of strings too. */
export const string: Record<string, Body> = {
  ...patternFunctions,
  byte: checking(bytesOf),
  char: giving((args) => {
    const codes = args.all.map((_, at) => codeAt(args, at + 1))
    return codes.map((code) => String.fromCharCode(code)).join('')
  }),
  dump: checking((args, thread) => dump(args, thread)),
  format: giving(format),
  len: giving((args) => args.text(1).length),
  lower: giving((args) => args.text(1).replace(/[A-Z]+/g, (letters) => letters.toLowerCase())),
  rep: giving((args) => {
    const text = args.text(1)
    return text.repeat(Math.max(args.integer(2), 0))
  }),
  reverse: giving((args) => Array.from(args.text(1)).reverse().join('')),
  sub: giving((args) => {
    const text = args.text(1)
    const { first, last } = rangeIn(text, args.long(2), args.longOr(3, -1))
    return text.slice(first - 1, Math.max(last, first - 1))
  }),
  upper: giving((args) => args.text(1).replace(/[a-z]+/g, (letters) => letters.toUpperCase())),
}

function rangeIn(text: Bytes, from: number, to: number): { first: number; last: number } {
  return {
    first: Math.max(relativePosition(from, text.length), 1),
    last: Math.min(relativePosition(to, text.length), text.length),
  }
}

function bytesOf(args: Arguments): Values {
  const text = args.text(1)
  const from = args.longOr(2, 1)
  const { first, last } = rangeIn(text, from, args.longOr(3, relativePosition(from, text.length)))
  return Array.from({ length: Math.max(last - first + 1, 0) }, (_, at) => text.charCodeAt(first - 1 + at))
}

function codeAt(args: Arguments, position: number): number {
  const code = args.integer(position)
  if (code < 0 || code > 255) throw args.error(position, 'invalid value')
  return code
}

function dump(args: Arguments, thread: Thread): never {
  args.function(1)
  throw failure(thread, 'unable to dump given function')
}
