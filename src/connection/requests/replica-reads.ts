import type { Redis } from 'ioredis'
import type { Config } from '../../config/config.js'
import { isRedissonError } from '../../errors/redisson-error.js'
import { isTransient } from '../../errors/transient.js'
import type { Command, Key, Reply } from '../connection.js'
import type { Failures } from '../login/failures.js'
import { PendingCommands } from './pending-commands.js'

/** How long a replica is not used after it was not ready, or has not replied, in milliseconds. */
const REST_MS = 1000

/** How long a replica's report is believed that it has all data of its master, in milliseconds. */
const BELIEVED_MS = 1000

const REPLICATION: Command = { name: 'info', args: ['replication'] }

/**
 * The report of a replica that follows its master. Before its first synchronization it has no data, and during a later one perhaps none any more.
 */
const FOLLOWS = /^master_link_status:up\r?$/m
const SYNCHRONIZES = /^master_sync_in_progress:1\r?$/m

/** The report of a replica over one connection. */
interface Said {
  readonly at: number
  readonly synchronized: Promise<boolean>
}

/** Where reads can go. */
export interface ReadTargets {
  /** Returns the connections to the replicas that have a key, ready or not. */
  replicasOf(key: Key): readonly Redis[]
  /** Sends a command to the owner of its keys. */
  askOwner(command: Command): Promise<Reply>
  /** Ends the connections to replicas, unless something else does. */
  close?(): Promise<void>
}

/**
 * Reads from replicas what need not be the newest.
 *
 * If anything goes wrong there, the owner is asked. A replica has half of the timeout for its reply, and the owner then has all of it.
 */
export class ReplicaReads {
  readonly #mode: Config['readMode']
  readonly #targets: ReadTargets
  readonly #pending: PendingCommands
  readonly #failedAt = new WeakMap<Redis, number>()
  /** Reports by socket, as the next connection may lead to another server. */
  readonly #said = new WeakMap<object, Said>()
  #closed = false

  constructor({ readMode, timeoutMs }: Config, failures: Failures, targets: ReadTargets) {
    this.#mode = readMode
    this.#targets = targets
    this.#pending = new PendingCommands(Math.ceil(timeoutMs / 2), failures)
  }

  async send(command: Command, key: Key): Promise<Reply> {
    const replica = this.#choose(key)
    if (replica === undefined || !(await this.#isSynchronized(replica)))
      return await this.#targets.askOwner(command)
    try {
      return await this.#pending.send(replica, command)
    } catch (error) {
      if (isTransient(error)) this.#failedAt.set(replica, performance.now())
      if (lacksScript(error)) throw error // the script is sent in full then
      return await this.#targets.askOwner(command)
    }
  }

  /** Stops asking replicas, and rejects pending reads. */
  async close(): Promise<void> {
    this.#closed = true
    this.#pending.close()
    await this.#targets.close?.()
  }

  /** Returns one of the usable replicas, at random; undefined for the owner. */
  #choose(key: Key): Redis | undefined {
    if (this.#closed) return undefined
    const replicas = this.#targets.replicasOf(key).filter((replica) => this.#isUp(replica))
    const places = this.#mode === 'MASTER_SLAVE' ? replicas.length + 1 : replicas.length
    return replicas[Math.floor(Math.random() * places)]
  }

  /**
   * Returns whether a replica has all data of its master. It is asked once a second at most. If it does not have them, it is not used for
   * a while.
   */
  async #isSynchronized(replica: Redis): Promise<boolean> {
    const now = performance.now()
    let said = this.#said.get(replica.stream)
    if (said === undefined || now - said.at >= BELIEVED_MS) {
      said = { at: now, synchronized: this.#ask(replica) }
      this.#said.set(replica.stream, said)
    }
    const synchronized = await said.synchronized
    if (!synchronized) this.#failedAt.set(replica, performance.now())
    return synchronized
  }

  /** Asks a replica. It does not count as synchronized if it does not reply, or if the user may not ask. */
  async #ask(replica: Redis): Promise<boolean> {
    try {
      const info = String(await this.#pending.send(replica, REPLICATION))
      return FOLLOWS.test(info) && !SYNCHRONIZES.test(info)
    } catch {
      return false
    }
  }

  #isUp(replica: Redis): boolean {
    const failedAt = this.#failedAt.get(replica) ?? -Infinity
    return replica.status === 'ready' && performance.now() - failedAt >= REST_MS
  }
}

/** Returns whether a server does not know a script by its hash. Replicas learn each script by themselves. */
function lacksScript(error: unknown): boolean {
  return (
    isRedissonError(error, 'COMMAND') &&
    error.cause instanceof Error &&
    error.cause.message.startsWith('NOSCRIPT ')
  )
}
