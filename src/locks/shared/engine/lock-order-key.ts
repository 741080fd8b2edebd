import type { IoredisClient } from '../../../api/redisson-options.js'
import type { ServerConfig } from '../../../config/config.js'

/** Where a server is, or a sentinel, as some settings say. */
interface Endpoint {
  readonly host?: string | undefined
  readonly port?: number | string | undefined
  readonly path?: string | null | undefined
}

/** What the settings of a client of ioredis say of its servers. */
interface IoredisOptions extends Endpoint {
  readonly db?: number | undefined
  readonly sentinels?: readonly Endpoint[] | null | undefined
  readonly name?: string | null | undefined
}

/** A node of a cluster, as ioredis takes it: its address, its port, or a URL. */
type StartupNode = Endpoint | number | string

const LOCALHOST = 'localhost'
const PORT = 6379
const SENTINEL_PORT = 26_379

/** Where ioredis looks for a node of a cluster of which it knows only the port. */
const CLUSTER_HOST = '127.0.0.1'

/**
 * Where a lock stands in the one order of all locks: by its key, and where keys are the same, by its servers.
 *
 * For that, servers are what the settings call them. Clients of the same servers should call them by the same addresses.
 */
export function lockOrderKey(key: string, server: ServerConfig): string {
  return `${key}\n${serversOf(server)}`
}

/** What the settings of a client call its servers. Each lock of a group asks for it, and it stays the same. */
const namesOf = new WeakMap<ServerConfig, string>()

/** What the settings call the servers, and the database there. */
export function serversOf(server: ServerConfig): string {
  const known = namesOf.get(server)
  if (known !== undefined) return known
  const name = nameOf(server)
  namesOf.set(server, name)
  return name
}

function nameOf(server: ServerConfig): string {
  switch (server.mode) {
    case 'single':
      return named([server.address], server.database)
    case 'masterSlave':
      return named([server.master], server.database)
    case 'sentinel':
      return bySentinels(server.masterName, server.sentinels, server.database)
    case 'replicated':
      return named(server.nodes, server.database)
    case 'cluster':
      return named(server.nodes, 0)
    case 'ioredis':
      return serversOfIoredis(server.client)
  }
}

/** The same of a client of ioredis, so that clients of either kind have one order. */
function serversOfIoredis(client: IoredisClient): string {
  if ('startupNodes' in client)
    return named((client.startupNodes as readonly StartupNode[]).map(startupNode), 0)
  const { sentinels, name, db = 0, ...server } = client.options as IoredisOptions
  return sentinels ? bySentinels(name ?? '', sentinels, db) : named([server], db)
}

function startupNode(node: StartupNode): Endpoint {
  if (typeof node === 'object') return { host: CLUSTER_HOST, ...node }
  const text = String(node).replace(/^(\w+:)?\/\//, '')
  if (/^\d+$/.test(text)) return { host: CLUSTER_HOST, port: text }
  const { hostname, port } = new URL(`redis://${text}`)
  return { host: hostname.replace(/^\[(.*)\]$/, '$1'), port: port === '' ? undefined : port }
}

function bySentinels(masterName: string, sentinels: readonly Endpoint[], database: number): string {
  return `${masterName} ${named(sentinels, database, SENTINEL_PORT)}`
}

function named(endpoints: readonly Endpoint[], database: number, usualPort = PORT): string {
  const names = endpoints.map(
    ({ path, host, port }) => path ?? `${host ?? LOCALHOST}:${String(port ?? usualPort)}`,
  )
  return `${names.toSorted().join(' ')}/${String(database)}`
}
