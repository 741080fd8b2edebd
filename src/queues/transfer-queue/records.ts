import type { Codec } from '../../api/codec.js'
import type { Argument } from '../../connection/connection.js'
import { ValueCodec } from '../../collections/shared/value-codec.js'

const END_OF_LINE = 0x0a

/**
 * Makes records of the values of a transfer queue, and the other way round.
 *
 * A record is a line and the encoded value. The line is empty, or the id of the call that waits for the hand-off of this element.
 */
export class TransferRecords<V> extends ValueCodec<V> {
  constructor(object: string, codec: Codec<V>) {
    super(object, codec, 'poll() removes the head')
  }

  override encode(value: V): Buffer {
    return this.recordOf(value, '')
  }

  override decode(record: Buffer): V {
    return super.decode(record.subarray(endOfLine(record) + 1))
  }

  override comparedBy(record: Buffer): Buffer {
    return record.subarray(Math.max(endOfLine(record), 0))
  }

  /** @param id - of the call that waits for the hand-off; empty for none */
  recordOf(value: V, id: string): Buffer {
    const encoded: Argument = super.encode(value)
    return Buffer.concat([Buffer.from(`${id}\n`), Buffer.from(encoded as string)])
  }
}

function endOfLine(record: Buffer): number {
  return record.indexOf(END_OF_LINE)
}
