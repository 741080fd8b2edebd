import type { Codec, JacksonCodecOptions } from '../../api/codec.js'
import { inspectShort } from '../../util/inspect-short.js'
import { isPlain } from '../../util/is-plain.js'
import { textOf } from '../bytes.js'
import { cannotDecode } from '../codec-failure.js'
import { demandNames, demandOneOf, FLAG } from '../codec-options.js'
import { asJacksonEscapes, JACKSON_VERSIONS, type JacksonVersion } from '../json/json-escapes.js'
import { parseExactly } from './decimals.js'
import { JacksonReader } from './jackson-reader.js'
import { JacksonTypes } from './jackson-types.js'
import { JacksonWriter } from './jackson-writer.js'

const NAME = 'jackson'

/**
 * Writes values as JSON with the classes of Java, as `JsonJacksonCodec` of Redisson for Java does, and reads what that wrote: for data that
 * Java has already. For all else `jsonCodec()` says the same in fewer bytes.
 *
 * - A list, a `Set`, a plain object or `Map`, and a `Date` are a `java.util.ArrayList`, `HashSet`, `LinkedHashMap` and `Date`, at every level.
 *   Integers of more than 32 bits and each `bigint` are a `Long`, or a `BigInteger` beyond 64 bits. Bytes are a `byte[]`.
 * - Members that are `null` are left out, as Java leaves them out, and come back as absent.
 * - What is read comes without its marks. The codec remembers those of the very lists and objects that it made, and writes them as they were, with
 *   new members and items of the same class. A copy of an object has none, and the value itself has none if it is a number or a text.
 * - A `BigDecimal` is read as a text, since a `number` would lose digits.
 * - A class name in a value counts only if it is among `types`: Java creates an object of any class that it reads.
 *
 * @typeParam T - what the program says is written and read. Nothing checks it.
 * @throws `TypeError` for options that are none
 * @example
 * ```ts
 * const orders = jacksonCodec<Order>({ types: { 'com.shop.Order': { class: Order, fields: { id: 'Long', total: 'BigDecimal' } } } })
 * ```
 */
export function jacksonCodec<T = unknown>(options: JacksonCodecOptions = {}): Codec<T> {
  if (!isPlain(options))
    throw new TypeError(
      `Expected the options of jacksonCodec() to be an object, got ${inspectShort(options)}`,
    )
  demandNames('jacksonCodec()', options, ['types', 'classMember', 'jackson'])
  const { types, classMember = false, jackson = 2 } = options
  demandOneOf('`classMember` of jacksonCodec()', classMember, FLAG)
  demandOneOf('`jackson` of jacksonCodec()', jackson, JACKSON_VERSIONS)
  return new JacksonCodec<T>(new JacksonTypes(types), classMember, jackson)
}

/** JSON with the classes of Java. */
class JacksonCodec<T> implements Codec<T> {
  readonly name = NAME
  readonly #types: JacksonTypes
  readonly #classMember: boolean
  readonly #jackson: JacksonVersion

  constructor(types: JacksonTypes, classMember: boolean, jackson: JacksonVersion) {
    this.#types = types
    this.#classMember = classMember
    this.#jackson = jackson
  }

  encode(value: T): string {
    return asJacksonEscapes(new JacksonWriter(this.#types, NAME).write(value), this.#jackson)
  }

  decode(bytes: Uint8Array): T {
    const text = textOf(bytes)
    if (text === undefined) throw cannotDecode(NAME, 'JSON in UTF-8', bytes)
    try {
      return new JacksonReader(this.#types, this.#classMember).read(parseExactly(text, bytes)) as T
    } catch {
      // The error of the engine cites the text, so it is no cause.
      throw cannotDecode(NAME, 'JSON', bytes)
    }
  }
}
