import type { Bytes } from '../../reply.js'
import { failure } from '../run/errors.js'
import { rawSet } from '../run/indexing.js'
import { Table } from '../run/table.js'
import { NATIVE, type Thread } from '../run/thread.js'
import type { Value } from '../run/values.js'

/** The values that MessagePack holds from one byte on, and where the rest begins. */
export function decodeAll(
  packed: Bytes,
  { from, most }: { from: number; most: number },
  thread: Thread,
): { values: Value[]; end: number } {
  const decoder = new Decoder(packed, from, thread)
  const values: Value[] = []
  while (decoder.at < packed.length && values.length < most) values.push(decoder.value())
  return { values, end: decoder.at }
}

class Decoder {
  at: number
  readonly #packed: Bytes
  readonly #thread: Thread

  constructor(packed: Bytes, from: number, thread: Thread) {
    this.#packed = packed
    this.at = from
    this.#thread = thread
  }

  value(): Value {
    const type = this.#byte()
    if (type < 0x80) return type
    if (type >= 0xe0) return type - 0x100
    if (type >= 0xa0 && type < 0xc0) return this.#bytes(type & 0x1f)
    if (type >= 0x90 && type < 0xa0) return this.#list(type & 0x0f)
    if (type < 0x90) return this.#map(type & 0x0f)
    return this.#ofType(type)
  }

  #ofType(type: number): Value {
    switch (type) {
      case 0xc0:
        return undefined
      case 0xc2:
        return false
      case 0xc3:
        return true
      case 0xca:
        return this.#view(4).getFloat32(0)
      case 0xcb:
        return this.#view(8).getFloat64(0)
      case 0xcc:
      case 0xcd:
      case 0xce:
        return this.#unsigned(2 ** (type - 0xcc))
      case 0xcf:
        return this.#signed(8) // as Redis reads it
      case 0xd0:
      case 0xd1:
      case 0xd2:
      case 0xd3:
        return this.#signed(2 ** (type - 0xd0))
      case 0xd9:
      case 0xda:
      case 0xdb:
        return this.#bytes(this.#unsigned(2 ** (type - 0xd9)))
      case 0xdc:
      case 0xdd:
        return this.#list(this.#unsigned(2 ** (type - 0xdb)))
      case 0xde:
      case 0xdf:
        return this.#map(this.#unsigned(2 ** (type - 0xdd)))
      default:
        throw failure(this.#thread, 'Bad data format in input.')
    }
  }

  #list(length: number): Table {
    const list = new Table()
    for (let at = 1; at <= length; at++) list.set(at, this.value())
    return list
  }

  #map(length: number): Table {
    const { native } = this.#thread
    const map = new Table()
    for (let count = 0; count < length; count++) {
      const key = this.value()
      rawSet(map, key, this.value(), native, NATIVE)
    }
    return map
  }

  #byte(): number {
    return this.#bytes(1).charCodeAt(0)
  }

  #unsigned(size: number): number {
    return Number(BigInt.asUintN(8 * size, this.#integer(size)))
  }

  #signed(size: number): number {
    return Number(BigInt.asIntN(8 * size, this.#integer(size)))
  }

  #integer(size: number): bigint {
    let integer = 0n
    for (const byte of this.#bytes(size)) integer = (integer << 8n) | BigInt(byte.charCodeAt(0))
    return integer
  }

  #view(size: number): DataView {
    return new DataView(Uint8Array.from(this.#bytes(size), (byte) => byte.charCodeAt(0)).buffer)
  }

  #bytes(count: number): Bytes {
    const end = this.at + count
    if (end > this.#packed.length) throw failure(this.#thread, 'Missing bytes in input.')
    const bytes = this.#packed.slice(this.at, end)
    this.at = end
    return bytes
  }
}
