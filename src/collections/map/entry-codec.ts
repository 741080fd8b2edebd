import type { KeyAndValue } from '../../codec/codecs.js'
import { decodeAt, encodeAt, encodeBytesAt, type Place } from '../../codec/encoding.js'
import { stringCodec } from '../../codec/string-codec.js'
import { decodeTakenBytes } from '../../codec/taken.js'
import type { Argument } from '../../connection/connection.js'
import { inspectShort } from '../../util/inspect-short.js'
import { identityOf } from '../shared/identity-of.js'

/** What a program can do whose keys are no texts. */
const ADVICE = 'keys are texts: String(key), or another codec for keys'

/** An entry as it is in Redis. */
export type EntryBytes = readonly [key: Buffer, value: Buffer]

/** Makes bytes of the keys and values of one map, and the other way round. */
export class EntryCodec<K, V> {
  readonly #object: string
  readonly #codec: KeyAndValue<K, V>

  constructor(object: string, codec: KeyAndValue<K, V>) {
    this.#object = object
    this.#codec = codec
  }

  encodeKey(key: K): Argument {
    demandKey(key)
    return encodeAt(this.#codec.key, key, this.#placeOfKey)
  }

  /** The bytes of a key, for names that are made of them. */
  keyBytes(key: K): Buffer {
    demandKey(key)
    return encodeBytesAt(this.#codec.key, key, this.#placeOfKey)
  }

  /** A text that is the same for the same key, by its bytes. */
  identityOf(key: K): string {
    return identityOf(this.keyBytes(key))
  }

  encodeValue(value: V, key?: K): Argument {
    if (value === undefined)
      throw new TypeError('Expected `value` to be a value, got undefined: remove() removes an entry')
    return encodeAt(this.#codec.value, value, this.#placeOf(key))
  }

  decodeKey(bytes: Buffer): K {
    return decodeAt(this.#codec.key, bytes, { object: this.#object })
  }

  decodeValue(bytes: Buffer, key?: K): V {
    return decodeAt(this.#codec.value, bytes, this.#placeOf(key))
  }

  /** The value that a call has removed or replaced, if there was one: see {@link decodeTaken}. */
  decodeTakenValue(bytes: Buffer | undefined, key: K): V | undefined {
    const taken = bytes === undefined ? [] : [bytes]
    return decodeTakenBytes(taken, (value) => this.decodeValue(value, key))[0]
  }

  /** The value of a key, if it has one. */
  decodeFoundValue(bytes: Buffer | undefined, key: K): V | undefined {
    return bytes === undefined ? undefined : this.decodeValue(bytes, key)
  }

  decodeEntry([keyBytes, value]: EntryBytes): [K, V] {
    const key = this.decodeKey(keyBytes)
    return [key, this.decodeValue(value, key)]
  }

  get #placeOfKey(): Place {
    const object = this.#object
    return (this.#codec.key as unknown) === stringCodec() ? { object, advice: ADVICE } : { object }
  }

  #placeOf(key: K | undefined): Place {
    const object = this.#object
    if (key === undefined) return { object }
    if (typeof key === 'string') return { object, key }
    return {
      object,
      // Only an error asks for it.
      get key() {
        return inspectShort(key)
      },
    }
  }
}

function demandKey(key: unknown): void {
  if (key === undefined) throw new TypeError('Expected `key` to be a key, got undefined')
}

/** A copy of what was encoded, as Redis returns it. */
export function bytesOf(encoded: Argument): Buffer {
  return Buffer.isBuffer(encoded) ? Buffer.from(encoded) : Buffer.from(String(encoded))
}
