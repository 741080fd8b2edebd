import { RedissonError } from './redisson-error.js'

/** What an error about a lock knows. */
export interface LockFacts {
  /** The name of the lock. */
  readonly lock: string
  /** Who asked, as `clientId:threadId`; absent when nobody could be named. */
  readonly owner?: string | undefined
}

/** Who holds a lock right now. */
export interface LockHolder {
  /** The holder, as `clientId:threadId`. */
  readonly owner: string
  /** Milliseconds until Redis frees the lock by itself; -1 if it never does. */
  readonly remainingMs: number
}

/**
 * The caller does not hold the lock, so there is nothing to release; nothing was changed.
 *
 * Redisson for Java calls this an `IllegalMonitorStateException`.
 */
export class LockNotHeldError extends RedissonError {
  override readonly name = 'LockNotHeldError'
  override readonly code = 'NOT_HELD'
  /** The name of the lock. */
  readonly lock: string
  /** Who asked, as `clientId:threadId`; undefined when nobody could be named. */
  readonly owner: string | undefined
  /** Who held the lock when the call was refused; undefined when it was free, or could not be told. */
  readonly holder: LockHolder | undefined

  constructor(
    facts: LockFacts & { readonly holder?: LockHolder | undefined; readonly hint: string },
    options?: ErrorOptions,
  ) {
    super(`${notHeld(facts)} ${heldBy(facts.holder)} ${facts.hint}`, options)
    this.lock = facts.lock
    this.owner = facts.owner
    this.holder = facts.holder
  }
}

function notHeld({ lock, owner }: LockFacts): string {
  return owner === undefined
    ? `The caller does not hold lock ${lock}.`
    : `Owner ${owner} does not hold lock ${lock}.`
}

function heldBy(holder: LockHolder | undefined): string {
  return holder === undefined
    ? 'Nobody was seen to hold it.'
    : `It is held by ${holder.owner} for another ${holder.remainingMs} ms.`
}

/** Why a hold ended before it was released. */
export type LockLossReason =
  /** Redis said that somebody else holds the lock, or nobody. */
  | 'not-held'
  /** The lease ran out on this process's clock before a renewal was confirmed. */
  | 'expired'
  /** `forceUnlock()` took the lock away. */
  | 'forced'
  /** The client was shut down, so nobody renews the lease any more. */
  | 'closed'

/** The lock was lost while it was held: from here on somebody else may be inside. */
export class LockLostError extends RedissonError {
  override readonly name = 'LockLostError'
  override readonly code = 'LOCK_LOST'
  /** The name of the lock. */
  readonly lock: string
  /** Who held it, as `clientId:threadId`. */
  readonly owner: string
  /** Why it was lost. */
  readonly reason: LockLossReason

  constructor(facts: { readonly lock: string; readonly owner: string; readonly reason: LockLossReason }) {
    super(`Owner ${facts.owner} lost lock ${facts.lock}: ${explanations[facts.reason]}`)
    this.lock = facts.lock
    this.owner = facts.owner
    this.reason = facts.reason
  }
}

const explanations: Readonly<Record<LockLossReason, string>> = {
  'not-held': 'Redis says that it is held by somebody else or nobody',
  expired: 'its lease ended before Redis confirmed a renewal',
  forced: 'it was released by forceUnlock()',
  closed: 'the client was shut down',
}

/** The lock was not free within the time that the caller was ready to wait. */
export class LockTimeoutError extends RedissonError {
  override readonly name = 'LockTimeoutError'
  override readonly code = 'LOCK_TIMEOUT'
  /** The name of the lock. */
  readonly lock: string
  /** How long the caller was ready to wait, in milliseconds. */
  readonly waitMs: number

  constructor(lock: string, waitMs: number) {
    super(`Lock ${lock} was not free within ${waitMs} ms`)
    this.lock = lock
    this.waitMs = waitMs
  }
}

/**
 * A flow waited for a lock that it held itself, or for one side of a read-write lock while it held the other, for as long
 * as the watchdog keeps a lock alive.
 */
export class NestedLockError extends RedissonError {
  override readonly name = 'NestedLockError'
  override readonly code = 'NESTED_LOCK'
  /** The name of the lock. */
  readonly lock: string

  constructor(lock: string, waitedMs: number, advice: string) {
    super(
      `Lock ${lock} was waited for during ${waitedMs} ms by a flow that holds it already, so it could never have been had. ` +
        advice,
    )
    this.lock = lock
  }
}

/** One thread asked for a lock while it was already waiting for it: the flow has forked. */
export class ForkedThreadError extends RedissonError {
  override readonly name = 'ForkedThreadError'
  override readonly code = 'FORKED_THREAD'
  /** The name of the lock. */
  readonly lock: string
  /** Who asked twice, as `clientId:threadId`. */
  readonly owner: string

  constructor(facts: { readonly lock: string; readonly owner: string }) {
    super(
      `Owner ${facts.owner} asked for lock ${facts.lock} while an earlier request of its own was pending, ` +
        'which one thread cannot do. Give each branch its own client.runAsThread(), or use withLock()',
    )
    this.lock = facts.lock
    this.owner = facts.owner
  }
}

/** The owner of a lock that cannot be entered twice asked for it again. */
export class LockReentryError extends RedissonError {
  override readonly name = 'LockReentryError'
  override readonly code = 'LOCK_REENTRY'
  /** The name of the lock. */
  readonly lock: string
  /** Who holds it, and asked again, as `clientId:threadId`. */
  readonly owner: string

  constructor(facts: { readonly lock: string; readonly owner: string }) {
    super(`Lock ${facts.lock} is not reentrant, and owner ${facts.owner} holds it already`)
    this.lock = facts.lock
    this.owner = facts.owner
  }
}

/** Too few replicas confirmed the acquisition in time, so it was given back. */
export class NotReplicatedError extends RedissonError {
  override readonly name = 'NotReplicatedError'
  override readonly code = 'NOT_REPLICATED'
  /** How many replicas confirmed. */
  readonly replicas: number
  /** How many had to. */
  readonly expected: number

  constructor(facts: { readonly replicas: number; readonly expected: number; readonly timeoutMs: number }) {
    super(
      `Expected ${facts.expected} replicas to confirm within ${facts.timeoutMs} ms, got ${facts.replicas}`,
    )
    this.replicas = facts.replicas
    this.expected = facts.expected
  }
}

/** Somebody with a larger fencing token has been here already, so nothing was done for the holder of this one. */
export class StaleTokenError extends RedissonError {
  override readonly name = 'StaleTokenError'
  override readonly code = 'STALE_TOKEN'
  /** The name of what is guarded. */
  readonly resource: string
  /** The token that was refused. */
  readonly token: number
  /** The largest token that had been seen. */
  readonly largest: number

  constructor(facts: { readonly resource: string; readonly token: number; readonly largest: number }) {
    super(`Token ${facts.token} came too late for ${facts.resource}, which has seen ${facts.largest}`)
    this.resource = facts.resource
    this.token = facts.token
    this.largest = facts.largest
  }
}
