import type { Config } from '../../config/config.js'
import { syncedTimeoutMs } from '../../config/synced-timeout.js'
import { isRedissonError } from '../../errors/redisson-error.js'
import type { ClusterNodes } from './cluster-nodes.js'
import type { Apart, Command, Reply, SyncedReply } from '../connection.js'
import type { Failures } from '../login/failures.js'
import { PendingCommands } from '../requests/pending-commands.js'
import { slotOf } from '../requests/request.js'
import { SideConnections } from '../requests/side-connections.js'

/** The connections to the nodes of a cluster besides those of ioredis. */
export class ApartConnections {
  readonly #nodes: ClusterNodes
  readonly #config: Config
  readonly #pending: PendingCommands
  readonly #confirming: PendingCommands
  readonly #open = new Map<string, SideConnections>()

  constructor(nodes: ClusterNodes, config: Config, failures: Failures) {
    this.#nodes = nodes
    this.#config = config
    this.#pending = new PendingCommands(config.timeoutMs, failures)
    this.#confirming = new PendingCommands(syncedTimeoutMs(config), failures)
    failures.onDown(() => {
      this.#pending.failWaiting()
      this.#confirming.failWaiting()
    })
  }

  /** Sends a command to the owner of a slot, past data. If that node replies that it does not own the slot, the command has not run. */
  async sendAhead(slot: number, command: Command): Promise<Reply> {
    return await this.#followed(this.#pending.send(this.#ownerOf(slot).ahead, command))
  }

  async sendSynced(command: Command, replicas: number): Promise<SyncedReply> {
    return await this.#ownerOf(slotOf(command)).sendSynced(command, replicas)
  }

  /** Returns a connection to the owner of a slot. */
  async at(slot: number, replicas: number): Promise<Apart> {
    const ready = await this.#ownerOf(slot).apart(replicas)
    return {
      send: (command) => this.#followed(ready.send(command)),
      demandAtomic: () => this.#followed(ready.demandAtomic()),
      sendAtomic: (commands, timeoutMs) => this.#followed(ready.sendAtomic(commands, timeoutMs)),
      confirmed: (send) => ready.confirmed(send),
    }
  }

  get hopeUntil(): number {
    return Math.max(this.#pending.hopeUntil, this.#confirming.hopeUntil)
  }

  async close(): Promise<void> {
    this.#pending.close()
    this.#confirming.close()
    await Promise.all(Array.from(this.#open.values(), (beside) => beside.close()))
  }

  /** Returns the connections to the owner of a slot. Closes those whose node has left. */
  #ownerOf(slot: number): SideConnections {
    const key = this.#nodes.ownerOf(slot)
    if (key === undefined) {
      this.#nodes.refresh()
      throw this.#nodes.absence(
        `No node of the cluster is known to own slot ${slot}`,
        this.#nodes.lastOwnerOf(slot),
      )
    }
    for (const [known, beside] of this.#open) {
      if (this.#nodes.has(known)) continue
      this.#open.delete(known)
      void beside.close()
    }
    let beside = this.#open.get(key)
    if (beside === undefined) {
      beside = new SideConnections(() => this.#nodes.open(key, {}), this.#config, this.#confirming)
      this.#open.set(key, beside)
    }
    return beside
  }

  /** Requests the topology when a node reports that it no longer owns a slot. ioredis does so only for its own connections. */
  async #followed<T>(answer: Promise<T>): Promise<T> {
    try {
      return await answer
    } catch (error) {
      if (isRedissonError(error, 'SERVER_NOT_READY')) this.#nodes.refresh()
      throw error
    }
  }
}
