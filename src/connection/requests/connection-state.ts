import type { Command, Redis } from 'ioredis'
import { isReply } from '../login/ioredis-errors.js'

/** What the program has made of a connection, as far as it was seen. */
export interface State {
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

/**
 * What the program has made of a connection that it shares.
 *
 * ioredis notices `select()`, but not `call('SELECT', 1)` or `call('RESET')`, and no transaction. So all commands are looked at in the order
 * in which they are sent. What ioredis refuses, or keeps for later, is not sent, and changes nothing.
 */
export class ConnectionState {
  readonly #redis: Redis
  readonly #unanswered = new Set<Sent>()
  /** What the last answer has left. */
  #known = FRESH
  /** What it will be if Redis refuses nothing of what was sent. */
  #state = FRESH

  constructor(redis: Redis) {
    this.#redis = redis
  }

  /** What it is as soon as Redis has run what was sent, unless it refuses some of that. */
  get expected(): State {
    return this.#state
  }

  /** The connection has ended; the next one has nothing of it. */
  reset(): void {
    this.#unanswered.clear()
    this.#known = FRESH
    this.#state = FRESH
  }

  /** Takes note of the database that Redis says, unless a command that was seen has selected one. */
  learnDatabase(database: number): void {
    if (this.#known.database !== undefined) return
    this.#known = { ...this.#known, database }
    this.#foresee()
  }

  /** Sends a command. If it is written to the connection, it is noted if it matters, and in a transaction anyway, because places count there. */
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
