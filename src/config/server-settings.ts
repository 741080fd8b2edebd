import type { DelayOptions, ServerOptions } from '../api/redisson-options.js'
import { ConfigError } from '../errors/client-errors.js'
import { delay } from './read-delay.js'
import { flag, milliseconds, optional, reader, type Reader, secret, wholeNumber } from './readers.js'

/** What every server section says about how to talk to the servers. */
export interface ServerSettings {
  readonly timeout: number
  readonly connectTimeout: number
  readonly retryAttempts: number
  readonly retryDelay: DelayOptions | undefined
  readonly retryInterval: number | undefined
  readonly reconnectionDelay: DelayOptions
  readonly subscriptionTimeout: number
  readonly pingConnectionInterval: number
  readonly username: string | undefined
  readonly password: string | undefined
  readonly clientName: string | undefined
  readonly keepAlive: boolean | undefined
  readonly tcpNoDelay: boolean | undefined
  readonly nameMapper: undefined
}

/** This number of attempts with the longest delay is still an exact number of milliseconds. */
const MOST_ATTEMPTS = 1_000_000

/** `CLIENT SETNAME` takes nothing else. */
const clientName: Reader<string | undefined> = (value, key) =>
  value === '' ? undefined : visibleText(value, key)

const visibleText: Reader<string> = reader(
  'a text without spaces',
  (value): value is string => typeof value === 'string' && /^[!-~]+$/.test(value),
)

/** Redisson writes the mapper that maps nothing into every section of its files. One that maps names belongs to the client. */
const noNameMapper: Reader<never> = (value, key) => {
  throw new ConfigError(key, 'absent, as `nameMapper` is a setting of the client, beside the section', value)
}

const DEFAULT_RECONNECTION_DELAY: DelayOptions = {
  type: 'EqualJitterDelay',
  baseDelay: 100,
  maxDelay: 10_000,
}

/** How each of them is read. */
export const serverSettings: { readonly [K in keyof ServerSettings]: Reader<ServerSettings[K]> } = {
  timeout: optional(milliseconds(1), 3000),
  connectTimeout: optional(milliseconds(1), 10_000),
  retryAttempts: optional(wholeNumber(0, MOST_ATTEMPTS), 4),
  retryDelay: optional(delay(0), undefined),
  retryInterval: optional(milliseconds(0), undefined),
  reconnectionDelay: optional(delay(1), DEFAULT_RECONNECTION_DELAY),
  subscriptionTimeout: optional(milliseconds(1), 7500),
  pingConnectionInterval: optional(milliseconds(0), 30_000),
  username: optional(secret, undefined),
  password: optional(secret, undefined),
  clientName: optional(clientName, undefined),
  keepAlive: optional(flag, undefined),
  tcpNoDelay: optional(flag, undefined),
  nameMapper: optional(noNameMapper, undefined),
} satisfies Record<keyof ServerOptions | 'retryInterval' | 'nameMapper', unknown>
