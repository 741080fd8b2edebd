import type { Command, Redis } from 'ioredis'
import { ConfigError } from '../errors/client-errors.js'
import { ServerNotReadyError } from '../errors/connection-errors.js'
import { Listeners } from '../util/listeners.js'
import type { Reply } from './connection.js'
import { isReply } from './ioredis-errors.js'
import { Request } from './request.js'

/** What the program has made of a connection, as far as it was seen. */
interface State {
  /** The database that was selected last; undefined where that was before, so that ioredis alone knows. */
  readonly database: number | undefined
  /** Whether a transaction is open, in which Redis runs nothing. */
  readonly inTransaction: boolean
  /** The database that the open transaction selects, if Redis runs it. */
  readonly selectedInside: number | undefined
  /** Whether a transaction that selects a database was sent, and Redis has not said yet whether it has run. */
  readonly undecided: boolean
}

const FRESH: State = {
  database: undefined,
  inTransaction: false,
  selectedInside: undefined,
  undecided: false,
}

/** No command that changes the state has a longer name. */
const LONGEST_NAME = 'discard'.length

const ANOTHER_DATABASE =
  'The client of ioredis that is shared has selected another database than that of its settings'

/** What a shared client has to be when it is given. */
export const OWN_DATABASE = 'a client that is at the database of its settings'

const IN_TRANSACTION =
  'The client of ioredis that is shared has an open transaction (MULTI), in which Redis would only queue the request. ' +
  'Give transactions another client, or send them at once: multi() without `pipeline: false`'

/** What to say of a request that Redis has queued nevertheless, so that it runs when the transaction does, if ever. */
export const QUEUED =
  'The client of ioredis that is shared has an open transaction (MULTI), in which Redis has queued the request: ' +
  'it may still run. Give transactions another client'

/** Whether Redis has put a request off until a transaction ends. No command of the library has this reply otherwise. */
export function isQueued(reply: Reply): boolean {
  return Buffer.isBuffer(reply) && reply.length === 6 && reply.toString() === 'QUEUED'
}

/** Whether a connection of the program is at another database than its settings say, as far as ioredis knows. */
export function hasSelectedAnother({ condition, options }: Redis): boolean {
  const own = options.db ?? 0
  return (condition?.select ?? own) !== own // there is no condition before the connection
}

/**
 * Keeps requests of the library off a connection of the program that is at another database, or inside a transaction.
 *
 * ioredis notices `select()`, but not `call('SELECT', 1)` or `call('RESET')`, and no transaction. All of them pass its
 * `sendCommand()`, the one way to a connection, also for pipelines and for what has waited for the connection. So that is where they
 * are looked at, in the order in which they are sent.
 */
export class SharedGuard {
  /** One for each connection, however many clients share it. */
  static readonly #guards = new WeakMap<Redis, SharedGuard>()

  readonly #redis: Redis
  readonly #listeners = new Listeners()
  #clients = 0
  #state = FRESH

  private constructor(redis: Redis) {
    this.#redis = redis
    this.#listeners.on(redis, 'close', () => {
      this.#state = FRESH
    })
    this.#listeners.add(this.#intercept())
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
   * Takes note of what Redis says of the connection in `CLIENT INFO`, which knows of commands from before.
   *
   * @throws {@link ConfigError} if it is at another database than its settings say
   */
  learn(info: string): void {
    const database = Number(/\bdb=(\d+)/.exec(info)?.[1] ?? this.#own)
    if (database === this.#own) return
    if (this.#state.database === undefined) this.#state = { ...this.#state, database }
    if (this.#state.database !== this.#own) throw new ConfigError('ioredis', OWN_DATABASE, database)
  }

  get #own(): number {
    return this.#redis.options.db ?? 0
  }

  /** Why nothing of the library may be sent now. */
  get #refusal(): string | undefined {
    const { database, inTransaction, undecided } = this.#state
    if (inTransaction || undecided) return IN_TRANSACTION
    const isElsewhere = database === undefined ? hasSelectedAnother(this.#redis) : database !== this.#own
    return isElsewhere ? ANOTHER_DATABASE : undefined
  }

  /** Looks at each command before it is sent. Returns how to stop that; the method is as it was then. */
  #intercept(): () => void {
    const redis = this.#redis
    const own = Object.getOwnPropertyDescriptor(redis, 'sendCommand')
    const prototype = Object.getPrototypeOf(redis) as Redis
    const send = (...args: Parameters<Redis['sendCommand']>) =>
      ((own?.value ?? prototype.sendCommand) as Redis['sendCommand']).apply(redis, args)
    let stopped = false
    const guarded: Redis['sendCommand'] = (...args) => {
      const [command] = args
      if (stopped) return send(...args)
      if (!(command instanceof Request)) this.#note(command)
      else {
        const refusal = this.#refusal
        if (refusal !== undefined) {
          command.reject(new ServerNotReadyError(refusal))
          return command.promise
        }
      }
      return send(...args)
    }
    Object.defineProperty(redis, 'sendCommand', { value: guarded, configurable: true, writable: true })
    return () => {
      stopped = true
      if (redis.sendCommand !== guarded) return // it has been wrapped in turn
      if (own === undefined) Reflect.deleteProperty(redis, 'sendCommand')
      else Object.defineProperty(redis, 'sendCommand', own)
    }
  }

  #note(command: Command): void {
    const before = this.#state
    const after = stateAfter(command, before)
    if (after === undefined) return
    this.#state = after
    if (after.undecided && !before.undecided) this.#decide(command, before.selectedInside)
    else if (!isEnd(command)) this.#restore(command, before, after)
  }

  /**
   * A command that Redis refuses changes nothing. One without a reply may have run.
   *
   * ioredis takes a database for selected as soon as it has asked for it, and would select it again over the next connection.
   */
  #restore(command: Command, before: State, after: State): void {
    const { reject } = command
    const selected = this.#redis.condition?.select
    command.reject = (error) => {
      if (this.#state === after && isReply(error)) {
        this.#state = before
        const { condition } = this.#redis
        if (condition !== null && selected !== undefined) condition.select = selected
      }
      reject(error)
    }
  }

  /** The database that a transaction selects counts once it has run: Redis may abort it. */
  #decide(command: Command, selected: number | undefined): void {
    const { resolve, reject } = command
    command.resolve = (reply) => {
      if (reply !== null && this.#state.undecided) this.#state = { ...this.#state, database: selected }
      this.#state = { ...this.#state, undecided: false }
      resolve(reply)
    }
    command.reject = (error) => {
      if (isReply(error)) this.#state = { ...this.#state, undecided: false }
      reject(error)
    }
  }
}

/** Whether a command ends a transaction, even if Redis refuses it: an `EXEC` that it aborts has ended it as well. */
function isEnd({ name }: Command): boolean {
  return /^(?:exec|discard)$/i.test(name)
}

/** What a command makes of a connection; undefined where it changes nothing that matters. */
function stateAfter({ name, args }: Command, state: State): State | undefined {
  if (name.length > LONGEST_NAME) return undefined
  switch (name.toLowerCase()) {
    case 'select': {
      const selected = Number(String(args[0]))
      return state.inTransaction
        ? { ...state, selectedInside: selected }
        : { ...state, database: selected, undecided: false }
    }
    case 'multi':
      return { ...state, inTransaction: true, selectedInside: undefined }
    case 'exec':
      return {
        ...state,
        inTransaction: false,
        undecided: state.undecided || state.selectedInside !== undefined,
      }
    case 'discard':
      return { ...state, inTransaction: false, selectedInside: undefined }
    case 'reset':
      return { ...FRESH, database: 0 }
    default:
      return undefined
  }
}
