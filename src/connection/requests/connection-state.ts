import type { Command, Redis } from 'ioredis'
import { isReply } from '../login/ioredis-errors.js'

/** The state into which the program has brought a connection, as far as it was seen. */
export interface State {
  /** The database that was selected last. Undefined if that was before commands were inspected, so that only ioredis knows it. */
  readonly database: number | undefined
  /** Whether a transaction is open, so that Redis only queues commands. */
  readonly inTransaction: boolean
  /** How many commands the open transaction has. */
  readonly queued: number
  /** The databases that the transaction selects if Redis runs it, each with the position of its command. */
  readonly selectedInside: readonly Selected[]
  /** Whether a transaction that selects a database was sent, and its outcome is not known yet. */
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

/** A command that was sent and has no reply yet. */
interface Sent {
  readonly command: Command
  /** The database that ioredis regarded as selected before. */
  selected: number | undefined
  /** For `EXEC`, the replies to the commands of the transaction. */
  replies?: readonly unknown[]
}

/** How Redis has replied. `aborted` means that it has ended a transaction without running it. */
type Answer = 'done' | 'refused' | 'aborted'

/** No command that changes the state has a longer name. */
const LONGEST_NAME = 'discard'.length

/**
 * Tracks the state of a connection that the program shares.
 *
 * ioredis notices `select()`, but neither `call('SELECT', 1)` nor `call('RESET')` nor transactions. So all commands are inspected in the
 * order in which they are sent. Commands that ioredis refuses, or keeps for later, are not sent and change nothing.
 */
export class ConnectionState {
  readonly #redis: Redis
  readonly #unanswered = new Set<Sent>()
  /** The state after the last reply. */
  #known = FRESH
  /** The state if Redis refuses nothing of what was sent. */
  #state = FRESH

  constructor(redis: Redis) {
    this.#redis = redis
  }

  /** The state once Redis has run what was sent, if it refuses nothing of that. */
  get expected(): State {
    return this.#state
  }

  /** Forgets the state, because the connection has ended. The next one starts afresh. */
  reset(): void {
    this.#unanswered.clear()
    this.#known = FRESH
    this.#state = FRESH
  }

  /** Sets the database that Redis reports, unless a command that was seen has selected one. */
  learnDatabase(database: number): void {
    if (this.#known.database !== undefined) return
    this.#known = { ...this.#known, database }
    this.#foresee()
  }

  /**
   * Sends a command. It is noted when it is written to the connection, if it can change the state. In a transaction every command is noted,
   * because positions count there.
   */
  sendNoted<T>(command: Command, send: () => T): T {
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

  /** Notes a command that was sent. Without a reply it may have run, so it counts for as long as the connection lasts. */
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
   * Restores the database that ioredis regards as selected, after a refused `SELECT`.
   *
   * ioredis regards a database as selected as soon as it has sent the command, and would select it again over the next connection. If a
   * later `SELECT` is under way, ioredis already regards that one's database as selected.
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

/** Returns whether a command can change the state. */
function matters(command: Command): boolean {
  return CHANGES.test(nameOf(command))
}

/** A database as Redis reads it: `00` is none. */
const DATABASE = /^(?:0|[1-9]\d*)$/

/** Returns whether Redis will refuse a command because of its arguments. A malformed `EXEC` ends its transaction nevertheless. */
function isMalformed({ args }: Command, name: string): boolean {
  if (name === 'exec' || !CHANGES.test(name)) return false
  return name === 'select' ? args.length !== 1 || !DATABASE.test(String(args[0])) : args.length > 0
}

/**
 * Returns the state after a command. A refused command changes nothing, except that a refused `EXEC` ends its transaction.
 *
 * @param answer - undefined while there is no reply
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
