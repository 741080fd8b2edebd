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
  async track<T>(answer: Promise<T>, timeoutMs: number, onTimeout: () => RedissonError): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    const timer = setTimeout(() => {
      reject(onTimeout())
    }, timeoutMs)
    this.#rejecters.add(reject)
    answer.then(resolve, reject)
    try {
      return await promise
    } finally {
      clearTimeout(timer)
      this.#rejecters.delete(reject)
    }
  }

  /** Rejects whatever is unanswered. */
  giveUp(error: RedissonError): void {
    for (const reject of this.#rejecters) reject(error)
  }
}
