import type { Cluster, Redis } from 'ioredis'
import type { RedissonEvents } from '../../api/events.js'
import type { Config } from '../../config/config.js'
import type { Emitter } from '../../util/emitter.js'
import type { Listeners } from '../../util/listeners.js'
import { withoutSecrets } from '../node/foreign-errors.js'
import { addressOf, CLOSED_WITHOUT_ERROR } from '../node/node-link.js'

const NOT_USED = 'The server is not used any more: it has left the cluster, or is a replica now'

interface Reporting {
  readonly config: Pick<Config, 'readMode'>
  readonly events: Emitter<RedissonEvents>
  readonly listeners: Listeners
}

/**
 * Reports the connections for commands to the nodes of a cluster, by address: ioredis creates another object for each connection.
 *
 * Nodes that are not used are not reported, such as replicas that serve no reads. They have connections if the settings name them. Which
 * nodes are used is known once the cluster was asked.
 */
export class NodeEvents {
  readonly #cluster: Cluster
  readonly #events: Emitter<RedissonEvents>
  readonly #usesReplicas: boolean
  /** Whether each node that was reported has a connection. */
  readonly #isConnected = new Map<string, boolean>()

  constructor(cluster: Cluster, { config, events, listeners }: Reporting) {
    this.#cluster = cluster
    this.#events = events
    this.#usesReplicas = config.readMode !== 'MASTER' || cluster.options.scaleReads !== 'master'
    listeners.on(cluster, 'refresh', () => {
      this.#reportAll()
    })
  }

  /** Reports the states of a connection to a node. It also keeps ioredis from printing its errors. */
  watch(node: Redis, listeners: Listeners): void {
    const address = addressOf(node)
    let cause: Error | undefined
    listeners.on(node, 'error', (error: Error) => {
      cause = withoutSecrets(error)
    })
    listeners.on(node, 'ready', () => {
      cause = undefined
      this.#report(address, this.#used)
    })
    listeners.on(node, 'close', () => {
      this.#report(address, this.#used, cause)
    })
    this.#report(address, this.#used)
  }

  #reportAll(): void {
    const used = this.#used
    for (const address of [...this.#isConnected.keys(), ...used]) this.#report(address, used)
  }

  #report(address: string, used: ReadonlySet<string>, cause?: Error): void {
    const before = this.#isConnected.get(address)
    const isUsed = used.has(address)
    const isConnected = isUsed && this.#hasConnectionTo(address)
    if (isConnected === (before ?? false)) return
    this.#isConnected.set(address, isConnected)
    const event = { address, purpose: 'commands' } as const
    if (isConnected) this.#events.emit(before === undefined ? 'connected' : 'reconnected', event)
    else {
      const reason = cause ?? new Error(isUsed ? CLOSED_WITHOUT_ERROR : NOT_USED)
      this.#events.emit('disconnected', { ...event, cause: reason })
    }
  }

  #hasConnectionTo(address: string): boolean {
    return this.#cluster.nodes().some((node) => node.status === 'ready' && addressOf(node) === address)
  }

  /** The nodes that commands go to, as far as they are known. */
  get #used(): ReadonlySet<string> {
    const used = new Set<string>()
    const slots = this.#cluster.slots as readonly (readonly string[] | undefined)[] // one that has no owner is missing
    for (const nodes of new Set(slots)) {
      const [master, ...replicas] = nodes ?? []
      if (master !== undefined) used.add(master)
      if (this.#usesReplicas) for (const replica of replicas) used.add(replica)
    }
    return used
  }
}
