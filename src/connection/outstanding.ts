import { Command as IoredisCommand, type Cluster, type Redis } from 'ioredis'
import { ClientClosedError } from '../errors/client-errors.js'
import { ReplyTimeoutError } from '../errors/connection-errors.js'
import type { Argument, Command, Reply, SyncedReply } from './connection.js'
import { outside } from '../util/outside.js'
import { timerDelay } from '../util/timers.js'
import { translateError } from './ioredis-errors.js'

/** Who waits for an answer. */
interface Waiter {
  readonly command: string
  /** When the time is over, on the monotonic clock. */
  readonly overdueAt: number
  /** Undefined once the command has been answered. */
  reject: ((error: Error) => void) | undefined
}

/**
 * The commands that Redis still owes an answer.
 *
 * ioredis leaves some of them pending for ever: what waits in the queue of a cluster that has no slots yet, or of a
 * connection that is closed while it reconnects. Here each of them settles: in time, when its time is over, or on close.
 */
export class Outstanding {
  readonly #timeoutMs: number
  /** In the order in which they began to wait, so that the first one is overdue first. */
  readonly #waiters = new Set<Waiter>()
  /**
   * One for all: a timer for each command would cost more than all the rest here, and hardly one ever fires. It may go on
   * when nobody waits any more, and keeps no process alive; what waits is kept alive by the connection.
   */
  #timer: NodeJS.Timeout | undefined
  #closed = false

  /** @param timeoutMs - how long each command may take */
  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs
  }

  /** Sends a command. What that answers rejects with errors of ours alone. */
  send(redis: Cluster | Redis, { name, args }: Command): Promise<Reply> {
    if (this.#closed) return Promise.reject(new ClientClosedError())
    const command = new IoredisCommand(name, args as Argument[])
    const { resolve, reject } = command
    const waiter: Waiter = { command: name, overdueAt: performance.now() + this.#timeoutMs, reject }
    this.#waiters.add(waiter)
    this.#timer ??= this.#lookIn(this.#timeoutMs)
    const answer = (reply: unknown): void => {
      this.#forget(waiter)
      resolve(reply)
    }
    const fail = (error: Error): void => {
      this.#forget(waiter)
      reject(translateError(error, name))
    }
    // The command's own promise is what is waited for. Another one around it would be one more for every command there is.
    // Functions that are written where they are assigned would outlive the command: V8 makes them in its old generation.
    command.resolve = answer
    command.reject = fail
    return redis.sendCommand(command) as Promise<Reply>
  }

  /** Sends a command, and has so many replicas confirm it within `waitMs`. */
  async sendSynced(redis: Redis, command: Command, replicas: number, waitMs: number): Promise<SyncedReply> {
    const [reply, confirmed] = await Promise.all([
      this.send(redis, command),
      this.send(redis, { name: 'wait', args: [replicas, waitMs] }),
    ])
    return { reply, replicas: Number(confirmed) }
  }

  /** Sends nothing more, and rejects whatever is unanswered. */
  close(): void {
    this.#closed = true
    clearTimeout(this.#timer)
    for (const { reject } of this.#waiters) reject?.(new ClientClosedError())
    this.#waiters.clear()
  }

  #lookIn(ms: number): NodeJS.Timeout {
    return outside(() =>
      setTimeout(() => {
        this.#look()
      }, timerDelay(ms)).unref(),
    )
  }

  /** Rejects whatever is overdue, and looks again when the next one is. */
  #look(): void {
    this.#timer = undefined
    const now = performance.now()
    for (const waiter of this.#waiters) {
      if (waiter.overdueAt > now) {
        this.#timer = this.#lookIn(waiter.overdueAt - now)
        return
      }
      waiter.reject?.(new ReplyTimeoutError(waiter.command, this.#timeoutMs))
      this.#forget(waiter)
    }
  }

  /**
   * Has a waiter let go of its command too, not only the set of the waiter.
   *
   * V8 may have moved the waiter to its old generation by now, or an outgrown table of the set. What they refer to would be
   * moved there as well and stay, with all that it refers to, until the whole heap is looked through: most of a request.
   */
  #forget(waiter: Waiter): void {
    this.#waiters.delete(waiter)
    waiter.reject = undefined
  }
}
