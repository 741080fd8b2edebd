import { RedissonError } from './redisson-error.js'

/** What is known of a value that could not be written or read. */
export interface CodecFacts {
  /** The codec, such as `json`. */
  readonly codec: string
  /** Whether a value was to be written or bytes were to be read. */
  readonly action: 'encode' | 'decode'
  /** What the codec can write or read. */
  readonly expected: string
  /** What it was given instead, without its content. */
  readonly got: string
  /** The number of bytes that were to be read; undefined where a value was to be written. */
  readonly bytes?: number | undefined
  /** The name of the object; undefined where the codec was called without one. */
  readonly object?: string | undefined
  /** The key of the value in its object, if it has one. */
  readonly key?: string | undefined
}

/** What a {@link CodecError} is made with, besides its facts. */
export interface CodecErrorOptions extends ErrorOptions {
  /** See {@link CodecError.taken}. */
  readonly taken?: readonly unknown[]
  /** See {@link CodecError.unreadable}. */
  readonly unreadable?: readonly Uint8Array[]
}

/**
 * A value cannot be written with its codec, or bytes from Redis cannot be read with it.
 *
 * If it was to be written, nothing was sent. Neither the message nor the properties have the content.
 *
 * What a codec, a schema or a `toJSON()` of the program has thrown is the `cause`, as it was thrown. Its words are the program's, and may cite
 * the content, as those of `JSON.parse` do. `console.log(error)` prints them.
 */
export class CodecError extends RedissonError implements CodecFacts {
  override readonly name = 'CodecError'
  override readonly code = 'CODEC'
  /** The codec, such as `json`. */
  readonly codec: string
  /** Whether a value was to be written or bytes were to be read. */
  readonly action: 'encode' | 'decode'
  /** What the codec can write or read. */
  readonly expected: string
  /** What it was given instead, without its content. */
  readonly got: string
  /** The number of bytes that were to be read; undefined where a value was to be written. */
  readonly bytes: number | undefined
  /** The name of the object; undefined where the codec was called without one. */
  readonly object: string | undefined
  /** The key of the value in its object, if it has one. */
  readonly key: string | undefined
  /** As private fields, so that no log has them. */
  readonly #taken: readonly unknown[]
  readonly #unreadable: readonly Uint8Array[]

  constructor(facts: CodecFacts, { taken = [], unreadable = [], ...options }: CodecErrorOptions = {}) {
    super(messageOf(facts), { mayHaveRun: facts.action === 'decode', ...options })
    this.#taken = taken
    this.#unreadable = unreadable
    this.codec = facts.codec
    this.action = facts.action
    this.expected = facts.expected
    this.got = facts.got
    this.bytes = facts.bytes
    this.object = facts.object
    this.key = facts.key
  }

  /**
   * Returns the readable values that a removing or replacing call has taken from Redis, in the form and the
   * order in which the call would have returned them. None for a call that removes nothing, and for a
   * `distributedIterator()`, which has already returned them.
   *
   * A method, and not a property, so that no log has the values.
   *
   * @example
   * ```ts
   * import { CodecError } from 'ioredisson'
   *
   * const tasks = client.getScoredSortedSet<string>('tasks')
   * try {
   *   await tasks.pollFirst(10)
   * } catch (error) {
   *   if (!(error instanceof CodecError)) throw error
   *   for (const task of error.taken()) console.log(task)
   *   await client.getList('unreadable', { codec: bytesCodec() }).addAll(error.unreadable())
   * }
   * ```
   */
  taken(): unknown[] {
    return [...this.#taken]
  }

  /** The bytes of those values that the call has taken from Redis, and the codec could not read. See {@link CodecError.taken}. */
  unreadable(): Uint8Array[] {
    return [...this.#unreadable]
  }
}

/** A codec needs a package that is not installed. Packages that few programs need are installed by those that do. */
export class MissingPackageError extends RedissonError {
  override readonly name = 'MissingPackageError'
  override readonly code = 'MISSING_PACKAGE'
  /** The package that would have to be installed, such as `msgpackr`. */
  readonly package: string

  constructor(what: string, name: string, options?: ErrorOptions) {
    super(
      `${what} needs the package ${name}, which cannot be loaded: install it by \`npm install ${name}\``,
      options,
    )
    this.package = name
  }
}

function messageOf({ codec, action, expected, got, object, key }: CodecFacts): string {
  const place = object === undefined ? '' : `${object}: `
  const value = key === undefined ? 'this' : `the value of ${shorten(JSON.stringify(key))}`
  return `${place}The codec ${codec} cannot ${action} ${value}: expected ${expected}, got ${got}`
}

function shorten(text: string): string {
  return text.length > 80 ? `${text.slice(0, 77)}...` : text
}
