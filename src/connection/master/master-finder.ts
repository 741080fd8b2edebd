import type { Redis } from 'ioredis'
import type { Address, Config } from '../../config/config.js'
import type { Logins } from '../login/credentials-cache.js'
import { openRedis } from '../login/handshake.js'
import { nodeOptions } from '../login/ioredis-options.js'
import type { Failures } from '../login/failures.js'
import type { Surroundings } from './master-connection.js'
import { addressOf, disconnectNode } from '../node/node-link.js'

/** Finds out which of several servers is the master, where nothing announces it. */
export class MasterFinder {
  readonly #nodes: readonly { readonly address: Address; readonly redis: Redis }[]
  readonly #failures: Failures
  readonly #replicas = new Set<Address>()
  #master: Address | undefined

  constructor(
    config: Config,
    addresses: readonly Address[],
    { failures, logins }: Pick<Surroundings, 'failures' | 'logins'>,
  ) {
    this.#failures = failures
    this.#nodes = addresses.map((address) => ({
      address,
      redis: askingNode(config, address, logins),
    }))
    for (const { redis } of this.#nodes) failures.watch(redis)
  }

  /**
   * Returns the server that says it is the master, or the last one known.
   *
   * There may be two for a while. One that was a replica before has replaced the other; one that comes back was replaced.
   */
  async find(): Promise<Address | undefined> {
    const asked = await Promise.all(
      this.#nodes.map(async ({ address, redis }) =>
        (await this.#isMaster(address, redis)) ? [address] : [],
      ),
    )
    const masters = asked.flat()
    const present = masters.find((address) => address === this.#master)
    const promoted = masters.find((address) => this.#replicas.delete(address))
    this.#master = promoted ?? present ?? masters[0] ?? this.#master
    return this.#master
  }

  async close(): Promise<void> {
    await Promise.all(this.#nodes.map(({ redis }) => disconnectNode(redis)))
  }

  async #isMaster(address: Address, redis: Redis): Promise<boolean> {
    const tried = { address: addressOf(redis), tls: address.tls }
    try {
      if (redis.status === 'end') redis.connect().catch(() => undefined) // requests that wait for it report it themselves
      const [role] = await redis.role()
      if (String(role) === 'master') return true
      if (String(role) === 'slave') this.#replicas.add(address)
      this.#failures.note(tried, new Error(`its role is ${String(role)}`))
    } catch (error) {
      this.#failures.note(tried, error)
    }
    return false
  }
}

/** Makes a connection for an occasional question. It reconnects when the next one is asked. */
function askingNode(config: Config, address: Address, logins: Logins): Redis {
  const options = {
    ...nodeOptions(config, address, 0),
    commandTimeout: config.timeoutMs,
    connectTimeout: Math.min(config.connectTimeoutMs, config.timeoutMs),
    enableReadyCheck: false,
    socketTimeout: config.timeoutMs,
    retryStrategy: () => null,
  }
  return openRedis(options, logins)
}
