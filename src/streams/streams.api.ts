import type { KeyedStreamOptions, StreamOptions } from './stream/stream-options.api.js'
import type { RStream } from './stream/stream.api.js'

export type * from './stream/stream.api.js'
export type * from './stream/stream-consumer.api.js'
export type * from './stream/stream-data.api.js'
export type * from './stream/stream-options.api.js'

/** The streams that a client hands out. */
export interface StreamObjects {
  /**
   * A stream by its name, whose fields have names that are texts. Nothing is sent until it is used, and nothing is kept of the stream here.
   *
   * @param name - a non-empty string without lone surrogates
   * @throws TypeError for a name that is none, or an option that is unknown or wrong
   * @throws {@link CrossSlotError} for a name that a cluster cannot serve
   */
  getStream<K extends string = string, V = unknown>(
    name: string,
    options?: StreamOptions<K, V>,
  ): RStream<K, V>

  /** A stream whose field names have a codec, and so may be anything. */
  getStream<K, V = unknown>(name: string, options: KeyedStreamOptions<K, V>): RStream<K, V>
}
