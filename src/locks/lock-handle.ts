import type { LockHold } from '../api/locks/lock.js'
import { isRedissonError } from '../errors/redisson-error.js'
import type { Entry, Hold } from './hold.js'

/** Gives one entry of a hold back. */
export type GiveBack = (hold: Hold, entry: Entry) => Promise<void>

/** One acquisition, as its holder sees it. */
export class LockHandle implements LockHold {
  readonly #hold: Hold
  readonly #entry: Entry
  readonly #giveBack: GiveBack

  constructor(hold: Hold, entry: Entry, giveBack: GiveBack) {
    this.#hold = hold
    this.#entry = entry
    this.#giveBack = giveBack
  }

  get name(): string {
    return this.#hold.lock
  }

  get threadId(): string {
    return this.#hold.thread.id
  }

  get owner(): string {
    return this.#hold.thread.owner
  }

  get fencingToken(): number | undefined {
    return this.#hold.token
  }

  get isHeld(): boolean {
    return this.#hold.has(this.#entry) && this.#hold.lost === undefined
  }

  get signal(): AbortSignal {
    return this.#hold.signal
  }

  unlock(): Promise<void> {
    return this.#giveBack(this.#hold, this.#entry)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#hold.has(this.#entry)) return
    try {
      await this.unlock()
    } catch (error) {
      if (!isRedissonError(error, 'NOT_HELD')) throw error
    }
  }
}
