import { demandTurns } from '../../command/operation/command-executor.js'
import type { ObjectRequests } from '../../core/object-requests.js'
import { eitherSignal } from '../../util/abort/either-signal.js'
import { untilEnded } from '../../core/holds/ended-calls.js'
import type { EntryRooms } from '../shared/entry-objects.js'

/** The owner by which this client has acquired the lock, as scripts take it; empty without it. */
export type Held = string

/** What turns are taken with. */
export interface TurnsDeps {
  readonly requests: Pick<ObjectRequests, 'isBatch' | 'signal'>
  readonly rooms: EntryRooms
  /** The name of the lock. */
  readonly lock: string
  /** Whether scripts cannot see it: in a cluster it is in another slot than the list. Then each change is made under the lock. */
  readonly isElsewhere?: boolean
}

/** Takes turns with clients in Java, which change a sorted list under a lock: see `turn.lua`. */
export class Turns {
  readonly #deps: TurnsDeps

  constructor(deps: TurnsDeps) {
    this.#deps = deps
  }

  /**
   * Runs a script. Where it finds the lock held, it runs again under the lock; and once more if the lock was lost before it ran.
   *
   * @param attempt - returns undefined where the lock is held by another client, and nothing was changed
   */
  async take<T>(attempt: (held: Held) => Promise<T | undefined>, signal?: AbortSignal): Promise<T> {
    let result = this.#deps.isElsewhere === true ? undefined : await attempt('')
    while (result === undefined) result = await this.#underLock(attempt, signal)
    return result
  }

  async #underLock<T>(
    attempt: (held: Held) => Promise<T | undefined>,
    patience: AbortSignal | undefined,
  ): Promise<T | undefined> {
    const { requests, rooms, lock } = this.#deps
    demandTurns(requests, 'A change of what a client in Java is changing')
    let done: { readonly result: T | undefined } | undefined
    let isChanging = false
    const run = async ({ signal: lost, owner }: { readonly signal: AbortSignal; readonly owner: string }) => {
      lost.throwIfAborted()
      isChanging = true
      done = { result: await attempt(owner) }
      return done.result
    }
    const ending = requests.signal
    const signal = eitherSignal(patience, ending)
    const changed = rooms.locks.getLock(lock, {}).withLock(run, signal && { signal })
    try {
      return await untilEnded(changed, {
        signal: ending,
        request: `a change under ${lock}`,
        mayHaveRun: () => isChanging,
      })
    } catch (error) {
      if (done === undefined) throw error
      return done.result // it is done, whatever has become of the lock
    }
  }
}
