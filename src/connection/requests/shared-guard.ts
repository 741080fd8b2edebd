import type { Command, Redis } from 'ioredis'
import { ConfigError } from '../../errors/client-errors.js'
import { ServerNotReadyError } from '../../errors/connection-errors.js'
import { Listeners } from '../../util/listeners.js'
import { ConnectionState } from './connection-state.js'
import type { Reply } from '../connection.js'
import { interceptCommands } from '../node/intercept-commands.js'
import { Request } from './request.js'

const ANOTHER_DATABASE =
  'The client of ioredis that is shared has selected another database than that of its settings'

/** The expected kind of a shared client, for errors. */
export const OWN_DATABASE = 'a client that is at the database of its settings'

const IN_TRANSACTION =
  'The client of ioredis that is shared has an open transaction (MULTI), in which Redis would only queue the request. ' +
  'Give transactions another client, or send them at once: multi() without `pipeline: false`'

/** The message for a request that Redis has queued nevertheless, so that it runs when the transaction does, if ever. */
export const QUEUED =
  'The client of ioredis that is shared has an open transaction (MULTI), in which Redis has queued the request: ' +
  'it may still run. Give transactions another client'

/** Returns whether Redis has queued a request until a transaction ends. No command of the library has this reply otherwise. */
export function isQueued(reply: Reply): boolean {
  return Buffer.isBuffer(reply) && reply.length === 6 && reply.toString() === 'QUEUED'
}

/** Returns whether a connection of the program is at another database than its settings say, as far as ioredis knows. */
export function hasSelectedAnother({ condition, options }: Redis): boolean {
  const own = options.db ?? 0
  return (condition?.select ?? own) !== own // there is no condition before the connection
}

/**
 * Refuses requests of the library while a connection of the program is at another database, or inside a transaction.
 *
 * All commands pass `sendCommand()`, even those of pipelines and those that have waited for the connection. So they are inspected there:
 * see {@link ConnectionState}.
 */
export class SharedGuard {
  /** One for each connection, however many clients share it. */
  static readonly #guards = new WeakMap<Redis, SharedGuard>()

  readonly #redis: Redis
  readonly #listeners = new Listeners()
  readonly #state: ConnectionState
  #clients = 0

  private constructor(redis: Redis) {
    this.#redis = redis
    this.#state = new ConnectionState(redis)
    this.#listeners.on(redis, 'close', () => {
      this.#state.reset()
    })
    this.#listeners.add(interceptCommands(redis, (command, send) => this.#look(command, send)))
  }

  /** Guards a connection until the listeners are removed, and for as long as other clients share it. */
  static of(redis: Redis, listeners: Listeners): SharedGuard {
    const guard = SharedGuard.#guards.get(redis) ?? new SharedGuard(redis)
    SharedGuard.#guards.set(redis, guard)
    guard.#clients += 1
    listeners.add(() => {
      guard.#release()
    })
    return guard
  }

  #release(): void {
    this.#clients -= 1
    if (this.#clients > 0) return
    SharedGuard.#guards.delete(this.#redis)
    this.#listeners[Symbol.dispose]()
  }

  /**
   * Reads the state of the connection in `CLIENT INFO`, which reflects earlier commands.
   *
   * @throws {@link ConfigError} if it is at another database than its settings say
   */
  learn(info: string): void {
    const database = Number(/\bdb=(\d+)/.exec(info)?.[1] ?? this.#own)
    if (database === this.#own) return
    this.#state.learnDatabase(database)
    if (this.#state.expected.database !== this.#own) throw new ConfigError('ioredis', OWN_DATABASE, database)
  }

  get #own(): number {
    return this.#redis.options.db ?? 0
  }

  /** Why no request of the library may be sent now. */
  get #refusal(): string | undefined {
    const { database, inTransaction, undecided } = this.#state.expected
    if (inTransaction || undecided) return IN_TRANSACTION
    const isElsewhere = database === undefined ? hasSelectedAnother(this.#redis) : database !== this.#own
    return isElsewhere ? ANOTHER_DATABASE : undefined
  }

  /** Inspects a command before it is sent. */
  #look(command: Command, send: () => unknown): unknown {
    if (!(command instanceof Request)) return this.#state.sendNoted(command, send)
    const refusal = this.#refusal
    if (refusal === undefined) return send()
    command.reject(new ServerNotReadyError(refusal))
    return command.promise
  }
}
