import { Redis } from 'ioredis'
import type { RedissonEvents } from '../api/events.js'
import type { Config, ServerConfig } from '../config/config.js'
import type { Emitter } from '../util/emitter.js'
import { outside } from '../util/outside.js'
import { behaviour, identity } from './ioredis-options.js'
import { MasterConnection } from './master-connection.js'
import { MasterFinder } from './master-finder.js'
import { replicatedConnector } from './replicated-connector.js'

type Servers = Extract<ServerConfig, { mode: 'replicated' }>

/** The way to the master among several servers that nobody watches over: it is looked for now and then. */
export class ReplicatedConnection extends MasterConnection {
  readonly #finder: MasterFinder
  readonly #scan: NodeJS.Timeout

  constructor(servers: Servers, config: Config, events: Emitter<RedissonEvents>) {
    const finder = new MasterFinder(config, servers.nodes)
    const Connector = replicatedConnector(finder, config)
    const common = { ...behaviour(config), ...identity(config, servers.nodes[0]), db: servers.database }
    super((overrides) => new Redis({ ...common, Connector, ...overrides }), config, events)
    this.#finder = finder
    this.#scan = outside(() => setInterval(() => void this.#follow(), servers.scanIntervalMs).unref())
  }

  override async close(): Promise<void> {
    clearInterval(this.#scan)
    await Promise.all([super.close(), this.#finder.close()])
  }

  /** Goes where the master is now. A master that just fell silent is left to the connection itself. */
  async #follow(): Promise<void> {
    const before = this.#finder.master
    const now = await this.#finder.find()
    if (now !== undefined && before !== undefined && now !== before) this.reconnect()
  }
}
