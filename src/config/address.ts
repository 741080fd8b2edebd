import { isIPv6 } from 'node:net'
import type { HostAndPort } from '../api/redisson-options.js'
import { ConfigError } from '../errors/client-errors.js'
import type { Address, Credentials } from './config.js'
import { quoting } from './readers.js'

const transports: ReadonlyMap<string, 'tcp' | 'tls' | 'unix'> = new Map([
  ['redis', 'tcp'],
  ['valkey', 'tcp'],
  ['rediss', 'tls'],
  ['valkeys', 'tls'],
  ['redis+uds', 'unix'],
  ['valkey+uds', 'unix'],
])

const LARGEST_PORT = 65_535

/** Where Redis listens, unless an address says another port. */
const REDIS_PORT = 6379

/** Where sentinels listen, unless an address says another port. */
export const SENTINEL_PORT = 26_379

/** No credentials. */
export const noCredentials: Credentials = Object.freeze({ username: undefined, password: undefined })

/**
 * Reads where a server is, as in `redis://127.0.0.1:6379`, `rediss://user:password@[::1]:6380`,
 * `redis+uds:///run/redis.sock` or just `localhost`.
 *
 * User and password are percent-decoded. One without the other, as in `redis://word@host:6379`, is the password, as in
 * Redisson and redis-cli.
 */
export function parseAddress(text: string, key: string, defaultPort = REDIS_PORT): Address {
  const bare = parseHostAndPort(text, defaultPort)
  if (bare !== undefined)
    return Object.freeze({ ...bare, tls: false, path: undefined, credentials: noCredentials })
  const [scheme, rest] = cut(text, text.indexOf('://'), '://')
  switch (transports.get(scheme)) {
    case 'tcp':
      return parseTcp(rest, { tls: false, text, key, defaultPort })
    case 'tls':
      return parseTcp(rest, { tls: true, text, key, defaultPort })
    case 'unix':
      return parseUnix(rest, { text, key })
    case undefined:
      throw refused(text, key, `an address that begins with ${[...transports.keys()].join('://, ')}://`)
  }
}

/**
 * Reads `host:port`, with an IPv6 address in brackets, or a host alone where there is a default port. Returns undefined when it
 * is something else.
 */
export function parseHostAndPort(text: string, defaultPort?: number): HostAndPort | undefined {
  const [, bracketed, name, digits] = /^(?:\[([^[\]]+)\]|([^\s/@:?#[\]]+))(?::(\d{1,5}))?$/.exec(text) ?? []
  const host = name ?? bracketed ?? ''
  const port = Number(digits ?? defaultPort)
  const valid =
    (bracketed === undefined ? host !== '' : isIPv6(bracketed)) && port >= 1 && port <= LARGEST_PORT
  return valid ? Object.freeze({ host, port }) : undefined
}

/** What ioredis takes as "addresses of both families", which is what Node tries anyway. */
const BOTH_FAMILIES = /\?family=0$/

/** Takes the database off the end of a URL, as in `redis://127.0.0.1:6379/2`. */
export function splitDatabase(url: string): { readonly address: string; readonly database?: number } {
  const [, address, digits] =
    /^((?:redis|valkey)s?:\/\/(?:.*@)?[^/@]+)\/(\d+)$/s.exec(url.replace(BOTH_FAMILIES, '')) ?? []
  return address === undefined ? { address: url } : { address, database: Number(digits) }
}

interface TcpContext {
  readonly tls: boolean
  readonly text: string
  readonly key: string
  readonly defaultPort: number
}

function parseTcp(rest: string, { tls, text, key, defaultPort }: TcpContext): Address {
  const [login, whole] = cut(rest, rest.lastIndexOf('@'), '@') // the last one, as passwords may contain others
  const place = whole.replace(BOTH_FAMILIES, '')
  if (place.includes('?')) {
    throw refused(
      text,
      key,
      'an address without a query: what it says is a setting, such as `database` or `password`, and a name is tried with the addresses of both families',
    )
  }
  if (/\/./s.test(place)) {
    throw refused(text, key, 'an address without a path, as the database has a setting of its own')
  }
  const at = parseHostAndPort(place.replace(/\/$/, ''), defaultPort)
  if (at === undefined) {
    throw refused(
      text,
      key,
      'an address with a host, and a port unless it is the usual one, such as redis://127.0.0.1:6379 or redis://[::1]',
    )
  }
  return Object.freeze({ ...at, tls, path: undefined, credentials: parseLogin(login, text, key) })
}

function parseUnix(rest: string, { text, key }: { readonly text: string; readonly key: string }): Address {
  const slash = rest.indexOf('/')
  const login = rest.slice(0, Math.max(slash, 0))
  if (slash === -1 || (login !== '' && !login.endsWith('@'))) {
    throw refused(text, key, 'an address with the full path of a socket, such as redis+uds:///run/redis.sock')
  }
  const credentials = parseLogin(login.slice(0, -1), text, key)
  return Object.freeze({ host: '', port: 0, tls: false, path: rest.slice(slash), credentials })
}

function parseLogin(login: string, text: string, key: string): Credentials {
  const [username, password] = login.includes(':') ? cut(login, login.indexOf(':'), ':') : ['', login]
  try {
    return Object.freeze({ username: decode(username), password: decode(password) })
  } catch {
    throw refused(text, key, 'an address whose user and password are percent-encoded')
  }
}

/** Empty is nothing. */
function decode(text: string): string | undefined {
  return text === '' ? undefined : decodeURIComponent(text)
}

/** What stands before and behind a mark; everything stands behind a mark that is not there. */
function cut(text: string, at: number, mark: string): readonly [string, string] {
  return at === -1 ? ['', text] : [text.slice(0, at), text.slice(at + mark.length)]
}

function refused(text: string, key: string, expected: string): ConfigError {
  const shown = withoutSecrets(text)
  return shown === undefined
    ? new ConfigError(key, expected, text, { secret: true })
    : quoting(key, expected, shown)
}

/** The address without what may be a password, or undefined when it cannot be separated. */
function withoutSecrets(text: string): string | undefined {
  const [, scheme = '', rest = ''] = /^([a-z+]{1,20}:\/\/)?(.*)$/s.exec(text) ?? []
  const [login, place] = cut(rest, rest.lastIndexOf('@'), '@')
  const plain = /^(?:[\w.-]{1,255}|\[[\da-f:.]{1,50}\])(?<port>:\d{0,7})?(?:\/\d{0,7})?$/i.exec(place)
  if (plain === null || (scheme === '' && plain.groups?.['port'] === undefined)) return undefined
  return `${scheme}${login === '' ? '' : '***@'}${place}`
}
