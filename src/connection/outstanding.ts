import type { RedissonError } from '../errors/redisson-error.js'

/**
 * The calls that Redis still owes an answer.
 *
 * ioredis leaves some of them pending for ever: what waits in the queue of a cluster that has no slots yet, or of a
 * connection that is closed while it reconnects. Here each of them settles: in time, by its own deadline, or on close.
 */
export class Outstanding {
  readonly #rejecters = new Set<(error: RedissonError) => void>()

  /** The same promise, except that it also rejects after `timeoutMs`, or when everything is given up. */
  track<T>(answer: Promise<T>, timeoutMs: number, onTimeout: () => RedissonError): Promise<T> {
    return new Promise((resolve, reject) => {
      const fail = (error: Error): void => {
        clearTimeout(timer)
        this.#rejecters.delete(fail)
        reject(error)
      }
      const timer = setTimeout(() => {
        fail(onTimeout())
      }, timeoutMs)
      this.#rejecters.add(fail)
      answer.then((value) => {
        clearTimeout(timer)
        this.#rejecters.delete(fail)
        resolve(value)
      }, fail)
    })
  }

  /** Rejects whatever is unanswered. */
  giveUp(error: RedissonError): void {
    for (const reject of this.#rejecters) reject(error)
  }
}
