import { AsyncLocalStorage } from 'node:async_hooks'
import type { Redis } from 'ioredis'
import { withoutAsyncContext } from '../util/without-async-context.js'
import type { Command, Confirmed } from './connection.js'
import type { PendingCommands } from './pending-commands.js'

interface LaneOptions {
  /** The connection, over which nothing else waits for replicas. */
  readonly redis: Redis
  readonly pending: PendingCommands
  /** How many replicas have to confirm. */
  readonly replicas: number
  /** How long they may take, in milliseconds. */
  readonly withinMs: number
}

/** Sends one request. Returns what tells its caller how many replicas have confirmed it. */
type Turn = () => (replicas: Promise<number>) => void

const NOW = Promise.resolve()

/**
 * What has to be confirmed by the same number of replicas, at one server.
 *
 * `WAIT` blocks its connection, and lasts for all of its time where a replica is silent. So there is one for a whole group: what comes while
 * it is under way is sent together when it is over, with the next one. A request waits for no more than one group before its own.
 *
 * The replicas confirm a group as a whole, so that one request is not confirmed if a later one of its group is not.
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
   * Sends when its turn has come.
   *
   * @param send - sends before it returns, so that the question to the replicas comes after it
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
      await replicas.catch(() => undefined) // each of them hears of it
    }
    this.#busy = false
  }
}

/** Calls a function. Rejects if it throws, so that the others of its group are sent all the same. */
async function settled<T>(send: () => Promise<T>): Promise<T> {
  return await send()
}
