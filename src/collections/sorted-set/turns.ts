import type { EntryRooms } from '../shared/entry-objects.js'

/** Whether this client has acquired the lock, as scripts take it. */
export type Held = 0 | 1

/** Takes turns with clients in Java, which change a sorted set under a lock: see `turn.lua`. */
export class Turns {
  readonly #rooms: EntryRooms
  readonly #lock: string

  constructor(rooms: EntryRooms, lock: string) {
    this.#rooms = rooms
    this.#lock = lock
  }

  /**
   * Runs a script. Where it finds the lock held, it runs again under the lock.
   *
   * @param attempt - returns undefined where the lock is held by another client, and nothing was changed
   */
  async take<T>(attempt: (held: Held) => Promise<T | undefined>, signal?: AbortSignal): Promise<T> {
    const result = await attempt(0)
    return result === undefined ? await this.#underLock(attempt, signal) : result
  }

  async #underLock<T>(
    attempt: (held: Held) => Promise<T | undefined>,
    signal: AbortSignal | undefined,
  ): Promise<T> {
    let done: { readonly result: T } | undefined
    const run = async (held: { readonly signal: AbortSignal }) => {
      held.signal.throwIfAborted()
      done = { result: (await attempt(1)) as T }
      return done.result
    }
    try {
      return await this.#rooms.locks.getLock(this.#lock, {}).withLock(run, signal && { signal })
    } catch (error) {
      if (done === undefined) throw error
      return done.result // it is done, whatever has become of the lock
    }
  }
}
