import type {
  Apart,
  Command,
  Confirmed,
  Connection,
  Key,
  Outcome,
  Reply,
} from '../../connection/connection.js'
import { NotSentError } from '../../errors/not-sent.js'
import type { RedissonError } from '../../errors/redisson-error.js'
import { outcomeOf } from '../../util/outcome-of.js'
import type { BatchEntry } from './batch-entry.js'
import type { Send } from '../operation/transmission.js'

/** The operations of a batch that go to one slot. */
export type BatchPart = EachPart | AtomicPart

/** Those that settle each by itself. */
export type EachPart = SharedPart | ApartPart

interface Part {
  readonly entries: BatchEntry[]
  /** The first key; undefined where no operation has one. */
  readonly key: Key | undefined
  /** What the requests of the part send by. */
  readonly deliver: Send<Reply>
}

/** The operations of a batch that go the way of all requests. */
export class SharedPart implements Part {
  readonly entries: BatchEntry[] = []
  readonly key: Key | undefined
  readonly #connection: Pick<Connection, 'send' | 'sendAll'>
  readonly #timeoutMs: number | undefined

  constructor(
    key: Key | undefined,
    connection: Pick<Connection, 'send' | 'sendAll'>,
    timeoutMs: number | undefined,
  ) {
    this.key = key
    this.#connection = connection
    this.#timeoutMs = timeoutMs
  }

  readonly deliver = (command: Command): Promise<Reply> =>
    this.#connection.send({ ...command, timeoutMs: this.#timeoutMs })

  sendAll(commands: readonly Command[]): Promise<readonly Outcome[]> {
    return this.#connection.sendAll(commands, this.key, this.#timeoutMs)
  }
}

/** The operations of a batch that go over a connection of their own, as replicas have to confirm them. */
export class ApartPart implements Part {
  readonly entries: BatchEntry[] = []
  readonly key: Key | undefined
  readonly #replicas: number
  readonly #timeoutMs: number | undefined
  #apart: Apart | undefined
  #finding: Promise<Apart> | undefined

  constructor(key: Key | undefined, replicas: number, timeoutMs: number | undefined) {
    this.key = key
    this.#replicas = replicas
    this.#timeoutMs = timeoutMs
  }

  readonly deliver = (command: Command): Promise<Reply> =>
    this.#send({ ...command, timeoutMs: this.#timeoutMs })

  sendAll(commands: readonly Command[]): Promise<readonly Outcome[]> {
    return Promise.all(commands.map((command) => outcomeOf<Reply, RedissonError>(this.deliver(command))))
  }

  /** Finds the connection. Where there is none, whatever is sent rejects with the reason. */
  async find(connection: Pick<Connection, 'apart'>): Promise<void> {
    this.#apart = undefined
    this.#finding = connection.apart(this.key, this.#replicas)
    const [found] = await Promise.allSettled([this.#finding])
    if (found.status === 'fulfilled') this.#apart = found.value
  }

  /** Sends something when its turn has come, and has the replicas confirm it. */
  confirmed<T>(send: () => Promise<T>): Confirmed<T> {
    return this.#apart === undefined
      ? { sent: send(), replicas: Promise.reject(noConnection()) }
      : this.#apart.confirmed(send)
  }

  #send(command: Command): Promise<Reply> {
    if (this.#apart !== undefined) return this.#apart.send(command)
    if (this.#finding === undefined) return Promise.reject(noConnection())
    return this.#finding.then((apart) => apart.send(command))
  }
}

function noConnection(): NotSentError {
  return new NotSentError('There is no connection to Redis yet')
}

/** The operations of a batch that run as one step. */
export class AtomicPart implements Part {
  readonly entries: BatchEntry[] = []
  readonly key: Key | undefined

  constructor(key: Key | undefined) {
    this.key = key
  }

  readonly deliver = (): Promise<Reply> =>
    Promise.reject(new NotSentError('The transaction was sent already'))
}
