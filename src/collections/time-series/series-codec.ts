import type { NewTimeSeriesEntries, TimeSeriesEntry } from './time-series.api.js'
import type { Codec } from '../../api/codec.js'
import { decodeAt, encodeBytesAt } from '../../codec/encoding.js'
import { decodeTaken } from '../../codec/taken.js'
import type { Argument } from '../../connection/connection.js'
import { demandValue } from '../../core/arguments/arguments.js'
import { demandOptions, known } from '../../core/arguments/options.js'
import { valuesOf } from '../../core/entries.js'
import { mapInTurns } from '../../util/map-in-turns.js'
import { recordCodec } from './series-record.js'
import { timestampText } from './timestamps.js'

const ENTRY = known<TimeSeriesEntry<unknown>>({ timestamp: true, value: true, label: true })

/** An entry as it is in Redis. */
export type StoredEntry = readonly [record: Buffer, timestamp: number]

/** A timestamp and a record, as they are sent. */
export type EntryArguments = readonly [timestamp: string, record: Argument]

/** Makes bytes of the entries of one series, and the other way round. */
export class SeriesCodec<V, L> {
  readonly #place: { readonly object: string }
  readonly #codec: Codec<unknown>

  constructor(object: string, codec: Codec<unknown>) {
    this.#place = { object }
    this.#codec = codec
  }

  /** @throws TypeError for a timestamp that is none, and for `undefined` as the value */
  encode(timestamp: number | Date, value: V, label?: L): EntryArguments {
    const sent = timestampText('timestamp', timestamp)
    demandValue(value, 'remove() removes an entry')
    const [bytes, labelBytes] = [value, label].map((each) =>
      each === undefined ? undefined : encodeBytesAt(this.#codec, each, this.#place),
    )
    return [sent, encodeBytesAt(recordCodec, { value: bytes as Buffer, label: labelBytes }, this.#place)]
  }

  /** @throws TypeError for what is neither pairs nor entries */
  encodeAll(entries: NewTimeSeriesEntries<V, L>): EntryArguments[] {
    return valuesOf<unknown>('entries', entries).map((entry) => {
      if (isPair(entry)) return this.encode(...(entry as [number, V]))
      demandOptions(entry, ENTRY)
      const { timestamp, value, label } = entry as TimeSeriesEntry<V, L>
      return this.encode(timestamp, value, label)
    })
  }

  readonly decodeValue = ([record]: StoredEntry): V => {
    return this.#read(decodeAt(recordCodec, record, this.#place).value) as V
  }

  readonly decodeEntry = ([record, timestamp]: StoredEntry): TimeSeriesEntry<V, L> => {
    const { value, label } = decodeAt(recordCodec, record, this.#place)
    const entry = { timestamp, value: this.#read(value) as V }
    return label === undefined ? entry : { ...entry, label: this.#read(label) as L }
  }

  decodeAll<R>(entries: readonly StoredEntry[], decode: (entry: StoredEntry) => R): R[] | Promise<R[]> {
    return mapInTurns(entries, decode)
  }

  /** The entries of a call that has removed them from Redis: see {@link decodeTaken}. */
  decodeTaken<R>(entries: readonly StoredEntry[], decode: (entry: StoredEntry) => R): R[] {
    return decodeTaken(entries, { decode, bytesOf: ([record]) => this.#bytesIn(record) })
  }

  /** The bytes of the value in a record; all of a record that is none. */
  #bytesIn(record: Buffer): Buffer {
    try {
      return decodeAt(recordCodec, record, this.#place).value
    } catch {
      return record
    }
  }

  #read(bytes: Buffer): unknown {
    return decodeAt(this.#codec, bytes, this.#place)
  }
}

function isPair(entry: unknown): boolean {
  return Array.isArray(entry) && entry.length === 2
}
