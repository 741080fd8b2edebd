import type { HostAndPort } from '../api/redisson-options.js'
import { ConfigError } from '../errors/client-errors.js'
import { parseHostAndPort } from './address.js'
import { isRecord, type Reader } from './readers.js'

/** Reads a text such as `127.0.0.1:6379`. */
export const hostAndPort: Reader<HostAndPort> = (value, key) => {
  const parsed = typeof value === 'string' ? parseHostAndPort(value) : undefined
  if (parsed === undefined) throw new ConfigError(key, 'an address like `host:port`', value, { secret: true })
  return parsed
}

/**
 * Reads a table by hosts or addresses, whose entries are all of one kind. Errors have the place of an entry and not its name, into which a
 * configuration file may have put an environment variable.
 */
export function tableOf<T>(read: Reader<T>): Reader<Readonly<Record<string, T>>> {
  return (value, key) => {
    if (!isRecord(value)) throw new ConfigError(key, 'a table', value)
    return Object.fromEntries(
      Object.entries(value).map(([name, item], index) => [name, read(item, `${key}[${String(index)}]`)]),
    )
  }
}
