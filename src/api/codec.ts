import type { StandardSchemaV1 } from './standard-schema.js'

/**
 * Makes bytes of values for Redis, and values of the bytes that come back.
 *
 * Redis compares bytes. Two values are the same member of a set, or the same key of a map, if their codec makes the same bytes of
 * both.
 */
export interface Codec<T> {
  /** What messages call it, such as `json`. */
  readonly name: string
  /**
   * Makes bytes of a value. A text stands for its bytes in UTF-8.
   *
   * What it throws is the cause of the `CodecError` with which the call fails, as it is: its words should not cite a secret. Nothing is
   * sent then.
   */
  encode(value: T): string | Uint8Array
  /**
   * Makes a value of bytes. Any bytes may come, since another program may have written them.
   *
   * What it throws is the cause of the `CodecError` with which the call fails, as it is: its words should not cite a secret.
   */
  decode(bytes: Uint8Array): T
}

/**
 * A codec, or a schema of zod, valibot, arktype or any other library with a Standard Schema.
 *
 * Values of a schema are written as JSON, once the schema has checked them. What it would make of a value is ignored: the value is
 * written as it was given. So the input of the schema has to be its output, and its check has to be synchronous.
 */
export type CodecLike<T> = Codec<T> | StandardSchemaV1<T, T>

/** The codecs of a map: one for its keys, another for its values. */
export interface MapCodec<K, V> {
  /**
   * The codec of the keys.
   *
   * @defaultValue that of the client, which is `stringCodec()` if it has none either
   */
  readonly key?: CodecLike<K> | undefined
  /**
   * The codec of the values.
   *
   * @defaultValue that of the client, which is `jsonCodec()` if it has none either
   */
  readonly value?: CodecLike<V> | undefined
}

/** When a schema checks values: whenever one is written, or also whenever one is read. */
export type SchemaCheck = 'write' | 'both'

/** How values are written as JSON. */
export interface JsonCodecOptions {
  /**
   * Whether to write objects as Redisson for Java writes a bean: members in the order of their names, none that is `null`, and dates
   * as milliseconds since 1970. Needed where Java compares what Node wrote, as in a set of beans.
   *
   * @defaultValue false: members in their own order, with those that are `null`, and dates as `toJSON()` has them
   */
  readonly bean?: boolean | undefined
  /**
   * The version of Jackson that Redisson for Java uses: 2 for `TypedJsonJacksonCodec`, and 3 for `TypedJsonJackson3Codec`. They write the same text, but for
   * characters beyond U+FFFF, such as emoji, which Jackson 2 escapes. Either reads both. It matters where bytes are compared.
   *
   * @defaultValue 2
   */
  readonly jackson?: 2 | 3 | undefined
}

/** Which type integers have in the program. */
export interface LongCodecOptions<B extends boolean = boolean> {
  /**
   * Whether integers are `bigint`, so that all integers of 64 bits are exact.
   *
   * @defaultValue false: they are `number`, and one beyond 2⁵³ − 1 is an error
   */
  readonly bigint?: B | undefined
}

/** What is known of the classes of Java whose objects are read and written. */
export interface JacksonCodecOptions {
  /**
   * The classes of Java by their full names, such as `com.shop.Order`. A value may name these classes alone by a member `@class`, so that data
   * from outside cannot choose what Java makes of it.
   *
   * @defaultValue none: objects of all classes are read and written back, and new ones are a `java.util.LinkedHashMap` each
   */
  readonly types?: Readonly<Record<string, JacksonType>> | undefined
  /**
   * Whether objects that were read have their class as a member `@class`, so that a copy of the object keeps it. Otherwise the codec remembers the
   * class of the very object that it made. Classes that are not in `types` are never a member.
   *
   * @defaultValue false
   */
  readonly classMember?: boolean | undefined
  /**
   * The version of Jackson that Redisson for Java uses: 2 for `JsonJacksonCodec`, and 3 for `JsonJackson3Codec`. They write the same text, but for
   * characters beyond U+FFFF, such as emoji, which Jackson 2 escapes. Either reads both. It matters where bytes are compared.
   *
   * @defaultValue 2
   */
  readonly jackson?: 2 | 3 | undefined
}

/** A class of Java. */
export interface JacksonType {
  /**
   * The class here whose objects are written under this name, and of which those that are read are made. Its constructor is not called: the
   * members that were read are set.
   */
  readonly class?: JacksonClass | undefined
  /** How the fields are written whose type in Java does not follow from the value. */
  readonly fields?: Readonly<Record<string, JacksonField>> | undefined
}

/** A class of the program. */
export interface JacksonClass {
  /** What its objects inherit from. */
  readonly prototype: object
}

/**
 * The type that a field has in Java:
 *
 * - `plain`: a primitive such as `long`, an array such as `int[]` or `String[]`, or a final class, none of which is marked
 * - `double`: a number with a fraction, `double`, `Double` or `float`, so that 1 is written as `1.0`
 * - `Long`, `UUID`, `BigDecimal`, `BigInteger`: that class, which is marked
 * - `byte[]`: bytes, which are a `Uint8Array` here
 */
export type JacksonField = 'plain' | 'double' | 'Long' | 'UUID' | 'BigDecimal' | 'BigInteger' | 'byte[]'

/** How the bytes of another codec are compressed. */
export type Compression = 'zstd' | 'gzip' | 'brotli'

/** What a compressed value may become. */
export interface CompressedCodecOptions {
  /**
   * How many bytes a value may have before it is compressed, from 1 on. A longer one is neither written nor read, so that a few bytes in Redis cannot fill the
   * memory.
   *
   * @defaultValue 512 MB, as much as Redis holds in one value
   */
  readonly maxBytes?: number | undefined
}
