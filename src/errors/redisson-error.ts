const codes = [
  'CLOSED',
  'CONFIG',
  'CONNECTION_LOST',
  'REPLY_TIMEOUT',
  'SERVER_NOT_READY',
  'SUBSCRIPTION_TIMEOUT',
  'COMMAND',
  'SCRIPT',
  'UNEXPECTED_REPLY',
  'WRONG_TYPE',
  'NOT_HELD',
  'LOCK_LOST',
  'LOCK_TIMEOUT',
  'NESTED_LOCK',
  'FORKED_THREAD',
  'LOCK_REENTRY',
  'STALE_TOKEN',
  'MULTI_UNLOCK',
  'NO_QUORUM',
  'NOT_REPLICATED',
  'PERMIT_TIMEOUT',
  'PERMIT_NOT_HELD',
  'PERMIT_LOST',
  'RATE_NOT_SET',
  'RATE_TOO_LOW',
] as const

/** What went wrong, as a word that stays the same from version to version. */
export type RedissonErrorCode = (typeof codes)[number]

/** The base of every error that this library makes. Tell them apart by `code` or by class. */
export abstract class RedissonError extends Error {
  /** The name of the class. */
  abstract override readonly name: string
  /** What went wrong, as a word that stays the same from version to version. */
  abstract readonly code: RedissonErrorCode
}

/**
 * Tells whether an error comes from this library, and optionally which one it is.
 *
 * Unlike `instanceof`, it also knows errors of another copy of the package.
 */
export function isRedissonError(error: unknown, code?: RedissonErrorCode): error is RedissonError {
  if (!(error instanceof Error) || !('code' in error)) return false
  return code === undefined ? codes.some((known) => known === error.code) : error.code === code
}
