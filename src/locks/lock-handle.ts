import type { LockHold } from '../api/locks/lock.js'
import { isRedissonError } from '../errors/redisson-error.js'
import type { Entry, Hold } from './hold.js'
import type { Keeper, Taken } from './keeper.js'

/** One acquisition, as its holder sees it. */
export class LockHandle implements LockHold {
  readonly #hold: Hold
  readonly #entry: Entry
  readonly #keeper: Pick<Keeper, 'giveBack'>

  constructor({ hold, entry }: Taken, keeper: Pick<Keeper, 'giveBack'>) {
    this.#hold = hold
    this.#entry = entry
    this.#keeper = keeper
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
    return this.#keeper.giveBack(this.#hold, this.#entry)
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
