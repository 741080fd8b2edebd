import { RedissonError } from './redisson-error.js'

/** The client was shut down before or during the call. */
export class ClientClosedError extends RedissonError {
  override readonly name = 'ClientClosedError'
  override readonly code = 'CLOSED'

  constructor(message = 'The client has been shut down') {
    super(message)
  }
}

/** A setting is missing, unknown or of the wrong kind. Thrown before any socket opens. */
export class ConfigError extends RedissonError {
  override readonly name = 'ConfigError'
  override readonly code = 'CONFIG'
  /** Where the setting stands, such as `singleServerConfig.address`. */
  readonly key: string
  /** What would have been accepted. */
  readonly expected: string

  /** Of what may be a secret, the message says only what kind of value it is. */
  constructor(
    key: string,
    expected: string,
    got: unknown,
    options?: ErrorOptions & { readonly secret?: boolean },
  ) {
    super(
      `Expected \`${key}\` to be ${expected}, got ${options?.secret === true ? kindOf(got) : describe(got)}`,
      options,
    )
    this.key = key
    this.expected = expected
  }
}

/** Says a value in one short line. What lists and objects hold is never told, since a password may be among it. */
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

/** A URL in the wrong place is no reason to tell its password. */
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
