import type { Redis } from 'ioredis'
import type { Config } from '../../config/config.js'
import type { Apart, Command, SyncedReply } from '../connection.js'
import { disconnectNode, guardHandshake, goTo } from '../node/node-link.js'
import type { PendingCommands } from './pending-commands.js'
import { ReadyConnection } from './ready-connection.js'
import { SyncedLane } from './synced-lane.js'
import { joinWrites } from '../node/write-coalescing.js'

/** The purpose of a connection: requests that overtake large data, transactions, or requests that this number of replicas confirms. */
type Purpose = 'ahead' | 'atomic' | number

/**
 * The connections to one server besides that for commands, each opened when it is first needed.
 *
 * A connection that waits for replicas is blocked meanwhile. So each number of replicas has its own, and nothing else goes over it.
 */
export class SideConnections {
  readonly #make: () => Redis
  readonly #config: Config
  readonly #pending: PendingCommands
  readonly #open = new Map<Purpose, Redis>()
  readonly #lanes = new Map<number, SyncedLane>()

  /**
   * @param make - makes one more connection to the server
   * @param pending - waits for the replies to transactions, and to requests that replicas confirm
   */
  constructor(make: () => Redis, config: Config, pending: PendingCommands) {
    this.#make = make
    this.#config = config
    this.#pending = pending
  }

  /** The connection for requests that overtake large data. */
  get ahead(): Redis {
    return this.#for('ahead')
  }

  /** Sends a command, and waits for this number of replicas to confirm it. */
  async sendSynced(command: Command, replicas: number): Promise<SyncedReply> {
    const redis = this.#for(replicas)
    const { sent, replicas: asked } = this.#laneOf(replicas).send(() => this.#pending.send(redis, command))
    const [reply, confirmed] = await Promise.all([sent, asked])
    return { reply, replicas: confirmed }
  }

  /** Returns the connection for transactions, or for requests that this number of replicas confirms, once it is ready. */
  apart(replicas: number): Promise<Apart> {
    return replicas === 0
      ? ReadyConnection.of(this.#for('atomic'), this.#pending, this.#config)
      : ReadyConnection.of(this.#for(replicas), this.#pending, this.#config, this.#laneOf(replicas))
  }

  /** Reconnects those that lead to another address. */
  follow(address: string): void {
    for (const redis of this.#open.values()) goTo(redis, address)
  }

  async close(): Promise<void> {
    await Promise.all(Array.from(this.#open.values(), (redis) => disconnectNode(redis)))
  }

  #laneOf(replicas: number): SyncedLane {
    let lane = this.#lanes.get(replicas)
    if (lane === undefined) {
      lane = new SyncedLane({
        redis: this.#for(replicas),
        pending: this.#pending,
        replicas,
        withinMs: this.#config.slavesSyncTimeoutMs,
      })
      this.#lanes.set(replicas, lane)
    }
    return lane
  }

  #for(purpose: Purpose): Redis {
    let redis = this.#open.get(purpose)
    if (redis === undefined) {
      redis = this.#make()
      guardHandshake(redis, this.#config.timeoutMs)
      joinWrites(redis)
      this.#open.set(purpose, redis)
    }
    return redis
  }
}
