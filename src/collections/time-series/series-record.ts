import { randomBytes } from 'node:crypto'
import type { Codec } from '../../api/codec.js'

/** The first byte of a record: without a label, with one, and the form of later versions of Redisson, whose label has such a byte itself. */
const PLAIN = 2
const LABELLED = 3
const NUMBERED = 4

const ID_BYTES = 16
const LENGTH_BYTES = 8

/** What an entry is, without its timestamp. */
export interface SeriesRecord {
  readonly value: Buffer
  readonly label: Buffer | undefined
}

/**
 * An entry as it is in Redis, in Redisson's form: how it begins; how many bytes tell it from others, and these; the value and the label, each behind
 * its length.
 */
export const recordCodec: Codec<SeriesRecord> = {
  name: 'time series',
  encode: ({ value, label }) =>
    Buffer.concat([
      Buffer.of(label === undefined ? PLAIN : LABELLED, ID_BYTES),
      randomBytes(ID_BYTES),
      lengthOf(value),
      value,
      lengthOf(label),
      label ?? Buffer.of(),
    ]),
  decode: (bytes) => {
    const record = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
    const form = record.readUInt8()
    const [value, behind] = sized(record, 2 + record.readUInt8(1))
    const [label, end] = sized(record, behind)
    if (form < PLAIN || form > NUMBERED || end !== record.length) throw new RangeError('no entry of a series')
    if (form === NUMBERED) return { value, label: label[0] === LABELLED ? label.subarray(1) : undefined }
    return { value, label: form === LABELLED ? label : undefined }
  },
}

function lengthOf(bytes: Buffer | undefined): Buffer {
  const length = Buffer.alloc(LENGTH_BYTES)
  length.writeBigUInt64LE(BigInt(bytes?.length ?? 0))
  return length
}

/** Some bytes behind their length, and where they end. */
function sized(record: Buffer, at: number): readonly [bytes: Buffer, end: number] {
  const start = at + LENGTH_BYTES
  const end = start + Number(record.readBigUInt64LE(at))
  return [record.subarray(start, end), end]
}
