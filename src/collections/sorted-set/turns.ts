import type { EntryRooms } from '../shared/entry-objects.js'

/** The owner by which this client has acquired the lock, as scripts take it; empty without it. */
export type Held = string

/** Takes turns with clients in Java, which change a sorted set under a lock: see `turn.lua`. */
export class Turns {
  readonly #rooms: EntryRooms
  readonly #lock: string

  constructor(rooms: EntryRooms, lock: string) {
    this.#rooms = rooms
    this.#lock = lock
  }

  /**
   * Runs a script. Where it finds the lock held, it runs again under the lock; and once more if the lock was lost before it ran.
   *
   * @param attempt - returns undefined where the lock is held by another client, and nothing was changed
   */
  async take<T>(attempt: (held: Held) => Promise<T | undefined>, signal?: AbortSignal): Promise<T> {
    let result = await attempt('')
    while (result === undefined) result = await this.#underLock(attempt, signal)
    return result
  }

  async #underLock<T>(
    attempt: (held: Held) => Promise<T | undefined>,
    signal: AbortSignal | undefined,
  ): Promise<T | undefined> {
    let done: { readonly result: T | undefined } | undefined
    const run = async ({ signal: lost, owner }: { readonly signal: AbortSignal; readonly owner: string }) => {
      lost.throwIfAborted()
      done = { result: await attempt(owner) }
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
