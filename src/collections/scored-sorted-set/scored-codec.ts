import type { ScoredEntries } from './scored-sorted-set.api.js'
import { decodeTaken } from '../../codec/taken.js'
import type { Argument } from '../../connection/connection.js'
import { entriesOf } from '../../core/entries.js'
import { mapInTurns } from '../../util/map-in-turns.js'
import { ValueCodec } from '../shared/value-codec.js'
import type { ScoredBytes } from './scored-reader.js'
import { scoreText } from './scores.js'

export type Entry<V> = [value: V, score: number]

/** A score and a value, as they are sent. */
export type EntryArguments = readonly [score: string, value: Argument]

/** Makes bytes of the values of one sorted set, and the other way round, with their scores. */
export class ScoredCodec<V> extends ValueCodec<V> {
  encodeEntries(entries: ScoredEntries<V>): EntryArguments[] {
    const given = entriesOf<V, number>('entries', entries)
    return Array.from(given, ([value, score]) => [scoreText('score', score), this.encode(value)])
  }

  decodeEntry([bytes, score]: ScoredBytes): Entry<V> {
    return [this.decode(bytes), score]
  }

  decodeEntries(entries: readonly ScoredBytes[]): Entry<V>[] | Promise<Entry<V>[]> {
    return mapInTurns(entries, (entry) => this.decodeEntry(entry))
  }

  /** The entries of a call that has removed them from Redis: see {@link decodeTaken}. */
  decodeTakenEntries(entries: readonly ScoredBytes[]): Entry<V>[] {
    return decodeTaken(entries, { decode: (entry) => this.decodeEntry(entry), bytesOf: ([bytes]) => bytes })
  }

  /** The same without their scores. */
  decodeTakenValues(entries: readonly ScoredBytes[]): V[] {
    return this.decodeTaken(entries.map(([bytes]) => bytes))
  }

  /** The values without their scores. */
  decodeValues(entries: readonly ScoredBytes[]): V[] | Promise<V[]> {
    return mapInTurns(entries, ([bytes]) => this.decode(bytes))
  }
}
