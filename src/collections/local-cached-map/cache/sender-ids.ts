import { randomFillSync } from 'node:crypto'
import { ID_BYTES } from './cache-messages.js'

/** How the ids of this library begin. One of Redisson for Java is of chance, and begins so once in 16 million. */
const MARK = 0x10_ed_15

/** How many bytes the mark takes, and the number of a database. */
const PART_BYTES = 3
const DATABASES = 2 ** (8 * PART_BYTES)

/** How many bytes at the end of an id are a number that rises with each. */
const COUNTED_BYTES = 8

/**
 * The ids that one object gives its messages, each of which says the database: channels know none. For Redisson for Java they are ids as others.
 *
 * An id is the mark, the number of the database, bytes of chance, and a number that begins by chance and rises.
 */
export class SenderIds {
  readonly #last = randomFillSync(Buffer.alloc(ID_BYTES))

  constructor(database: number) {
    this.#last.writeUIntBE(MARK, 0, PART_BYTES)
    this.#last.writeUIntBE(database % DATABASES, PART_BYTES, PART_BYTES)
  }

  /** A new id. */
  next(): Buffer {
    const at = ID_BYTES - COUNTED_BYTES
    this.#last.writeBigUInt64BE(BigInt.asUintN(64, this.#last.readBigUInt64BE(at) + 1n), at)
    return Buffer.from(this.#last)
  }
}

/** The database of the sender of a message; undefined for one of Redisson for Java, which does not say it. */
export function databaseOfSender(sender: string): number | undefined {
  const head = Buffer.from(sender.slice(0, 2 * PART_BYTES), 'latin1')
  return head.readUIntBE(0, PART_BYTES) === MARK ? head.readUIntBE(PART_BYTES, PART_BYTES) : undefined
}
