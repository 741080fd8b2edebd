import type { LockNotHeldError } from '../errors/lock-errors.js'
import type { Thread } from '../ownership/thread.js'
import type { Entry, Hold } from './hold.js'
import type { Inspection } from './lock-protocol.js'
import type { LockRequest } from './lock-request.js'

/** An entry, and the hold that it belongs to. */
export interface Taken {
  readonly hold: Hold
  readonly entry: Entry
}

/** Takes a lock for threads, and gives it back, once it is clear who is asking. */
export interface Keeper {
  /** The name of the lock, as the program gave it. */
  readonly name: string
  /** Where the lock stands among all locks; the same for every client, so that all who take several go by one order. */
  readonly place: string
  /** What a thread holds of the lock, as far as this client knows. */
  holdOf(thread: Thread): Hold | undefined
  /**
   * Takes the lock for a thread.
   *
   * @throws {@link LockTimeoutError} if it was not free in time
   */
  take(thread: Thread, request: LockRequest, how: Omit<Entry, 'renewed'>): Promise<Taken>
  /**
   * Has a lease that was renewed end after so many milliseconds, or one that is shorter last so long.
   *
   * @throws {@link LockLostError} if the lock was lost meanwhile
   */
  relet(taken: Taken, leaseMs: number): Promise<void>
  /** Renews what was taken no more, so that it ends with its lease. */
  abandon(taken: Taken): void
  /** Gives one entry back. */
  giveBack(hold: Hold, entry: Entry): Promise<void>
  /** Gives back a hold that this client knows nothing of: one that another process has taken, or that was lost. */
  giveBackFor(thread: Thread): Promise<void>
  /** Frees the lock, whoever holds it. */
  forceRelease(): Promise<boolean>
  /** Who holds the lock, and how often a thread does. */
  inspect(thread?: Thread): Promise<Inspection>
  /** The error for whoever does not hold the lock. It names who does, if Redis can be asked. */
  notHeld(owner: string | undefined, hint: string, cause?: Error): Promise<LockNotHeldError>
}
