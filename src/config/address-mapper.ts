import type { HostAndPort } from '../api/redisson-options.js'
import { ConfigError } from '../errors/client-errors.js'
import { parseHostAndPort } from './address.js'
import type { AddressMapper } from './config.js'
import { readSettings } from './read-settings.js'
import { isRecord, text, wholeNumber } from './readers.js'
import { hostAndPort, tableOf } from './tables.js'

const place = { host: text, port: wholeNumber(1, 65_535) }

/** Reads a `natMapper`: a function, or a table from `host:port` to host and port. */
export function readAddressMapper(value: unknown, key: string): AddressMapper {
  if (typeof value === 'function') return value as AddressMapper
  if (!isRecord(value)) throw new ConfigError(key, 'a function, or a table by `host:port`', value)
  const entries = Object.entries(value).map(([from, to], index) =>
    readEntry(from, to, key, `${key}[${String(index)}]`),
  )
  const table = new Map(entries)
  return (address) => table.get(nameOf(address)) ?? address
}

/** Reads a `natMap`, Redisson's former name for a `natMapper` that is a table: from `host:port` to `host:port`. */
export function readAddressMap(value: unknown, key: string): AddressMapper {
  return readAddressMapper(tableOf(hostAndPort)(value, key), key)
}

function readEntry(from: string, to: unknown, key: string, entry: string): [string, HostAndPort] {
  const known = parseHostAndPort(from)
  if (known === undefined)
    throw new ConfigError(key, 'a table whose keys are `host:port`', from, { secret: true })
  const reached = readSettings(to, entry, place)
  return [nameOf(known), Object.freeze(reached)]
}

function nameOf({ host, port }: HostAndPort): string {
  return `${host}:${port}`
}
