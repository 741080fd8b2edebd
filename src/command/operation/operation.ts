import type { Argument, Key } from '../../connection/connection.js'
import type { Decoder } from './replies.js'

/**
 * What is done with a request whose reply was lost.
 *
 * - `safe`: it only reads, and is sent again.
 * - `idempotent`: running it again leaves the same state, or one that is as good, and it is sent again. What another client has written in between is
 *   overwritten then.
 * - `counting`: running it again would change more, or would not return what it has changed. It is not sent again, unless it carries an
 *   idempotency key.
 */
export type Repeat = 'safe' | 'idempotent' | 'counting'

/** The names of what is known only when a copy is sent: the command to publish by, and the number of the copy, from 1. */
export type SentName = 'publish' | 'attempt'

/** One name of an operation, and what is sent in its place. */
export interface Parameter {
  /** What its value is given by; of a word, the word. */
  readonly name: string
  /** A value, the values of a list, the word itself, how many keys follow, or what is known only when a copy is sent. */
  readonly takes: 'value' | 'list' | 'word' | 'count' | SentName
}

/**
 * What plain commands and scripts have in common: the names of what they take, how the reply is read, and whether they may be repeated.
 *
 * A name that begins with three dots is the last one, and stands for a list.
 */
export interface Operation<K extends string, A extends string, R, Own extends K = K> {
  readonly name: string
  readonly keys: readonly K[]
  /** The name of the first key, which is that of the object; undefined where there is none, or a list. */
  readonly ownKey: Own | undefined
  readonly args: readonly A[]
  /** The same names, as they were read once: to read them for each request would cost as much as all the rest of it here. */
  readonly keyParameters: readonly Parameter[]
  readonly argParameters: readonly Parameter[]
  readonly reply: Decoder<R>
  readonly repeat: Repeat
  /**
   * For an idempotent operation that returns whether it has changed something: false. Once the reply of an earlier copy was lost, false does
   * not show which copy made the change, and the call rejects with the error of the earlier one. Undefined where every result holds.
   *
   * An operation that returns how many it has changed is `counting`: a copy may find some of them changed already, so that every number
   * that it returns may be too small.
   */
  readonly unchanged?: false | undefined
  /** Whether neither the change that it makes nor its result depends on what was there before, as those of `SET`. */
  readonly overwrites?: boolean
  /** Whether it runs code of the program, whose errors may have any words. */
  readonly ofProgram?: boolean
}

/** An operation as it is written down. */
export type Definition<K extends string, A extends string, R> = Omit<
  Operation<K, A, R>,
  'name' | 'ownKey' | 'keyParameters' | 'argParameters' | 'unchanged'
> & { readonly unchanged?: Extract<R, false> | undefined }

/** A name in capitals is a word of the command itself, such as `NX`, and takes no value. */
export type ValueNames<N extends string> = N extends Uppercase<N> ? never : N

/** A record with one value for each name, and a list for a name with three dots. */
export type Named<N extends string, V> = {
  readonly [P in ValueNames<N> as P extends `...${infer List}` ? List : P]: P extends `...${string}`
    ? readonly V[]
    : V
}

/** The first of an operation's keys that has a name of its own. */
export type OwnKey<Keys extends readonly string[]> = Keys extends readonly [
  infer First extends string,
  ...infer Others extends readonly string[],
]
  ? First extends `...${string}`
    ? never
    : First extends Uppercase<First>
      ? OwnKey<Others>
      : First
  : never

/** What one run of an operation is given, by name; all arguments but those that are known only when a copy is sent. */
export interface Call<K extends string, A extends string> {
  readonly keys: Named<K, Key>
  readonly args: Named<Exclude<A, SentName>, Argument>
  /** Whether no one listens, so that nothing is published. */
  readonly silent?: boolean
}

/** The value of one name, or the values of a list. */
export type Values = Readonly<Record<string, Argument | readonly Argument[]>>
