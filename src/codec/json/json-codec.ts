import type { Codec, JsonCodecOptions } from '../../api/codec.js'
import { textOf } from '../bytes.js'
import { cannotDecode } from '../codec-failure.js'
import { demandCodecOptions, FLAG } from '../codec-options.js'
import { asJacksonEscapes, JACKSON_VERSIONS, type JacksonVersion } from './json-escapes.js'
import { hasLargeInteger, parseWithBigints } from './json-integers.js'
import { isPlainJson } from './json-plain.js'
import { JsonWriter } from './json-writer.js'

/**
 * Writes values as JSON, byte for byte as `TypedJsonJacksonCodec` of Redisson for Java writes texts, numbers, booleans, lists and maps.
 *
 * - Members keep their order. Those that are `undefined` are left out, as in `JSON.stringify`; those that are `null` are kept.
 * - A `bigint` is written as digits. An integer beyond 2⁵³ − 1 is read as a `bigint`, so that no digit is lost, and any other as a `number`.
 *   A `number` beyond 2⁵³ − 1 is written with an exponent, so it is read as a `number`.
 * - −0 is written as 0, as in `JSON.stringify`: both are the same value to a program, and values are compared by their bytes.
 * - What JSON cannot say is an error and never another value: `Map`, `Set`, bytes, functions, symbols, `NaN`, infinities, circles, and
 *   `undefined` in a list.
 * - Objects with a `toJSON()` are written as what it returns, so a `Date` is read as a text.
 * - Lists and objects in each other go 1 000 levels deep at most, since Java reads no more.
 *
 * @typeParam T - what the program says is written and read. Nothing checks it: for that give a schema in the place of the codec.
 */
export function jsonCodec<T = unknown>(options: JsonCodecOptions = {}): Codec<T> {
  demandCodecOptions<JsonCodecOptions>('jsonCodec', options, { bean: FLAG, jackson: JACKSON_VERSIONS })
  const { bean = false, jackson = 2 } = options
  return bean || jackson !== 2 ? new JsonCodec<T>('json', bean, jackson) : (usual as Codec<T>)
}

/** JSON, with the name for its errors. */
export class JsonCodec<T> implements Codec<T> {
  readonly name: string
  readonly #bean: boolean
  readonly #jackson: JacksonVersion

  constructor(name: string, bean: boolean, jackson: JacksonVersion = 2) {
    this.name = name
    this.#bean = bean
    this.#jackson = jackson
  }

  encode(value: T): string {
    if (!this.#bean && isPlainJson(value)) return asJacksonEscapes(JSON.stringify(value), this.#jackson)
    return asJacksonEscapes(new JsonWriter(this.name, this.#bean).write(value), this.#jackson)
  }

  decode(bytes: Uint8Array): T {
    const text = textOf(bytes)
    if (text === undefined) throw cannotDecode(this.name, 'JSON in UTF-8', bytes)
    try {
      return (hasLargeInteger(bytes) ? parseWithBigints(text) : JSON.parse(text)) as T
    } catch {
      // The error of the engine cites the text, so it is no cause.
      throw cannotDecode(this.name, 'JSON', bytes)
    }
  }
}

/** One for all: programs write `jsonCodec()` at each use, and objects are compared by their codecs. */
const usual: Codec<unknown> = Object.freeze(new JsonCodec<unknown>('json', false))
