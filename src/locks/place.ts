import type { Address, ServerConfig } from '../config/config.js'

/**
 * Where a lock stands in the one order of all locks: by its key, and where keys are the same, by its servers.
 *
 * For that, servers are what the settings call them. Clients of the same servers should call them by the same addresses.
 */
export function placeOf(key: string, server: ServerConfig): string {
  return `${key}\n${serversOf(server)}`
}

function serversOf(server: ServerConfig): string {
  switch (server.mode) {
    case 'single':
      return named([server.address], server.database)
    case 'masterSlave':
      return named([server.master], server.database)
    case 'sentinel':
      return `${server.masterName} ${named(server.sentinels, server.database)}`
    case 'replicated':
      return named(server.nodes, server.database)
    case 'cluster':
      return named(server.nodes, 0)
    case 'ioredis':
      return ''
  }
}

function named(addresses: readonly Address[], database: number): string {
  const names = addresses.map(({ host, port, path }) => path ?? `${host}:${String(port)}`)
  return `${names.toSorted().join(' ')}/${String(database)}`
}
