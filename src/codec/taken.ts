import { CodecError } from '../errors/codec-errors.js'

/** How the items that a call has removed from Redis are read. */
export interface Taking<T, R> {
  readonly decode: (item: T) => R
  /** The bytes that the codec has to read. */
  readonly bytesOf: (item: T) => Uint8Array
}

/** What has been read of some items, and what could not be. */
export interface Taken<R> {
  readonly values: R[]
  readonly unreadable: Uint8Array[]
  /** Why the first of the unreadable ones is that. */
  readonly failure: CodecError | undefined
}

/** Reads items that Redis does not have any more, each for itself: one that cannot be read takes no other along. */
export function readTaken<T, R>(items: readonly T[], { decode, bytesOf }: Taking<T, R>): Taken<R> {
  const values: R[] = []
  const unreadable: Uint8Array[] = []
  let failure: CodecError | undefined
  for (const item of items) {
    try {
      values.push(decode(item))
    } catch (error) {
      if (!(error instanceof CodecError)) throw error
      unreadable.push(bytesOf(item))
      failure ??= error
    }
  }
  return { values, unreadable, failure }
}

/**
 * The values of items that Redis does not have any more.
 *
 * @throws {@link CodecError} with all of them, if any cannot be read
 */
export function decodeTaken<T, R>(items: readonly T[], taking: Taking<T, R>): R[] {
  const { values, unreadable, failure } = readTaken(items, taking)
  if (failure !== undefined) throw withTaken(failure, values, unreadable)
  return values
}

/** The same for bytes alone. */
export function decodeTakenBytes<R>(all: readonly Buffer[], decode: (bytes: Buffer) => R): R[] {
  return decodeTaken(all, { decode, bytesOf: (bytes) => bytes })
}

/** The error of a call that has removed these values from Redis. */
export function withTaken(
  error: CodecError,
  taken: readonly unknown[],
  unreadable: readonly Uint8Array[],
): CodecError {
  const { cause } = error
  return new CodecError(error, { taken, unreadable, ...(cause === undefined ? {} : { cause }) })
}
