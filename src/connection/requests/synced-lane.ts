import { AsyncLocalStorage } from 'node:async_hooks'
import type { Redis } from 'ioredis'
import { withoutAsyncContext } from '../../util/time/without-async-context.js'
import type { Command, Confirmed } from '../connection.js'
import type { PendingCommands } from './pending-commands.js'

interface LaneOptions {
  /** A connection that is used for this lane alone. */
  readonly redis: Redis
  readonly pending: PendingCommands
  /** How many replicas have to confirm. */
  readonly replicas: number
  /** How long they may take, in milliseconds. */
  readonly withinMs: number
}

/** Sends one request. Returns a function that passes the number of replicas that confirmed it to its caller. */
type Turn = () => (replicas: Promise<number>) => void

const NOW = Promise.resolve()

/**
 * Group commit: requests to one server that need the same number of replicas to confirm them.
 *
 * `WAIT` blocks its connection, and a silent replica makes it last for its whole time. So one `WAIT` serves a group of requests. Requests that
 * arrive meanwhile form the next group. A request waits for one group at most before its own.
 *
 * Replicas confirm a group as a whole: a request is not confirmed if a later one of its group is not.
 */
export class SyncedLane {
  readonly #redis: Redis
  readonly #pending: PendingCommands
  readonly #question: Command
  #waiting: Turn[] = []
  #busy = false

  constructor({ redis, pending, replicas, withinMs }: LaneOptions) {
    this.#redis = redis
    this.#pending = pending
    this.#question = { name: 'wait', args: [replicas, withinMs] }
  }

  /**
   * Sends a request when its turn has come.
   *
   * @param send - sends before it returns, so that `WAIT` comes after it
   */
  send<T>(send: () => Promise<T>): Confirmed<T> {
    const sent = Promise.withResolvers<T>()
    const replicas = Promise.withResolvers<number>()
    const sendForCaller = AsyncLocalStorage.bind(send)
    this.#waiting.push(() => {
      sent.resolve(settled(sendForCaller))
      return replicas.resolve
    })
    if (!this.#busy) {
      this.#busy = true
      withoutAsyncContext(() => void NOW.then(() => this.#sendGroups())) // so that callers of one turn are one group
    }
    return { sent: sent.promise, replicas: replicas.promise }
  }

  async #sendGroups(): Promise<void> {
    while (this.#waiting.length > 0) {
      const group = this.#waiting
      this.#waiting = []
      const tellAll = group.map((turn) => turn())
      const replicas = this.#pending.send(this.#redis, this.#question).then(Number)
      for (const tell of tellAll) tell(replicas)
      await replicas.catch(() => undefined) // each request is notified of it
    }
    this.#busy = false
  }
}

/** Calls a function. Rejects if it throws, so that the others of its group are sent nevertheless. */
async function settled<T>(send: () => Promise<T>): Promise<T> {
  return await send()
}
