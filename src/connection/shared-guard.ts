import type { Command, Redis } from 'ioredis'
import { ConfigError } from '../errors/client-errors.js'
import { ServerNotReadyError } from '../errors/connection-errors.js'
import { Listeners } from '../util/listeners.js'
import type { Reply } from './connection.js'
import { interceptCommands } from './intercept-commands.js'
import { isReply } from './ioredis-errors.js'
import { Request } from './request.js'

/** What the program has made of a connection, as far as it was seen. */
interface State {
  /** The database that was selected last; undefined where that was before, so that ioredis alone knows. */
  readonly database: number | undefined
  /** Whether a transaction is open, in which Redis runs nothing. */
  readonly inTransaction: boolean
  /** How many commands the open transaction has. */
  readonly queued: number
  /** The databases that it selects, if Redis runs it, each with the place of its command. */
  readonly selectedInside: readonly Selected[]
  /** Whether a transaction that selects a database was sent, and Redis has not said yet whether it has run. */
  readonly undecided: boolean
}

/** A database that a command of a transaction selects. */
interface Selected {
  readonly place: number
  readonly database: number
}

const FRESH: State = {
  database: undefined,
  inTransaction: false,
  queued: 0,
  selectedInside: [],
  undecided: false,
}

/** A command that was sent, and that Redis has not answered yet. */
interface Sent {
  readonly command: Command
  /** The database that ioredis had taken for selected before. */
  selected: number | undefined
  /** What the commands of the transaction have returned that it has run. */
  replies?: readonly unknown[]
}

/** How Redis has answered; `aborted` is a transaction that it has ended, and not run. */
type Answer = 'done' | 'refused' | 'aborted'

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
 * are looked at, in the order in which they are sent. What ioredis refuses, or keeps for later, is not sent, and changes nothing.
 */
export class SharedGuard {
  /** One for each connection, however many clients share it. */
  static readonly #guards = new WeakMap<Redis, SharedGuard>()

  readonly #redis: Redis
  readonly #listeners = new Listeners()
  readonly #unanswered = new Set<Sent>()
  #clients = 0
  /** What the last answer has left. */
  #known = FRESH
  /** What it will be if Redis refuses nothing of what was sent. */
  #state = FRESH

  private constructor(redis: Redis) {
    this.#redis = redis
    this.#listeners.on(redis, 'close', () => {
      this.#unanswered.clear()
      this.#known = FRESH
      this.#state = FRESH
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
   * Takes note of what Redis says of the connection in `CLIENT INFO`, which knows of commands from before.
   *
   * @throws {@link ConfigError} if it is at another database than its settings say
   */
  learn(info: string): void {
    const database = Number(/\bdb=(\d+)/.exec(info)?.[1] ?? this.#own)
    if (database === this.#own) return
    if (this.#known.database === undefined) {
      this.#known = { ...this.#known, database }
      this.#foresee()
    }
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

  /** Looks at a command before it is sent. */
  #look(command: Command, send: () => unknown): unknown {
    if (!(command instanceof Request)) return this.#noting(command, send)
    const refusal = this.#refusal
    if (refusal === undefined) return send()
    command.reject(new ServerNotReadyError(refusal))
    return command.promise
  }

  /** Takes note of a command that matters, and of all in a transaction, whose places count, if it is written to the connection. */
  #noting<T>(command: Command, send: () => T): T {
    if (!matters(command) && !this.#state.inTransaction) return send()
    const write: Command['toWritable'] = (socket) => {
      Reflect.deleteProperty(command, 'toWritable')
      this.#note({ command, selected: this.#redis.condition?.select })
      return command.toWritable(socket)
    }
    command.toWritable = write
    try {
      return send()
    } finally {
      if (command.toWritable === write) Reflect.deleteProperty(command, 'toWritable')
    }
  }

  /** One without a reply may have run: it counts for as long as the connection lasts. */
  #note(sent: Sent): void {
    this.#unanswered.add(sent)
    this.#state = stateAfter(sent, this.#state)
    const { command } = sent
    const { resolve, reject } = command
    command.resolve = (reply) => {
      if (Array.isArray(reply)) sent.replies = reply
      this.#learnAnswer(sent, reply === null ? 'aborted' : 'done')
      resolve(reply)
    }
    command.reject = (error) => {
      if (isReply(error)) this.#learnAnswer(sent, 'refused')
      reject(error)
    }
  }

  #learnAnswer(sent: Sent, answer: Answer): void {
    if (!this.#unanswered.delete(sent)) return // it was sent over an earlier connection
    this.#known = stateAfter(sent, this.#known, answer)
    if (answer === 'refused' && nameOf(sent.command) === 'select') this.#unselect(sent)
    if (answer !== 'done' || this.#state.undecided) this.#foresee()
  }

  #foresee(): void {
    this.#state = this.#known
    for (const sent of this.#unanswered) this.#state = stateAfter(sent, this.#state)
  }

  /**
   * ioredis takes a database for selected as soon as it has asked for it, and would select it again over the next connection. It has
   * asked for another where a later `SELECT` is under way.
   */
  #unselect({ selected }: Sent): void {
    const next = [...this.#unanswered].find(({ command }) => nameOf(command) === 'select')
    const { condition } = this.#redis
    if (next !== undefined) next.selected = selected
    else if (condition !== null && selected !== undefined) condition.select = selected
  }
}

function nameOf({ name }: Command): string {
  return name.length > LONGEST_NAME ? '' : name.toLowerCase()
}

const CHANGES = /^(?:select|multi|exec|discard|reset)$/

/** Whether a command can change the state. */
function matters(command: Command): boolean {
  return CHANGES.test(nameOf(command))
}

/** A database as Redis reads it: `00` is none. */
const DATABASE = /^(?:0|[1-9]\d*)$/

/** Whether Redis is going to refuse a command for its arguments. An `EXEC` ends its transaction even so. */
function isMalformed({ args }: Command, name: string): boolean {
  if (name === 'exec' || !CHANGES.test(name)) return false
  return name === 'select' ? args.length !== 1 || !DATABASE.test(String(args[0])) : args.length > 0
}

/**
 * What a command makes of a connection. One that Redis refuses changes nothing, except that a refused `EXEC` ends its transaction.
 *
 * @param answer - none where it is still to come
 */
function stateAfter({ command, selected, replies = [] }: Sent, state: State, answer?: Answer): State {
  const name = nameOf(command)
  if (answer === 'refused' && name !== 'exec') return state
  if (isMalformed(command, name)) return state.inTransaction ? queuedOne(state) : state
  switch (name) {
    case 'select': {
      const database = Number(String(command.args[0]))
      if (!state.inTransaction) return { ...state, database, undecided: false }
      const selectedInside = [...state.selectedInside, { place: state.queued, database }]
      return { ...queuedOne(state), selectedInside, database: state.database ?? selected }
    }
    case 'multi':
      return state.inTransaction ? state : { ...state, ...NOTHING_QUEUED, inTransaction: true }
    case 'exec': {
      const { database, selectedInside, undecided } = state
      const last = selectedInside.findLast(({ place }) => !(replies[place] instanceof Error))
      return {
        ...NOTHING_QUEUED,
        database: answer === 'done' && last !== undefined ? last.database : database,
        inTransaction: false,
        undecided: answer === undefined && (undecided || selectedInside.length > 0),
      }
    }
    case 'discard':
      return { ...state, ...NOTHING_QUEUED, inTransaction: false }
    case 'reset':
      return { ...FRESH, database: 0 }
    default:
      return state.inTransaction ? queuedOne(state) : state
  }
}

const NOTHING_QUEUED: Pick<State, 'queued' | 'selectedInside'> = { queued: 0, selectedInside: [] }

function queuedOne(state: State): State {
  return { ...state, queued: state.queued + 1 }
}
