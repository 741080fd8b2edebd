import type { Redis } from 'ioredis'
import type { Config } from '../config/config.js'
import { syncedTimeoutMs } from '../config/synced-timeout.js'
import { NotSentError } from '../errors/not-sent.js'
import { isRedissonError } from '../errors/redisson-error.js'
import type { ClusterNodes } from './cluster-nodes.js'
import type { Apart, Command, Reply, SyncedReply } from './connection.js'
import type { Failures } from './failures.js'
import { disconnectNode, guardHandshake } from './node-link.js'
import { PendingCommands } from './pending-commands.js'
import { ReadyConnection } from './ready-connection.js'
import { slotOf } from './request.js'
import { joinWrites } from './write-coalescing.js'

/**
 * Connections to the nodes of a cluster beside those of ioredis's own, for what needs a connection to itself: a command that waits for
 * replicas, and commands that run as one step.
 */
export class ApartConnections {
  readonly #nodes: ClusterNodes
  readonly #timeoutMs: number
  readonly #pending: PendingCommands
  readonly #open = new Map<string, Redis>()

  /** @param timeoutMs - how long what is sent over them may take */
  constructor(
    nodes: ClusterNodes,
    config: Config,
    failures: Failures,
    timeoutMs: number = syncedTimeoutMs(config),
  ) {
    this.#nodes = nodes
    this.#timeoutMs = config.timeoutMs
    this.#pending = new PendingCommands(timeoutMs, failures)
  }

  /** Sends a command to the owner of a slot, which has not run it where that says that it is not. */
  async send(slot: number, command: Command): Promise<Reply> {
    return await this.#followed(this.#pending.send(this.#ownerOf(slot), command))
  }

  async sendSynced(command: Command, replicas: number, timeoutMs: number): Promise<SyncedReply> {
    return await this.#pending.sendSynced(this.#ownerOf(slotOf(command)), command, replicas, timeoutMs)
  }

  /** The connection to the owner of a slot. */
  async at(slot: number): Promise<Apart> {
    const ready = await ReadyConnection.of(this.#ownerOf(slot), this.#pending)
    return {
      send: (command) => this.#followed(ready.send(command)),
      demandAtomic: () => this.#followed(ready.demandAtomic()),
      sendAtomic: (commands, timeoutMs) => this.#followed(ready.sendAtomic(commands, timeoutMs)),
    }
  }

  async close(): Promise<void> {
    this.#pending.close()
    await Promise.all(Array.from(this.#open.values(), (node) => disconnectNode(node)))
  }

  /** Those whose node has left are closed. */
  #ownerOf(slot: number): Redis {
    const key = this.#nodes.ownerOf(slot)
    if (key === undefined) {
      this.#nodes.refresh()
      throw new NotSentError(`No node of the cluster is known to own slot ${slot}`)
    }
    for (const [known, redis] of this.#open) {
      if (this.#nodes.has(known)) continue
      this.#open.delete(known)
      void disconnectNode(redis)
    }
    const known = this.#open.get(key)
    if (known !== undefined) return known
    const opened = this.#nodes.open(key, {})
    guardHandshake(opened, this.#timeoutMs)
    joinWrites(opened)
    this.#open.set(key, opened)
    return opened
  }

  /** Asks where the slots are once a node says that one is not there any more. ioredis does so for its own connections alone. */
  async #followed<T>(answer: Promise<T>): Promise<T> {
    try {
      return await answer
    } catch (error) {
      if (isRedissonError(error, 'SERVER_NOT_READY')) this.#nodes.refresh()
      throw error
    }
  }
}
