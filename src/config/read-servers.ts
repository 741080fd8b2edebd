import type { IoredisClient } from '../api/redisson-options.js'
import { ConfigError } from '../errors/client-errors.js'
import { noCredentials, parseAddress, SENTINEL_PORT } from './address.js'
import { readAddressMap, readAddressMapper } from './address-mapper.js'
import type { Address, AddressMapper, Credentials, ReadMode, ServerConfig } from './config.js'
import { ignoredIn, type SectionName } from './ignored-settings.js'
import { isThere, readSettings, type Settings, type Values, within } from './read-settings.js'
import {
  credentialsProvider,
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
  quoting,
} from './readers.js'
import { demandShareable } from './shared-client.js'
import { type ServerSettings, serverSettings } from './server-settings.js'

/** A server section, read. */
export interface Servers {
  readonly server: ServerConfig
  readonly readMode: ReadMode
  readonly settings: ServerSettings
  /** What the addresses themselves say. */
  readonly ownCredentials: Credentials
}

/** Is called with the full key of a setting without a meaning here. */
type Note = (key: string) => void

/** What is written in each of the server sections, of which there has to be one. */
export type Sections = Readonly<Record<SectionName | 'ioredis', unknown>> & { readonly share: boolean }

const sections: Readonly<
  Record<SectionName | 'ioredis', (value: unknown, note: Note, share: boolean) => Servers>
> = {
  singleServerConfig: readSingle,
  masterSlaveServersConfig: readMasterSlave,
  sentinelServersConfig: readSentinel,
  replicatedServersConfig: readReplicated,
  clusterServersConfig: readCluster,
  ioredis: readIoredis,
}

const sectionNames = Object.keys(sections) as (SectionName | 'ioredis')[]

/** Reads the one server section that is there. */
export function readServers(written: Sections, note: Note): Servers {
  const [name, second] = sectionNames.filter((section) => isThere(written[section]))
  if (name === undefined) throw noSection()
  if (second !== undefined) {
    const expected = `absent, as ${name} says already where the servers are`
    throw new ConfigError(second, expected, written[second], { secret: true })
  }
  if (written.share && name !== 'ioredis')
    throw new ConfigError('share', 'absent, as only a client of ioredis can be shared', written.share)
  const read = sections[name](written[name], note, written.share)
  if (read.settings.retryDelay !== undefined && read.settings.retryInterval !== undefined) {
    note(within(name, 'retryInterval'))
  }
  return read
}

function noSection(): ConfigError {
  const [first, ...others] = sectionNames
  return new ConfigError(String(first), `there, or else one of ${others.join(', ')}`, undefined)
}

function addressAt(defaultPort?: number): Reader<Address> {
  return (value, key) => {
    if (typeof value === 'string') return parseAddress(value, key, defaultPort)
    throw new ConfigError(key, 'an address, such as redis://127.0.0.1:6379', value, { secret: true })
  }
}

const address = addressAt()

/** The address of a server that others know by host and port as well. */
function networkAddress(defaultPort?: number): Reader<Address> {
  const read = addressAt(defaultPort)
  return (value, key) => {
    const parsed = read(value, key)
    if (parsed.path === undefined) return parsed
    const expected = 'an address with host and port, as the servers know each other by these'
    throw new ConfigError(key, expected, parsed.path)
  }
}

/** Addresses of servers that report where the others are, but not whether those are reached by TLS. */
function peers(defaultPort?: number): Reader<readonly Address[]> {
  const read = listOfSome(networkAddress(defaultPort))
  return (value, key) => {
    const addresses = read(value, key)
    const other = addresses.findIndex(({ tls }) => tls !== addresses[0]?.tls)
    if (other === -1) return addresses
    const expected = `${addresses[0]?.tls === true ? 'with' : 'without'} TLS, as the first address is`
    throw quoting(`${key}[${other}]`, expected, addresses[other]?.tls === true ? 'TLS' : 'no TLS')
  }
}

const database = optional(wholeNumber(0), 0)

const readMode = optional(oneOf('MASTER', 'SLAVE', 'MASTER_SLAVE'), 'MASTER' as const)

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

const addressMappers = {
  natMapper: optional(readAddressMapper, undefined),
  natMap: optional(readAddressMap, undefined),
}

/** Redisson has given up `natMap` for `natMapper`; it reads both, and the one that comes last wins. */
function addressMapperOf(
  section: SectionName,
  { natMapper, natMap }: Values<typeof addressMappers>,
): AddressMapper | undefined {
  if (natMapper === undefined || natMap === undefined) return natMapper ?? natMap
  throw new ConfigError(within(section, 'natMap'), 'absent, as there is a `natMapper`', natMap)
}

const sentinelSettings = {
  sentinelAddresses: peers(SENTINEL_PORT),
  masterName: text,
  sentinelUsername: optional(secret, undefined),
  sentinelPassword: optional(secret, undefined),
  sentinelCredentials: optional(credentialsProvider, undefined),
  database,
  readMode,
  ...addressMappers,
  ...serverSettings,
}

function readSentinel(value: unknown, note: Note): Servers {
  const settings = readSection('sentinelServersConfig', value, sentinelSettings, note)
  const sentinelCredentials = over(credentialsIn(settings.sentinelAddresses), {
    username: settings.sentinelUsername,
    password: settings.sentinelPassword,
  })
  if (settings.sentinelCredentials !== undefined && areThere(sentinelCredentials)) {
    const expected = 'absent, as the settings have a user name or a password for the sentinels'
    throw new ConfigError(
      within('sentinelServersConfig', 'sentinelCredentials'),
      expected,
      settings.sentinelCredentials,
    )
  }
  const server = {
    mode: 'sentinel',
    sentinels: settings.sentinelAddresses,
    masterName: settings.masterName,
    sentinelCredentials,
    sentinelCredentialsProvider: settings.sentinelCredentials,
    database: settings.database,
    mapAddress: addressMapperOf('sentinelServersConfig', settings),
  } as const
  return servers(server, settings, [], settings.readMode) // the addresses have the credentials for the sentinels
}

const replicatedSettings = {
  nodeAddresses: listOfSome(networkAddress()),
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
  nodeAddresses: peers(),
  scanInterval: optional(milliseconds(1), 5000),
  shardedSubscriptionMode: optional(oneOf('AUTO', 'ON', 'OFF'), 'AUTO' as const),
  database: optional(
    reader('0, as a cluster has no other database', (value) => value === 0),
    0,
  ),
  readMode,
  ...addressMappers,
  ...serverSettings,
}

function readCluster(value: unknown, note: Note): Servers {
  const settings = readSection('clusterServersConfig', value, clusterSettings, note)
  const server = {
    mode: 'cluster',
    nodes: settings.nodeAddresses,
    scanIntervalMs: settings.scanInterval,
    shardedSubscriptionMode: settings.shardedSubscriptionMode,
    mapAddress: addressMapperOf('clusterServersConfig', settings),
  } as const
  return servers(server, settings, settings.nodeAddresses, settings.readMode)
}

const settingsIn: Readonly<Record<SectionName, Settings>> = {
  singleServerConfig: singleSettings,
  masterSlaveServersConfig: masterSlaveSettings,
  sentinelServersConfig: sentinelSettings,
  replicatedServersConfig: replicatedSettings,
  clusterServersConfig: clusterSettings,
}

/** Returns the section that a setting belongs in: the one that is written, or else the first that may have it. */
export function sectionOf(setting: string, written: object): string | undefined {
  const those = Object.entries(settingsIn).filter(([, settings]) => Object.hasOwn(settings, setting))
  const [found] = those.find(([section]) => Object.hasOwn(written, section)) ?? those[0] ?? []
  return found
}

function readIoredis(value: unknown, _: Note, shared: boolean): Servers {
  if (!isIoredisClient(value)) {
    throw new ConfigError('ioredis', 'a client of ioredis (Redis or Cluster)', value, { secret: true })
  }
  if ('redisOptions' in value.options) {
    refusePrefix(value.options.redisOptions, 'ioredis.options.redisOptions') // a cluster copies it to where all look
  }
  refusePrefix(value.options, 'ioredis.options')
  const settings = readSettings({}, 'ioredis', serverSettings)
  if (shared) demandShareable(value, settings.timeout)
  const { db } = value.options as { readonly db?: unknown }
  const server = {
    mode: 'ioredis',
    client: value,
    shared,
    database: typeof db === 'number' ? db : 0,
  } as const
  return servers(server, settings, [])
}

/** Asks by what it can do and not by its class, because the program may have another copy of ioredis. */
export function isIoredisClient(value: unknown): value is IoredisClient {
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

function servers(
  server: ServerConfig,
  settings: ServerSettings,
  addresses: readonly Address[],
  mode: ReadMode = 'MASTER',
): Servers {
  return { server: Object.freeze(server), readMode: mode, settings, ownCredentials: credentialsIn(addresses) }
}

/** All addresses that are written for servers and sentinels; none for a client of ioredis, which has its own. */
export function addressesOf(server: ServerConfig): readonly Address[] {
  switch (server.mode) {
    case 'single':
      return [server.address]
    case 'masterSlave':
      return [server.master, ...server.slaves]
    case 'sentinel':
      return server.sentinels
    case 'replicated':
    case 'cluster':
      return server.nodes
    case 'ioredis':
      return []
  }
}

/** What the first address says that says anything; the others are servers of the same kind. */
function credentialsIn(addresses: readonly Address[]): Credentials {
  const telling = addresses.find(({ credentials }) => areThere(credentials))
  return telling?.credentials ?? noCredentials
}

/** Whether there are any credentials. */
export function areThere({ username, password }: Credentials): boolean {
  return username !== undefined || password !== undefined
}

/** What the first one says, and for the rest what the second one says. */
export function over(first: Credentials, second: Credentials): Credentials {
  return Object.freeze({
    username: first.username ?? second.username,
    password: first.password ?? second.password,
  })
}
