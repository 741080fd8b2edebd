import { failure } from '../run/errors.js'
import type { Thread } from '../run/thread.js'
import type { Body, Value, Values } from '../run/values.js'
import { decodeAll } from '../msgpack/decode.js'
import { encode } from '../msgpack/encode.js'
import type { Arguments } from './arguments.js'
import { checking, giving } from './functions.js'

/** The library `cmsgpack`. */
export const cmsgpack: { functions: Record<string, Body>; values: Record<string, Value> } = {
  functions: {
    pack: giving((args) => {
      if (args.count === 0) throw args.error(0, 'MessagePack pack needs input.')
      return args.all.map((value) => encode(value)).join('')
    }),
    unpack: checking((args, thread) => decodeAll(args.text(1), { from: 0, most: Infinity }, thread).values),
    unpack_limit: checking((args, thread) => unpackSome(args, args.integer(2), args.integerOr(3, 0), thread)),
    unpack_one: checking((args, thread) => unpackSome(args, 1, args.integerOr(2, 0), thread)),
  },
  values: {
    _COPYRIGHT: 'Copyright (C) 2012, Salvatore Sanfilippo',
    _DESCRIPTION: 'MessagePack C implementation for Lua',
    _NAME: 'cmsgpack',
    _VERSION: 'lua-cmsgpack 0.4.0',
  },
}

/** Where the rest begins, -1 if there is none, and then the values. */
function unpackSome(args: Arguments, most: number, from: number, thread: Thread): Values {
  const packed = args.text(1)
  if (from < 0 || most < 0) {
    throw failure(thread, `Invalid request to unpack with offset of ${from} and limit of ${packed.length}.`)
  }
  if (from > packed.length) {
    throw failure(thread, `Start offset ${from} greater than input length ${packed.length}.`)
  }
  const { values, end } = decodeAll(packed, { from, most: most === 0 ? Infinity : most }, thread)
  return [end === packed.length ? -1 : end, ...values]
}
