import type { ServerConfig } from '../../config/config.js'
import { withoutAsyncContext } from '../../util/time/without-async-context.js'
import { openRedis } from '../login/handshake.js'
import { baseOptions, identity } from '../login/ioredis-options.js'
import { MasterConnection, type Surroundings } from './master-connection.js'
import { MasterFinder } from './master-finder.js'
import { replicatedConnector, serverOf } from './replicated-connector.js'

type Servers = Extract<ServerConfig, { mode: 'replicated' }>

/** The connection to the master among several servers without sentinels. It looks for the master periodically. */
export class ReplicatedConnection extends MasterConnection {
  readonly #finder: MasterFinder
  readonly #scan: NodeJS.Timeout

  constructor(servers: Servers, surroundings: Surroundings) {
    const { config, failures, logins } = surroundings
    const finder = new MasterFinder(config, servers.nodes, { failures, logins })
    const Connector = replicatedConnector(finder, config)
    const common = { ...baseOptions(config), ...identity(config, servers.nodes[0]), db: servers.database }
    super((overrides) => openRedis({ ...common, Connector, ...overrides }, logins), surroundings)
    this.#finder = finder
    this.#scan = withoutAsyncContext(() =>
      setInterval(() => void this.#follow(), servers.scanIntervalMs).unref(),
    )
  }

  override async close(): Promise<void> {
    clearInterval(this.#scan)
    await Promise.all([super.close(), this.#finder.close()])
  }

  /** Reconnects to the present master. A master that just fell silent is left to the connection itself. */
  async #follow(): Promise<void> {
    const master = await this.#finder.find()
    if (master !== undefined) this.reconnectUnless((commands) => serverOf(commands) === master)
  }
}
