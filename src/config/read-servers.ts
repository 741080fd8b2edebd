import type { IoredisClient } from '../api/redisson-options.js'
import { ConfigError } from '../errors/client-errors.js'
import { nobody, parseAddress } from './address.js'
import { readAddressMapper } from './address-mapper.js'
import type { Address, Credentials, ServerConfig } from './config.js'
import { ignoredIn, type SectionName } from './ignored-settings.js'
import { isThere, readSettings, type Settings, type Values, within } from './read-settings.js'
import {
  isRecord,
  listOf,
  listOfSome,
  milliseconds,
  oneOf,
  optional,
  reader,
  type Reader,
  secret,
  text,
  wholeNumber,
} from './readers.js'
import { type ServerSettings, serverSettings } from './server-settings.js'

/** A server section, read. */
export interface Servers {
  readonly server: ServerConfig
  readonly settings: ServerSettings
  /** What the addresses themselves say. */
  readonly ownCredentials: Credentials
}

/** Is told the full key of a setting that means nothing here. */
type Note = (key: string) => void

/** What is written in each of the server sections, of which there has to be one. */
export type Sections = Readonly<Record<SectionName | 'ioredis', unknown>>

const sections: Readonly<Record<keyof Sections, (value: unknown, note: Note) => Servers>> = {
  singleServerConfig: readSingle,
  masterSlaveServersConfig: readMasterSlave,
  sentinelServersConfig: readSentinel,
  replicatedServersConfig: readReplicated,
  clusterServersConfig: readCluster,
  ioredis: readIoredis,
}

const sectionNames = Object.keys(sections) as (keyof Sections)[]

/** Reads the one server section that is there. */
export function readServers(written: Sections, note: Note): Servers {
  const [name, second] = sectionNames.filter((section) => isThere(written[section]))
  if (name === undefined) throw noSection()
  if (second !== undefined) {
    const expected = `absent, as ${name} says already where the servers are`
    throw new ConfigError(second, expected, written[second], { secret: true })
  }
  const read = sections[name](written[name], note)
  if (read.settings.retryDelay !== undefined && read.settings.retryInterval !== undefined) {
    note(within(name, 'retryInterval'))
  }
  return read
}

function noSection(): ConfigError {
  const [first, ...others] = sectionNames
  return new ConfigError(String(first), `there, or else one of ${others.join(', ')}`, undefined)
}

const address: Reader<Address> = (value, key) => {
  if (typeof value === 'string') return parseAddress(value, key)
  throw new ConfigError(key, 'an address, such as redis://127.0.0.1:6379', value, { secret: true })
}

/** The address of a server that others know by host and port as well. */
const networkAddress: Reader<Address> = (value, key) => {
  const parsed = address(value, key)
  if (parsed.path === undefined) return parsed
  throw new ConfigError(
    key,
    'an address with host and port, as the servers know each other by these',
    parsed.path,
  )
}

/** Addresses of servers that tell where the others are, but not whether those are reached by TLS. */
const peers: Reader<readonly Address[]> = (value, key) => {
  const addresses = listOfSome(networkAddress)(value, key)
  const other = addresses.findIndex(({ tls }) => tls !== addresses[0]?.tls)
  if (other === -1) return addresses
  const expected =
    addresses[0]?.tls === true ? 'with TLS, as the first address is' : 'without TLS, as the first address is'
  throw new ConfigError(`${key}[${other}]`, expected, addresses[other]?.tls === true ? 'TLS' : 'no TLS')
}

const database = optional(wholeNumber(0), 0)

const singleSettings = { address, database, ...serverSettings }

function readSingle(value: unknown, note: Note): Servers {
  const settings = readSection('singleServerConfig', value, singleSettings, note)
  const server = { mode: 'single', address: settings.address, database: settings.database } as const
  return servers(server, settings, [settings.address])
}

const masterSlaveSettings = {
  masterAddress: address,
  slaveAddresses: optional(listOf(address), Object.freeze([])),
  database,
  ...serverSettings,
}

function readMasterSlave(value: unknown, note: Note): Servers {
  const settings = readSection('masterSlaveServersConfig', value, masterSlaveSettings, note)
  const server = {
    mode: 'masterSlave',
    master: settings.masterAddress,
    slaves: settings.slaveAddresses,
    database: settings.database,
  } as const
  return servers(server, settings, [settings.masterAddress])
}

const sentinelSettings = {
  sentinelAddresses: peers,
  masterName: text,
  sentinelUsername: optional(secret, undefined),
  sentinelPassword: optional(secret, undefined),
  database,
  natMapper: optional(readAddressMapper, undefined),
  ...serverSettings,
}

function readSentinel(value: unknown, note: Note): Servers {
  const settings = readSection('sentinelServersConfig', value, sentinelSettings, note)
  const server = {
    mode: 'sentinel',
    sentinels: settings.sentinelAddresses,
    masterName: settings.masterName,
    sentinelCredentials: over(credentialsIn(settings.sentinelAddresses), {
      username: settings.sentinelUsername,
      password: settings.sentinelPassword,
    }),
    database: settings.database,
    mapAddress: settings.natMapper,
  } as const
  return servers(server, settings, []) // the addresses say who to be for the sentinels
}

const replicatedSettings = {
  nodeAddresses: listOfSome(networkAddress),
  scanInterval: optional(milliseconds(1), 1000),
  database,
  ...serverSettings,
}

function readReplicated(value: unknown, note: Note): Servers {
  const settings = readSection('replicatedServersConfig', value, replicatedSettings, note)
  const server = {
    mode: 'replicated',
    nodes: settings.nodeAddresses,
    scanIntervalMs: settings.scanInterval,
    database: settings.database,
  } as const
  return servers(server, settings, settings.nodeAddresses)
}

const clusterSettings = {
  nodeAddresses: peers,
  scanInterval: optional(milliseconds(1), 5000),
  shardedSubscriptionMode: optional(oneOf('AUTO', 'ON', 'OFF'), 'AUTO' as const),
  database: optional(
    reader('0, as a cluster has no other database', (value) => value === 0),
    0,
  ),
  natMapper: optional(readAddressMapper, undefined),
  ...serverSettings,
}

function readCluster(value: unknown, note: Note): Servers {
  const settings = readSection('clusterServersConfig', value, clusterSettings, note)
  const server = {
    mode: 'cluster',
    nodes: settings.nodeAddresses,
    scanIntervalMs: settings.scanInterval,
    shardedSubscriptionMode: settings.shardedSubscriptionMode,
    mapAddress: settings.natMapper,
  } as const
  return servers(server, settings, settings.nodeAddresses)
}

function readIoredis(value: unknown): Servers {
  if (!isIoredisClient(value)) {
    throw new ConfigError('ioredis', 'a client of ioredis (Redis or Cluster)', value, { secret: true })
  }
  if ('redisOptions' in value.options) {
    refusePrefix(value.options.redisOptions, 'ioredis.options.redisOptions') // a cluster copies it to where all look
  }
  refusePrefix(value.options, 'ioredis.options')
  return servers({ mode: 'ioredis', client: value }, readSettings({}, 'ioredis', serverSettings), [])
}

function isIoredisClient(value: unknown): value is IoredisClient {
  return isRecord(value) && typeof value['duplicate'] === 'function' && isRecord(value['options'])
}

function refusePrefix(options: unknown, key: string): void {
  const prefix = isRecord(options) ? options['keyPrefix'] : undefined
  if (!isThere(prefix) || prefix === '') return
  throw new ConfigError(
    within(key, 'keyPrefix'),
    'empty, as it would be put before the keys of scripts but not before the channels (use `nameMapper` instead)',
    prefix,
  )
}

function readSection<S extends Settings>(
  name: SectionName,
  value: unknown,
  settings: S,
  note: Note,
): Values<S> {
  return readSettings(value, name, settings, { names: ignoredIn(name), note })
}

function servers(server: ServerConfig, settings: ServerSettings, addresses: readonly Address[]): Servers {
  return { server: Object.freeze(server), settings, ownCredentials: credentialsIn(addresses) }
}

/** What the first address says that says anything; the others are servers of the same kind. */
function credentialsIn(addresses: readonly Address[]): Credentials {
  const telling = addresses.find(
    ({ credentials }) => credentials.username !== undefined || credentials.password !== undefined,
  )
  return telling?.credentials ?? nobody
}

/** What the first one says, and for the rest what the second one says. */
export function over(first: Credentials, second: Credentials): Credentials {
  return Object.freeze({
    username: first.username ?? second.username,
    password: first.password ?? second.password,
  })
}
