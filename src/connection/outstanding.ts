import { Command as IoredisCommand, type Cluster, type Redis } from 'ioredis'
import { ClientClosedError } from '../errors/client-errors.js'
import { ReplyTimeoutError } from '../errors/connection-errors.js'
import type { Argument, Command, Reply, SyncedReply } from './connection.js'
import { translateError } from './ioredis-errors.js'

/**
 * The commands that Redis still owes an answer.
 *
 * ioredis leaves some of them pending for ever: what waits in the queue of a cluster that has no slots yet, or of a
 * connection that is closed while it reconnects. Here each of them settles: in time, by its own deadline, or on close.
 */
export class Outstanding {
  readonly #timeoutMs: number
  readonly #rejecters = new Set<(error: unknown) => void>()
  #closed = false

  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs
  }

  /** Sends a command, and waits so long for the answer. It rejects with errors of ours alone. */
  send(redis: Cluster | Redis, { name, args }: Command, timeoutMs = this.#timeoutMs): Promise<Reply> {
    if (this.#closed) return Promise.reject(new ClientClosedError())
    const command = new IoredisCommand(name, args as Argument[])
    const { resolve, reject } = command
    const settled = (): void => {
      clearTimeout(timer)
      this.#rejecters.delete(fail)
    }
    const fail = (error: unknown): void => {
      settled()
      reject(translateError(error, name))
    }
    const timer = setTimeout(() => {
      fail(new ReplyTimeoutError(name, timeoutMs))
    }, timeoutMs)
    this.#rejecters.add(fail)
    // The command's own promise is what is waited for. Another one around it would cost as much as all the rest here.
    command.resolve = (reply) => {
      settled()
      resolve(reply)
    }
    command.reject = fail
    return redis.sendCommand(command) as Promise<Reply>
  }

  /** Sends a command, and has so many replicas confirm it within `waitMs`; the answers have so much more time. */
  async sendSynced(redis: Redis, command: Command, replicas: number, waitMs: number): Promise<SyncedReply> {
    const patienceMs = this.#timeoutMs + waitMs
    const [reply, confirmed] = await Promise.all([
      this.send(redis, command, patienceMs),
      this.send(redis, { name: 'wait', args: [replicas, waitMs] }, patienceMs),
    ])
    return { reply, replicas: Number(confirmed) }
  }

  /** Sends nothing more, and rejects whatever is unanswered. */
  close(): void {
    this.#closed = true
    for (const reject of this.#rejecters) reject(new ClientClosedError())
  }
}
