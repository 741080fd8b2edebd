import type { SyncedResult } from '../../../command/operation/command-executor.js'
import type { Sending } from '../../../connection/connection.js'
import type { Traceable } from '../../../core/holds/traced-acquisition.js'
import type { Attempt } from '../../../waiting/wait-until.js'
import type { RenewalKind } from '../../../renewal/lease.js'
import type { Deadline } from '../../../util/time/deadline.js'
import type { AcquireReply, Refused } from './acquire-reply.js'

/** One owner's wish for one hold. */
export interface AcquireRequest extends Traceable {
  readonly owner: string
  /** The hold count that the owner will reach, or 0 where this client cannot know: other places act for the owner too. */
  readonly holds: number
  readonly leaseMs: number
  /** For how long Redis counts what it takes, where that is longer than the lease: the owner is inside with a longer one. */
  readonly countedForMs?: number
  readonly waitMs: number
  readonly deadline: Deadline
  /** How long each reply is waited for. */
  readonly replyBy: Deadline
  /** How long it is waited for that what it has taken, and not for its caller, is released. */
  readonly settleBy: Deadline
  /** See {@link LockRequest.sending}. */
  readonly sending?: Sending | undefined
  /** Whether a reply is awaited even when the signal has aborted. */
  readonly takesLate: boolean
  /** Whether the flow that asks holds the lock already, as another owner, where many may. */
  readonly inside: boolean
  /** How many holds the owner has lost by its own clock that Redis may still count; 0 where not said. A refusal shows that it does not. */
  stale?: number
  /** Whether it needs a token of its own, where the lock mints them: the owner is inside, by another kind of lock, without any. */
  readonly needsToken?: boolean
  /** Whether replicas have to confirm it, so that no request of another caller can meet it. */
  readonly confirmed: boolean
  /** Whether Redis has refused it before: somebody else has the lock. */
  refused?: boolean
  /** Who had the lock when the claim was refused last, and until when on the monotonic clock; undefined while nothing said so. */
  refusedFor?: { readonly owner: string; readonly until: number } | undefined
  /** What Redis said when the claim was refused last. */
  refusal?: Refused
  /** Settles when Redis has heard that it does not wait any more; undefined while it does. */
  leaving?: Promise<unknown>
}

/** Whether a claim is tried at once even if others wait: it will not wait, or its owner may be inside already. */
export function passesBy({ waitMs, holds }: AcquireRequest): boolean {
  return waitMs === 0 || holds === 0
}

/**
 * Whether a claim can take a lock over from its holder. Only a thread of our own can: its count is known to become one, however often
 * the request arrives. A claim that replicas have to confirm cannot, because the holder must not wait for them.
 */
export function canTakeOver({ holds, confirmed, signal, deadline }: AcquireRequest): boolean {
  return holds === 1 && !confirmed && signal?.aborted !== true && !deadline.passed
}

/** A claim that was met. */
export interface AcquireResult {
  /** When the first copy of the request was sent that may have met it, on the monotonic clock. */
  readonly sentAt: number
  readonly holds: number
  readonly token?: number | undefined
}

/** Sends one request to acquire, under a key of its own. */
export type SendClaim = (claim: AcquireRequest, request: string) => Promise<SyncedResult<AcquireReply>>

/** Tries once to have a claim met; by the family's own script, unless another way to send it is given. */
export type Attempting = (send?: SendClaim) => Promise<Attempt<AcquireResult>>

/** One hold that is to be released. */
export interface ReleaseRequest {
  readonly owner: string
  /** The hold count before, or 0 where this client cannot know. */
  readonly holdCountBefore: number
  /**
   * How many holds Redis may count besides, because it is not known yet whether they were released. Where the count is not known: how many
   * this client has at least, beside holds that it has lost, of which those that have ended are dropped; or 0 if it has lost none.
   */
  readonly stale: number
  /** How long the holds that remain shall last at least, in milliseconds; 0 leaves their lease alone. */
  readonly leaseMs: number
  /** The key of the request. */
  readonly idempotencyKey: string
  /** Whether the same request was sent before, and it is unknown whether it has run. */
  readonly isRetry: boolean
  /** When the owner got the lock, on the monotonic clock; undefined where this client cannot know. */
  readonly heldSince: number | undefined
  /** From when on it must not be sent any more, on the monotonic clock: an owner that other places can name may have the lock anew. */
  readonly until?: number
  /** When the lease ends by which it is held, on the monotonic clock; where not said, within the watchdog's time. */
  readonly lastsUntil?: number
  /** Whether the hold was lost, so that Redis may have ended it by itself; false where not said. */
  readonly isLate?: boolean
}

/** Who holds a lock. */
export interface Inspection {
  /** Milliseconds; -1 for no end, -2 if the lock is free. */
  readonly leftMs: number
  /** An owner that does, as Redis knows it; undefined if there is none. */
  readonly holder: string | undefined
  /** The hold count of the owner who was asked for. */
  readonly holds: number
}

/** What is found where the lock is free. */
export const FREE: Inspection = { leftMs: -2, holder: undefined, holds: 0 }

/** A family of locks on the wire: its scripts, and how its waiters wait. */
export interface LockDriver {
  readonly renewal: RenewalKind
  /** Whether its holds may keep others of their owner in Redis for longer than those were to last. */
  readonly prolongsOthers?: boolean
  /**
   * Whether one count and one lease in Redis may stand for what an owner holds by several locks. Then each of them may be kept there for
   * longer than it was to last, and a request to acquire one waits for requests to release others.
   */
  readonly sharesHolds?: boolean
  /** Whether something may be left of a hold that Redis has let go, or that was forced open. Giving the hold back removes it. */
  readonly leavesRest?: boolean
  /** What an owner is called inside the lock. */
  fieldOf(owner: string): string
  /** Tries once, under a request of its own, and waits for that number of replicas to confirm it. */
  acquire(claim: AcquireRequest, request: string, replicas: number): Promise<SyncedResult<AcquireReply>>
  /** Is notified that the request for a claim is over: it was met and noted, or given up. */
  endClaim?(claim: AcquireRequest): void
  /** Releases what a request to acquire has taken, if it has, and lets no late copy of it take anything. */
  undo(claim: AcquireRequest, request: string): Promise<void>
  /** Releases one hold; returns how many remain, or -1 if there was none. What is left of one is released if the client knows of it. */
  release(given: ReleaseRequest): Promise<number>
  /** Makes an owner's only hold last that long from now on, or several at least that long; returns whether it holds the lock. */
  setLease(owner: string, leaseMs: number): Promise<boolean>
  /** Frees the lock of any owner; returns whether it was held. */
  forceRelease(): Promise<boolean>
  inspect(owner: string): Promise<Inspection>
  /**
   * Whether a claim is to be tried once whoever else waits, before it waits itself. Otherwise the waiting begins with a try, or behind
   * others of this process.
   */
  triesFirst(claim: AcquireRequest): boolean
  /** Waits until the claim is met; returns undefined when its time is over. */
  wait(claim: AcquireRequest, attempt: Attempting): Promise<AcquireResult | undefined>
}
