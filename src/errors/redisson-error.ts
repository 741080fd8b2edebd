import { factOf, isError } from '../util/thrown/thrown.js'

const codes = [
  'CLOSED',
  'ABORTED',
  'CONFIG',
  'CROSS_SLOT',
  'AUTHENTICATION',
  'CREDENTIALS',
  'OTHER_COPY',
  'CONNECTION_LOST',
  'REPLY_TIMEOUT',
  'SERVER_NOT_READY',
  'SUBSCRIPTION_TIMEOUT',
  'MESSAGE_OVERFLOW',
  'UNSUPPORTED_COMMAND',
  'COMMAND',
  'SCRIPT',
  'UNEXPECTED_REPLY',
  'UNSAFE_INTEGER',
  'WRONG_TYPE',
  'NO_SUCH_OBJECT',
  'OBJECT_EXISTS',
  'NOTIFICATIONS_DISABLED',
  'COUNTER_OVERFLOW',
  'ADDER_TIMEOUT',
  'ADDER_DESTROYED',
  'NODE_ID_LOST',
  'SNOWFLAKE_TIMEOUT',
  'SNOWFLAKE_LAYOUT',
  'SNOWFLAKE_TIME',
  'NESTED_COMPUTE',
  'ENTRY_CONTENDED',
  'INDEX_OUT_OF_BOUNDS',
  'NO_SUCH_ELEMENT',
  'CAPACITY_NOT_SET',
  'QUEUE_FULL',
  'DELIVERY_LOST',
  'DELIVERY_CANCELLED',
  'FILTER_NOT_INITIALIZED',
  'NO_SUCH_MEMBER',
  'NO_SUCH_GROUP',
  'BINARY_STREAM_CHANGED',
  'CACHE_TIMEOUT',
  'NOT_HELD',
  'LOCK_LOST',
  'LOCK_TIMEOUT',
  'NESTED_LOCK',
  'FORKED_THREAD',
  'LOCK_REENTRY',
  'STALE_TOKEN',
  'MULTI_UNLOCK',
  'NO_QUORUM',
  'SAME_LOCK',
  'NOT_REPLICATED',
  'PERMIT_TIMEOUT',
  'PERMIT_NOT_HELD',
  'PERMIT_LOST',
  'RATE_NOT_SET',
  'RATE_TOO_LOW',
  'WORK_TIMEOUT',
  'WORK_QUEUE_FULL',
  'WORK_LOST',
  'MARK_LOST',
  'ELECTION_RUNNING',
  'CODEC',
  'MISSING_PACKAGE',
  'NOT_IN_BATCH',
  'BATCH',
] as const

/** What went wrong, as a word that stays the same from version to version. */
export type RedissonErrorCode = (typeof codes)[number]

/** What an error is made with, besides its message. */
export interface RedissonErrorOptions extends ErrorOptions {
  /** See {@link RedissonError.mayHaveRun}. */
  readonly mayHaveRun?: boolean | undefined
}

let note: (error: RedissonError) => void

/** The base of every error of this library. Distinguish them by `code` or by class. */
export abstract class RedissonError extends Error {
  static {
    note = (error) => {
      if (#mayHaveRun in error) error.#mayHaveRun = true
    }
  }

  /** The name of the class. */
  abstract override readonly name: string
  /** What went wrong, as a word that stays the same from version to version. */
  abstract readonly code: RedissonErrorCode
  #mayHaveRun: boolean

  constructor(message: string, { mayHaveRun = false, ...options }: RedissonErrorOptions = {}) {
    super(message, options)
    this.#mayHaveRun = mayHaveRun
  }

  /**
   * Whether Redis may have executed the request although the call failed. Its reply was lost or cannot be
   * read, or another request of the same call has changed something.
   *
   * If a lock or permit may have been acquired in this way, it is released.
   */
  get mayHaveRun(): boolean {
    return this.#mayHaveRun
  }
}

/** Marks an error: its request may have run. Not for an error that other calls get too. */
export function noteEffect(error: unknown): void {
  if (error instanceof RedissonError) note(error)
}

/**
 * Checks whether an error comes from this library, and optionally which one it is. Programs get it with the class of each code: see
 * `by-code/errors-by-code.ts`, which this file cannot import, as all errors import this one.
 *
 * @throws TypeError for a code that no error has
 */
export function isRedissonError(error: unknown, code?: RedissonErrorCode): error is RedissonError {
  if (code !== undefined && !codes.includes(code)) throw noSuchCode(code)
  if (!isError(error)) return false
  const its = factOf(error, 'code')
  return code === undefined ? codes.some((known) => known === its) : its === code
}

/** What would be false for every error was mistaken for a code, such as the name of a class. */
function noSuchCode(code: unknown): TypeError {
  const got = typeof code === 'string' ? `'${code.slice(0, 80)}'` : `a value of type ${typeof code}`
  return new TypeError(`Expected \`code\` to be one of ${codes.join(', ')}, got ${got}`)
}
