import type { Redis } from 'ioredis'
import type { Config } from '../../config/config.js'
import { isRedissonError } from '../../errors/redisson-error.js'
import { isTransient } from '../../errors/transient.js'
import type { Command, Key, Reply } from '../connection.js'
import type { Failures } from '../login/failures.js'
import { PendingCommands } from './pending-commands.js'

/** For how long a replica is left alone that was not ready, or has not replied, in milliseconds. */
const REST_MS = 1000

/** For how long a replica is believed that has all data of its master, in milliseconds. */
const BELIEVED_MS = 1000

const REPLICATION: Command = { name: 'info', args: ['replication'] }

/** What a replica says that follows its master. Before its first synchronization it has nothing, and in a later one perhaps nothing any more. */
const FOLLOWS = /^master_link_status:up\r?$/m
const SYNCHRONIZES = /^master_sync_in_progress:1\r?$/m

/** What a replica has said over one connection. */
interface Said {
  readonly at: number
  readonly synchronized: Promise<boolean>
}

/** Where reads can go. */
export interface ReadTargets {
  /** The connections to those replicas that have a key, ready or not. */
  replicasOf(key: Key): readonly Redis[]
  /** Sends a command to the owner of its keys. */
  askOwner(command: Command): Promise<Reply>
  /** Ends the connections to replicas, unless something else does. */
  close?(): Promise<void>
}

/**
 * Reads at replicas what need not be the newest.
 *
 * Whatever goes wrong there, the owner is asked. A replica has half of the usual time for its reply, and the owner then all of it.
 */
export class ReplicaReads {
  readonly #mode: Config['readMode']
  readonly #targets: ReadTargets
  readonly #pending: PendingCommands
  readonly #failedAt = new WeakMap<Redis, number>()
  /** By their sockets, as the next connection may lead to another server. */
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

  /** Asks no replica any more, and rejects what is pending. */
  async close(): Promise<void> {
    this.#closed = true
    this.#pending.close()
    await this.#targets.close?.()
  }

  /** One of the replicas that can be asked, at random; undefined for the owner. */
  #choose(key: Key): Redis | undefined {
    if (this.#closed) return undefined
    const replicas = this.#targets.replicasOf(key).filter((replica) => this.#isUp(replica))
    const places = this.#mode === 'MASTER_SLAVE' ? replicas.length + 1 : replicas.length
    return replicas[Math.floor(Math.random() * places)]
  }

  /** Whether a replica has all data of its master. It is asked once a second at most, and left alone for a while where it has not. */
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

  /** One that may not be asked, or does not reply, is not known to have all data. */
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

/** Whether a server does not know a script by its hash. Replicas learn each script by themselves. */
function lacksScript(error: unknown): boolean {
  return (
    isRedissonError(error, 'COMMAND') &&
    error.cause instanceof Error &&
    error.cause.message.startsWith('NOSCRIPT ')
  )
}
