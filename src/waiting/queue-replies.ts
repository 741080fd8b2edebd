import type { Comer } from './own-time.js'

/**
 * What Redis has said to those of a queue who ask, for those who stand behind them.
 *
 * Who came while a request was under way, and has seen no reply, knows nothing of what it waits for. Any other has stood behind one who was
 * refused, or has got it.
 */
export class QueueReplies {
  #isTold: boolean
  /** When the request began that is under way, on the monotonic clock. */
  #askingSince: number | undefined

  /** @param isTold - whether Redis has refused the one that opened the queue */
  constructor(isTold = false) {
    this.#isTold = isTold
  }

  /** Makes a request for the queue. */
  async ask<T>(request: () => Promise<T>): Promise<T> {
    this.#askingSince = performance.now()
    try {
      const answer = await request()
      this.#isTold = true
      return answer
    } finally {
      this.#askingSince = undefined
    }
  }

  /** Whether nothing was said since someone came. */
  isSilentFor({ cameAt }: Comer): boolean {
    return !this.#isTold || (this.#askingSince !== undefined && this.#askingSince <= cameAt)
  }
}
