import { leaseEnded } from './lease-ended.js'
import { RedissonError, type RedissonErrorOptions } from './redisson-error.js'

/** What an error about a lock knows. */
export interface LockFacts {
  /** The name of the lock. */
  readonly lock: string
  /** The caller, as `clientId:threadId`; absent when it is unknown. */
  readonly owner?: string | undefined
}

/** The present owner of a lock. */
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
  /** The caller, as `clientId:threadId`; undefined when it is unknown. */
  readonly owner: string | undefined
  /** The owner of the lock when the call was refused; undefined if it was free, or Redis could not be reached. */
  readonly holder: LockHolder | undefined

  constructor(
    facts: LockFacts & {
      /** The id of the calling client. */
      readonly clientId: string
      readonly holder?: LockHolder | 'unknown' | undefined
      readonly hint: string
    },
    options?: ErrorOptions,
  ) {
    super(`${notHeld(facts)} ${seenHolder(facts)} ${facts.hint}`, options)
    this.lock = facts.lock
    this.owner = facts.owner
    this.holder = facts.holder === 'unknown' ? undefined : facts.holder
  }
}

function notHeld({ lock, owner }: LockFacts): string {
  return owner === undefined
    ? `The caller does not hold lock ${lock}.`
    : `Owner ${owner} does not hold lock ${lock}.`
}

interface SeenHolder {
  readonly owner?: string | undefined
  readonly clientId: string
  readonly holder?: LockHolder | 'unknown' | undefined
}

function seenHolder({ owner, clientId, holder }: SeenHolder): string {
  if (holder === undefined) return 'It is not locked.'
  if (holder === 'unknown') return 'Its holder is not known.'
  const forgotten = owner === undefined && isOf(clientId, holder) ? '; was lock() awaited?' : '.'
  return `It is held by ${inWords(holder, clientId)}${forgotten}`
}

function isOf(clientId: string, { owner }: LockHolder): boolean {
  return owner.startsWith(`${clientId}:`)
}

function inWords(holder: LockHolder, clientId: string): string {
  const { owner, remainingMs } = holder
  const who = isOf(clientId, holder) ? `${owner} (this client)` : owner
  return remainingMs < 0 ? `${who} without an end` : `${who} for another ${remainingMs} ms`
}

/** Why a hold ended before it was released. */
export type LockLossReason =
  /** Redis said that another owner holds the lock, or none. */
  | 'not-held'
  /** The lease ended on this process's clock: before a renewal was confirmed, or because it was not to be renewed. */
  | 'expired'
  /** `forceUnlock()` took the lock away. */
  | 'forced'
  /** The client was shut down, so the lease is not renewed any more. */
  | 'closed'

/** The lock was lost while it was held: from here on another owner may hold it. */
export class LockLostError extends RedissonError {
  override readonly name = 'LockLostError'
  override readonly code = 'LOCK_LOST'
  /** The name of the lock. */
  readonly lock: string
  /** Its owner, as `clientId:threadId`. */
  readonly owner: string
  /** Why it was lost. */
  readonly reason: LockLossReason
  /**
   * The lease in milliseconds, if its end was the only reason: the caller had asked for it, so no watchdog
   * renewed it. Undefined otherwise.
   */
  readonly leaseMs: number | undefined

  constructor(
    facts: {
      readonly lock: string
      readonly owner: string
      readonly reason: LockLossReason
      readonly leaseMs?: number | undefined
    },
    options?: RedissonErrorOptions,
  ) {
    const { lock, owner, reason, leaseMs } = facts
    const why = leaseMs === undefined ? explanations[reason] : leaseEnded(leaseMs)
    super(`Owner ${owner} lost lock ${lock}: ${why}`, options)
    this.lock = lock
    this.owner = owner
    this.reason = reason
    this.leaseMs = leaseMs
  }
}

const explanations: Readonly<Record<LockLossReason, string>> = {
  'not-held': 'Redis reports that it has another owner or none',
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
  /**
   * The owner of the lock when Redis refused it last; of several, one of them. Undefined where Redis has not said so: for a caller that only
   * stood behind others of its process, and for red locks.
   */
  readonly holder: LockHolder | undefined

  constructor(
    lock: string,
    waitMs: number,
    facts?: {
      readonly holder: LockHolder | undefined
      /** The id of the calling client. */
      readonly clientId: string
    },
  ) {
    const { holder, clientId = '' } = facts ?? {}
    const by = holder === undefined ? '' : `: it is held by ${inWords(holder, clientId)}`
    super(`Lock ${lock} was not free within ${waitMs} ms${by}`)
    this.lock = lock
    this.waitMs = waitMs
    this.holder = holder
  }
}

/**
 * A flow waited for a lock that it held itself, or for one side of a read-write lock while it held the other.
 * It waited as long as the watchdog keeps a lock alive.
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

/** One thread requested a lock while it was already waiting for it: the flow has forked. */
export class ForkedThreadError extends RedissonError {
  override readonly name = 'ForkedThreadError'
  override readonly code = 'FORKED_THREAD'
  /** The name of the lock. */
  readonly lock: string
  /** The thread with two requests, as `clientId:threadId`. */
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

/** The owner of a non-reentrant lock tried to acquire it again. */
export class LockReentryError extends RedissonError {
  override readonly name = 'LockReentryError'
  override readonly code = 'LOCK_REENTRY'
  /** The name of the lock. */
  readonly lock: string
  /** Its owner, which tried again, as `clientId:threadId`. */
  readonly owner: string

  constructor(facts: { readonly lock: string; readonly owner: string }) {
    super(`Lock ${facts.lock} is not reentrant, and owner ${facts.owner} holds it already`)
    this.lock = facts.lock
    this.owner = facts.owner
  }
}

/** Too few replicas confirmed the acquisition in time, so it was released. */
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

/** A holder with a larger fencing token has been here already, so nothing was done for the holder of this one. */
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
