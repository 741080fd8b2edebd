import type { Attempt } from '../pubsub/wait-until.js'
import type { RenewalKind } from '../renewal/lease.js'
import type { Deadline } from '../util/deadline.js'

/** One owner's wish for one hold. */
export interface Claim {
  readonly owner: string
  /** The hold count that the owner will reach, or 0 where this client cannot know: other places act for the owner too. */
  readonly holds: number
  readonly leaseMs: number
  readonly waitMs: number
  readonly deadline: Deadline
  readonly signal: AbortSignal | undefined
}

/** What Redis says to a claim. */
export type Acquired =
  | { readonly taken: true; readonly holds: number }
  /** How long the present holder still has; negative if that cannot be told. */
  | { readonly taken: false; readonly leftMs: number }

/** A claim that was met. */
export interface Won {
  /** When the request was sent that met it, on the monotonic clock. */
  readonly sentAt: number
  readonly holds: number
}

/** One hold that is to be given back. */
export interface Return {
  readonly owner: string
  /** The hold count before, or 0 where this client cannot know. */
  readonly holds: number
  /** How long the holds that remain shall last at least, in milliseconds; 0 leaves their lease alone. */
  readonly leaseMs: number
}

/** Who holds a lock. */
export interface Inspection {
  /** Milliseconds; -1 for no end, -2 if nobody holds the lock. */
  readonly leftMs: number
  readonly owner: string
  readonly holds: number
}

/** A family of locks on the wire: its scripts, and how its waiters wait. */
export interface LockProtocol {
  readonly renewal: RenewalKind
  /** Tries once, under a request of its own. */
  acquire(claim: Claim, request: string): Promise<Acquired>
  /** Tries once, and answers how many replicas have confirmed it. */
  acquireSynced(
    claim: Claim,
    request: string,
    replicas: number,
  ): Promise<Acquired & { readonly replicas: number }>
  /** Gives back what a request to acquire has taken, if it has, and lets no late copy of it take anything. */
  undo(claim: Claim, request: string): Promise<void>
  /** Gives back one hold; answers how many remain, or -1 if there was none. */
  release(given: Return): Promise<number>
  /** Frees the lock, whoever holds it; answers whether anybody did. */
  forceRelease(): Promise<boolean>
  inspect(): Promise<Inspection>
  /** Tries until the claim is met; answers undefined when its time is over. */
  wait(claim: Claim, attempt: () => Promise<Attempt<Won>>): Promise<Won | undefined>
}
