import { Command as IoredisCommand, type Cluster, type Redis } from 'ioredis'
import { ClientClosedError } from '../errors/client-errors.js'
import { ReplyTimeoutError } from '../errors/connection-errors.js'
import type { Command, Reply } from './connection.js'
import { translateError } from './ioredis-errors.js'

/**
 * The commands that Redis still owes an answer.
 *
 * ioredis leaves some of them pending for ever: what waits in the queue of a cluster that has no slots yet, or of a
 * connection that is closed while it reconnects. Here each of them settles: in time, by its own deadline, or on close.
 */
export class Outstanding {
  readonly #rejecters = new Set<(error: unknown) => void>()
  #closed = false

  /** Sends a command, and waits so long for the answer. It rejects with errors of ours alone. */
  send(redis: Cluster | Redis, { name, args }: Command, timeoutMs: number): Promise<Reply> {
    // One promise by hand, because this is done for every command there is.
    return new Promise((resolve, reject) => {
      if (this.#closed) throw new ClientClosedError()
      const answer = redis.sendCommand(new IoredisCommand(name, [...args])) as Promise<Reply>
      const fail = (error: unknown): void => {
        clearTimeout(timer)
        this.#rejecters.delete(fail)
        reject(translateError(error, name))
      }
      const timer = setTimeout(() => {
        fail(new ReplyTimeoutError(name, timeoutMs))
      }, timeoutMs)
      this.#rejecters.add(fail)
      answer.then((reply) => {
        clearTimeout(timer)
        this.#rejecters.delete(fail)
        resolve(reply)
      }, fail)
    })
  }

  /** Sends nothing more, and rejects whatever is unanswered. */
  close(): void {
    this.#closed = true
    for (const reject of this.#rejecters) reject(new ClientClosedError())
  }
}
