import type { LockLostError, LockNotHeldError } from '../../../errors/lock-errors.js'
import type { Thread } from '../../../ownership/thread.js'
import type { Entry, Hold } from '../hold/hold.js'
import type { LockName } from '../hold/lock-names.js'
import type { Inspection } from './lock-driver.js'
import type { LockRequest } from './lock-request.js'

/** An entry, and the hold that it belongs to. */
export interface Acquisition {
  readonly hold: Hold
  readonly entry: Entry
}

/** Takes a lock for threads, and releases it, once it is clear who is asking. */
export interface LockEngine {
  readonly name: LockName
  /** What traces call it: the same as its holds. */
  readonly kind: string
  /** Its key in Redis; with commas between them, where it is several. */
  readonly keys: string
  /** Where it is in Redis, as `host:port` or in words; with commas between them, where these are several. */
  readonly place: string
  /**
   * Where the lock stands among all locks; the same for every client, so that all who take several go by one order. Undefined
   * for a lock that has no place, because it is at several.
   */
  readonly orderKey: string | undefined
  /** The place of its key in Redis, which locks may share: those of values of one group do. Undefined where it has no place. */
  readonly redisOrderKey: string | undefined
  /** Of each client that takes the lock or a part of it: aborts as soon as its shutdown begins. */
  readonly closing: readonly AbortSignal[]
  /** Whether too many of these clients are shutting down for the lock to be taken. */
  readonly isClosing: boolean
  /** Whether a lease may have ended by the clock before what has arrived was read, which may renew it. */
  readonly isBehind: boolean
  /** What a thread holds of the lock, as far as this client knows. */
  holdOf(thread: Thread): Hold | undefined
  /** Whether an `unlock()` of a thread has still to learn that its hold was lost. */
  owesUnlock(thread: Thread): boolean
  /**
   * Takes the lock for a thread.
   *
   * @throws {@link LockTimeoutError} if it was not free in time
   */
  acquire(thread: Thread, request: LockRequest, how: Omit<Entry, 'renewed'>): Promise<Acquisition>
  /**
   * Makes a lease that was renewed end after that number of milliseconds, or a shorter one last that long.
   *
   * @throws {@link LockLostError} if the lock was lost meanwhile
   */
  setLease(taken: Acquisition, leaseMs: number): Promise<void>
  /**
   * Makes a lease last at least that long from now on; without a time, as long as the watchdog renews it.
   *
   * @throws {@link LockLostError} if the lock was lost
   * @throws {@link LockNotHeldError} if it was released
   */
  extend(taken: Acquisition, leaseMs: number | undefined): Promise<void>
  /** Renews what was taken no more, so that it ends with its lease. */
  stopRenewal(taken: Acquisition): void
  /** Gives one entry back. */
  release(hold: Hold, entry: Entry): Promise<void>
  /**
   * Gives one entry back at the end of its function or block, and waits for that only so long; without a time, as long as the client says.
   *
   * @returns the loss, if it was lost before
   */
  end(taken: Acquisition, waitMs?: number): Promise<LockLostError | undefined>
  /**
   * Ends what this client does not hold, as far as it knows. What the thread has lost and not released yet, is released, once. A
   * thread that the program chose may release a hold that another process has taken.
   *
   * @throws {@link LockNotHeldError} if there was no hold, or if it was lost
   */
  releaseFor(thread: Thread): Promise<void>
  /**
   * Delays all later requests of a thread until a pending one has settled, in any way. Requests of the same
   * acquisition of a group, or of an earlier one, do not wait for it.
   */
  waitFirstFor(thread: Thread, open: Promise<unknown>, group: number): void
  /** Frees the lock of any owner. */
  forceRelease(): Promise<boolean>
  /** Who holds the lock, and how often a thread does. */
  inspect(thread?: Thread): Promise<Inspection>
  /** The error for an owner that does not hold the lock. It names the holder, if Redis can be asked. */
  notHeld(owner: string | undefined, hint: string, cause?: Error): Promise<LockNotHeldError>
}
