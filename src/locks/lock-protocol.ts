import type { SyncedResult } from '../command/command-executor.js'
import type { Attempt } from '../pubsub/wait-until.js'
import type { RenewalKind } from '../renewal/lease.js'
import type { Deadline } from '../util/deadline.js'
import type { Acquired } from './acquired.js'

/** One owner's wish for one hold. */
export interface Claim {
  readonly owner: string
  /** The hold count that the owner will reach, or 0 where this client cannot know: other places act for the owner too. */
  readonly holds: number
  readonly leaseMs: number
  readonly waitMs: number
  readonly deadline: Deadline
  readonly signal: AbortSignal | undefined
  /** Whether the flow that asks holds the lock already, as another owner, where many may. */
  readonly inside: boolean
  /** Whether replicas have to confirm it, so that nobody else's request can meet it. */
  readonly confirmed: boolean
}

/** Whether a claim is tried at once even if others wait: it will not wait, or its owner may be inside already. */
export function passesBy({ waitMs, holds }: Claim): boolean {
  return waitMs === 0 || holds === 0
}

/** A claim that was met. */
export interface Won {
  /** When the request was sent that met it, on the monotonic clock. */
  readonly sentAt: number
  readonly holds: number
  readonly token?: number | undefined
}

/** One hold that is to be given back. */
export interface Return {
  readonly owner: string
  /** The hold count before, or 0 where this client cannot know. */
  readonly holds: number
  /** How long the holds that remain shall last at least, in milliseconds; 0 leaves their lease alone. */
  readonly leaseMs: number
  /** The key of the request. */
  readonly request: string
  /** Whether the same request was sent before, and nobody knows whether it has run. */
  readonly again: boolean
}

/** Who holds a lock. */
export interface Inspection {
  /** Milliseconds; -1 for no end, -2 if nobody holds the lock. */
  readonly leftMs: number
  /** Somebody who does, as Redis knows it; undefined if nobody does. */
  readonly holder: string | undefined
  /** The hold count of the owner who was asked for. */
  readonly holds: number
}

/** What is found where nobody holds the lock. */
export const FREE: Inspection = { leftMs: -2, holder: undefined, holds: 0 }

/** A family of locks on the wire: its scripts, and how its waiters wait. */
export interface LockProtocol {
  readonly renewal: RenewalKind
  /** What an owner is called inside the lock. */
  fieldOf(owner: string): string
  /** Tries once, under a request of its own, and waits for so many replicas to confirm it. */
  acquire(claim: Claim, request: string, replicas: number): Promise<SyncedResult<Acquired>>
  /** Gives back what a request to acquire has taken, if it has, and lets no late copy of it take anything. */
  undo(claim: Claim, request: string): Promise<void>
  /** Gives back one hold; answers how many remain, or -1 if there was none. */
  release(given: Return): Promise<number>
  /** Has an owner's only hold last so long from now on, or several at least so long; answers whether it holds the lock. */
  relet(owner: string, leaseMs: number): Promise<boolean>
  /** Frees the lock, whoever holds it; answers whether anybody did. */
  forceRelease(): Promise<boolean>
  inspect(owner: string): Promise<Inspection>
  /** Whether a claim is to be tried once before it waits. Otherwise the waiting begins with that, or behind others in line. */
  triesFirst(claim: Claim): boolean
  /** Waits until the claim is met; answers undefined when its time is over. */
  wait(claim: Claim, attempt: () => Promise<Attempt<Won>>): Promise<Won | undefined>
}
