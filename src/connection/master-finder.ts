import { Redis } from 'ioredis'
import type { Address, Config } from '../config/config.js'
import { outside } from '../util/outside.js'
import { nodeOptions } from './ioredis-options.js'
import { hangUp } from './node-link.js'

/** Tells which of several servers is the master, where nobody announces it. */
export class MasterFinder {
  readonly #nodes: readonly { readonly address: Address; readonly redis: Redis }[]
  #master: Address | undefined
  #trouble: unknown

  constructor(config: Config, addresses: readonly Address[]) {
    this.#nodes = addresses.map((address) => ({
      address,
      redis: outside(() => askingNode(config, address)),
    }))
  }

  /** The first server that says it is the master, or the last one known. */
  async find(): Promise<Address | undefined> {
    const masters = await Promise.all(
      this.#nodes.map(async ({ address, redis }) => ((await this.#isMaster(redis)) ? address : undefined)),
    )
    this.#master = masters.find((address) => address !== undefined) ?? this.#master
    return this.#master
  }

  /** The master that was found last. */
  get master(): Address | undefined {
    return this.#master
  }

  /** Why a server could not be asked, the last time that one could not. */
  get trouble(): unknown {
    return this.#trouble
  }

  async close(): Promise<void> {
    await Promise.all(this.#nodes.map(({ redis }) => hangUp(redis)))
  }

  async #isMaster(redis: Redis): Promise<boolean> {
    try {
      const [role] = await redis.role()
      return String(role) === 'master'
    } catch (error) {
      this.#trouble = error
      return false
    }
  }
}

/** A connection that asks one question now and then, and says nothing when it fails. */
function askingNode(config: Config, address: Address): Redis {
  const redis = new Redis({
    ...nodeOptions(config, address, 0),
    commandTimeout: config.timeoutMs,
    connectTimeout: Math.min(config.connectTimeoutMs, config.timeoutMs),
    enableReadyCheck: false,
  })
  redis.on('error', () => undefined)
  return redis
}
