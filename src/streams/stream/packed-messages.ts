import type { EntryBytes } from '../../collections/map/entry-codec.js'
import { bytes, type Decoder } from '../../command/operation/replies.js'
import { UnexpectedReplyError } from '../../errors/reply-errors.js'
import type { MessageBytes } from './stream-replies.js'

/** Reads lists and strings in MessagePack, as `read-new.lua` packs them. */
class Reader {
  readonly bytes: Buffer
  place: number

  constructor(bytes: Buffer, place: number) {
    this.bytes = bytes
    this.place = place
  }

  /** The length of a list, after its first byte or bytes. */
  list(): number {
    const type = this.bytes[this.place++] as number
    if (type >= 0x90 && type <= 0x9f) return type & 0x0f
    if (type === 0xdc) return this.#number(2)
    if (type === 0xdd) return this.#number(4)
    throw new UnexpectedReplyError('a packed list', this.bytes)
  }

  /** The length of a string, after its first byte or bytes. */
  string(): number {
    const type = this.bytes[this.place++] as number
    if (type >= 0xa0 && type <= 0xbf) return type & 0x1f
    if (type === 0xd9) return this.#number(1)
    if (type === 0xda) return this.#number(2)
    if (type === 0xdb) return this.#number(4)
    throw new UnexpectedReplyError('a packed string', this.bytes)
  }

  text(): string {
    const length = this.string()
    const start = this.place
    this.place += length
    return this.bytes.toString('latin1', start, this.place)
  }

  slice(): Buffer {
    const length = this.string()
    const start = this.place
    this.place += length
    return this.bytes.subarray(start, this.place)
  }

  skipStrings(count: number): void {
    for (let left = count; left > 0; left -= 1) {
      const length = this.string()
      this.place += length
    }
  }

  #number(size: 1 | 2 | 4): number {
    const start = this.place
    this.place += size
    return this.bytes.readUIntBE(start, size)
  }
}

/** A message whose fields are read when they are asked for. */
class PackedMessage implements MessageBytes {
  readonly id: string
  readonly #bytes: Buffer
  readonly #place: number

  constructor(id: string, bytes: Buffer, place: number) {
    this.id = id
    this.#bytes = bytes
    this.#place = place
  }

  get fields(): readonly EntryBytes[] {
    const reader = new Reader(this.#bytes, this.#place)
    const fields: EntryBytes[] = []
    for (let left = reader.list(); left > 0; left -= 2) fields.push([reader.slice(), reader.slice()])
    return fields
  }
}

/** Messages in MessagePack, and how many bytes they take. */
export const packedMessages: Decoder<{ readonly messages: MessageBytes[]; readonly size: number }> = (
  reply,
) => {
  if (reply === null) return { messages: [], size: 0 }
  const packed = bytes(reply)
  const reader = new Reader(packed, 0)
  const messages: MessageBytes[] = []
  for (let left = reader.list(); left > 0; left -= 1) {
    if (reader.list() !== 2) throw new UnexpectedReplyError('a packed message', reply)
    const id = reader.text()
    const place = reader.place
    reader.skipStrings(reader.list())
    messages.push(new PackedMessage(id, packed, place))
  }
  return { messages, size: packed.length }
}
