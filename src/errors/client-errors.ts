import { RedissonError, type RedissonErrorOptions } from './redisson-error.js'

/** The client was shut down before or during the call. */
export class ClientClosedError extends RedissonError {
  override readonly name = 'ClientClosedError'
  override readonly code = 'CLOSED'

  constructor(message = 'The client has been shut down', options?: RedissonErrorOptions) {
    super(message, options)
  }
}

/**
 * The signal of the call has aborted. What was not sent by then is not sent; {@link RedissonError.mayHaveRun} says whether Redis may have got the request.
 *
 * Its `name` is that of the errors of Node for the same; `cause` is the reason of the signal.
 */
export class AbortError extends RedissonError {
  override readonly name = 'AbortError'
  override readonly code = 'ABORTED'

  /** @param request - what was asked, such as `get of orders` */
  constructor(request: string, options?: RedissonErrorOptions) {
    super(`The signal of the call has aborted (${request})`, options)
  }
}

/**
 * A lock or a client of another copy of this package was given to a lock of several locks.
 *
 * Copies may be of different versions, and know nothing of each other's insides. A program has several where its dependencies
 * ask for versions that exclude each other, or where a test runner loads modules again.
 */
export class OtherCopyError extends RedissonError {
  override readonly name = 'OtherCopyError'
  override readonly code = 'OTHER_COPY'

  constructor(what: 'lock' | 'client') {
    super(
      `Expected a ${what} of this copy of ioredisson, got a ${what} of another copy of ioredisson. ` +
        'Have the program load the package once; `npm ls ioredisson` shows who asks for it',
    )
  }
}

/** A setting is missing, unknown or of the wrong kind. Thrown before any socket opens. */
export class ConfigError extends RedissonError {
  override readonly name = 'ConfigError'
  override readonly code = 'CONFIG'
  /** The path of the setting, such as `singleServerConfig.address`. */
  readonly key: string
  /** The values that are accepted. */
  readonly expected: string

  /**
   * For possible secrets, the error message has only the kind of the value. So it does for every text, as a
   * password may be on the wrong line. `message` says it in other words.
   */
  constructor(
    key: string,
    expected: string,
    got: unknown,
    options: ErrorOptions & { readonly secret?: boolean; readonly message?: string } = {},
  ) {
    const { secret = false, message, ...rest } = options
    super(
      message ??
        `Expected \`${key}\` to be ${expected}, got ${secret || typeof got === 'string' ? kindOf(got) : describe(got)}`,
      rest,
    )
    this.key = key
    this.expected = expected
  }
}

/**
 * The name cannot be used in a cluster. There, all keys and channels of an object must share a hash slot, and
 * an object can be renamed or copied only within its slot. Thrown before anything is sent.
 */
export class CrossSlotError extends RedissonError {
  override readonly name = 'CrossSlotError'
  override readonly code = 'CROSS_SLOT'
  /** The name, as the program gave it. */
  readonly object: string
  /** The key in Redis, as the `nameMapper` made it of the name. */
  readonly key: string

  /** @param from - the key of the object that was to get the name, where that is in another slot */
  constructor(object: string, key: string, from?: string) {
    const mapped = key === object ? '' : `, which the nameMapper turns into ${describe(key)}`
    super(
      from === undefined
        ? `Expected \`name\` to have no braces but those of a hash tag, as in a{b}, got ${describe(object)}${mapped}: ` +
            'its keys would be in several slots of the cluster'
        : `Expected a name in the same slot of the cluster as ${describe(from)}, got ${describe(object)}${mapped}: ` +
            'names with the same hash tag are, as a{b} and c{b}',
    )
    this.object = object
    this.key = key
  }
}

/** Describes a value in one short line. The content of lists and objects is left out, since it may include a password. */
function describe(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return shorten(JSON.stringify(withoutLogin(value)))
    case 'object':
    case 'function':
    case 'undefined':
      return kindOf(value)
    default:
      return shorten(String(value))
  }
}

/** A URL in the wrong place must not show its password. */
function withoutLogin(text: string): string {
  const start = text.indexOf('://') + '://'.length
  const end = text.lastIndexOf('@')
  return text.includes('://') && end >= start ? `${text.slice(0, start)}***${text.slice(end)}` : text
}

/** Says what kind of value it is, and nothing about its content. */
function kindOf(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}

function shorten(text: string): string {
  return text.length > 80 ? `${text.slice(0, 77)}...` : text
}
