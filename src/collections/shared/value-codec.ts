import type { Codec } from '../../api/codec.js'
import { decodeAt, encodeAt, encodeBytesAt } from '../../codec/encoding.js'
import { decodeTakenBytes } from '../../codec/taken.js'
import type { Argument } from '../../connection/connection.js'
import { demandValue } from '../../core/arguments/arguments.js'
import { valuesOf } from '../../core/entries.js'
import { mapInTurns } from '../../util/map-in-turns.js'

/** Makes bytes of the values of one collection, and the other way round. */
export class ValueCodec<V> {
  readonly #object: string
  readonly #codec: Codec<V>
  readonly #advice: string

  /**
   * @param object - the name of the collection
   * @param advice - what a program may have meant by `undefined`
   */
  constructor(object: string, codec: Codec<V>, advice: string) {
    this.#object = object
    this.#codec = codec
    this.#advice = advice
  }

  /** @throws TypeError for `undefined` */
  encode(value: V): Argument {
    demandValue(value, this.#advice)
    return encodeAt(this.#codec, value, { object: this.#object })
  }

  /** @throws TypeError for what is no iterable, and for `undefined` among the values */
  encodeAll(values: Iterable<V>): Argument[] {
    return valuesOf('values', values).map((value) => this.encode(value))
  }

  /** What an element of the collection is compared by. */
  comparedBy(element: Buffer): Buffer {
    return element
  }

  /** The bytes of a value, for names that are made of them. */
  bytesOf(value: V): Buffer {
    return encodeBytesAt(this.#codec, value, { object: this.#object })
  }

  decode(bytes: Buffer): V {
    return decodeAt(this.#codec, bytes, { object: this.#object })
  }

  decodeIfAny(bytes: Buffer | undefined): V | undefined {
    return bytes === undefined ? undefined : this.decode(bytes)
  }

  /** The values of a call that has removed them from Redis: see {@link decodeTaken}. */
  decodeTaken(all: readonly Buffer[]): V[] {
    return decodeTakenBytes(all, (bytes) => this.decode(bytes))
  }

  decodeTakenIfAny(bytes: Buffer | undefined): V | undefined {
    return bytes === undefined ? undefined : this.decodeTaken([bytes])[0]
  }

  decodeAll(all: readonly Buffer[]): V[] | Promise<V[]> {
    return mapInTurns(all, (bytes) => this.decode(bytes))
  }
}
