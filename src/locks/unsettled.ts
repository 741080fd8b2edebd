import { Sleeper } from '../util/sleeper.js'
import type { LockRequest } from './lock-request.js'

/**
 * Owners of whom Redis may still get a request that nobody waits for any more: to take what its caller has given up, or to give
 * back what could not be given back at once.
 *
 * Nothing else is asked for such an owner until that is settled. Otherwise what it gets meanwhile would be given back
 * along with it, because in Redis all is one hold of the same owner.
 */
export class Unsettled {
  readonly #open = new Map<string, Promise<unknown>>()

  get isEmpty(): boolean {
    return this.#open.size === 0
  }

  /** Something of an owner is open until a promise has settled. */
  add(lock: string, owner: string, settling: Promise<unknown>): void {
    const key = keyOf(lock, owner)
    const all = Promise.allSettled([this.#open.get(key), settling])
    this.#open.set(key, all)
    void all.then(() => {
      if (this.#open.get(key) === all) this.#open.delete(key)
    })
  }

  /**
   * Waits until nothing of an owner is open any more. Answers false if that took longer than the owner is ready to wait.
   *
   * Whoever asks once and does not wait is answered by Redis all the same, and so waits for that.
   */
  async settle(lock: string, owner: string, { waitMs, deadline, signal }: LockRequest): Promise<boolean> {
    const open = this.#open.get(keyOf(lock, owner))
    if (open === undefined) return true
    const sleeper = new Sleeper()
    void open.then(() => {
      sleeper.wake()
    })
    return await sleeper.sleep(waitMs === 0 ? Infinity : deadline.within(Infinity), signal)
  }
}

function keyOf(lock: string, owner: string): string {
  return `${lock}\n${owner}`
}
