import type { CodecLike, MapCodec, SchemaCheck } from './codec.js'

/** How the requests of an object are made. */
export interface ObjectOptions {
  /**
   * Whether calls that change something are sent again when their reply is lost, and take effect once. Each of them writes one key
   * more for that, with its whole reply, which is removed when the reply has arrived. Where the reply was lost, the key expires after a minute or more. While a slot of a cluster moves,
   * they wait, and reject with a {@link ServerNotReadyError} if that takes longer than they are sent again: Redis cannot write both keys then.
   * In a batch they wait as well, unless a later call of the same key has a reply already.
   *
   * A command has at most 7 999 words then, because Lua takes no more: a union of more sets is a `RangeError`, and nothing is sent. Calls that take a
   * list of values have no such limit.
   *
   * @defaultValue false: a call whose effect would count twice rejects, and its error has `mayHaveRun`
   */
  readonly exactlyOnce?: boolean | undefined
}

/** How values become bytes, and bytes values. */
export interface CodecOptions<V> {
  /**
   * A codec, or a schema that checks values which are written as JSON.
   *
   * @defaultValue the codec of the client, which is `jsonCodec()` if it has none either
   */
  readonly codec?: CodecLike<V> | undefined
  /**
   * When a schema checks values: it takes one in {@link CodecOptions.codec | codec}.
   *
   * @defaultValue `write`
   */
  readonly validate?: SchemaCheck | undefined
}

/** How keys and values become bytes, and bytes keys and values. The names of fields are keys, too. */
export interface EntryCodecOptions<K, V> {
  /**
   * The codec of values, or the codecs of keys and values.
   *
   * @defaultValue those of the client, which are `stringCodec()` for keys and `jsonCodec()` for values if it has none either
   */
  readonly codec?: CodecLike<V> | MapCodec<K, V> | undefined
  /**
   * When schemas check keys and values: it takes one in {@link EntryCodecOptions.codec | codec}.
   *
   * @defaultValue `write`
   */
  readonly validate?: SchemaCheck | undefined
}

/** How an object with values of one kind behaves. */
export interface ValueOptions<V> extends CodecOptions<V>, ObjectOptions {}
