import { failure } from '../run/errors.js'
import type { Thread } from '../run/thread.js'
import { type Body, NULL_POINTER, type Value } from '../run/values.js'
import { decode } from '../json/decode.js'
import { encode } from '../json/encode.js'
import { JsonError } from '../json/json-error.js'
import type { Arguments } from './arguments.js'
import { giving } from './functions.js'

/** The library `cjson`, with its usual settings. */
export const cjson: { functions: Record<string, Body>; values: Record<string, Value> } = {
  functions: {
    decode: converting((args) => decode(args.text(1))),
    encode: converting((args) => encode(args.at(1))),
  },
  values: { _NAME: 'cjson', _VERSION: '2.1.0', null: NULL_POINTER },
}

function converting(convert: (args: Arguments) => Value): Body {
  return giving((args, thread) => {
    if (args.count !== 1) throw args.error(1, 'expected 1 argument')
    return naming(thread, () => convert(args))
  })
}

/** Errors name the line. */
function naming(thread: Thread, convert: () => Value): Value {
  try {
    return convert()
  } catch (error) {
    throw error instanceof JsonError ? failure(thread, error.message) : error
  }
}
