import type {
  AcquireOptions,
  LockOptions,
  TryAcquireOptions,
  TryLockOptions,
  WithLockOptions,
} from '../lock.api.js'
import type { ThreadId } from '../../../api/thread-id.js'
import type { Sending } from '../../../connection/connection.js'
import { leaseOf, patienceOf, releaseWaitOf, type Patience } from '../../../core/arguments/arguments.js'
import type { WatchedHold } from '../../../core/holds/hold-watch.js'
import { demandNoNumber, demandOptions, known, type Known } from '../../../core/arguments/options.js'
import { isRedissonError } from '../../../errors/redisson-error.js'
import { Deadline } from '../../../util/time/deadline.js'

/** What a caller asks of a lock, checked. */
export interface LockRequest extends Patience {
  /** Milliseconds; undefined for as long as the process lives. */
  readonly leaseMs: number | undefined
  readonly threadId: ThreadId | undefined
  /** How long replies are waited for, where that is longer than the lock is: one that is tried once may have time for its reply. */
  readonly replyBy?: Deadline
  /** What its caller gets to know of the request, and how it keeps it from being sent. */
  readonly sending?: Sending
  /** Whether the flow that asks holds the lock already, where many may. */
  readonly inside?: boolean
  /** Whether the caller takes a reply as well that comes after its signal has aborted, and releases what is not wanted any more. */
  readonly takesLate?: boolean
  /**
   * Which acquisition of a group asks, counted from 1 in the order in which they began; undefined for what is no group's. It waits for
   * nothing that was asked by itself or by a later one, as those may wait for it.
   */
  readonly group?: number
  /** How long the release is waited for at the end, in milliseconds; undefined where the client says. */
  readonly releaseWaitMs?: number | undefined
  /** Reports what is acquired if it is forgotten. */
  readonly watched?: WatchedHold
}

/** Most calls say nothing, and there is nothing to check then. */
const NONE = Object.freeze({})

const shortForm = 'a number of milliseconds'

const elsewhere = { threadId: 'lock(), tryLock() and unlock()' }

const LOCK = known<LockOptions>({ waitMs: true, leaseMs: true, signal: true, threadId: true }, { shortForm })

/** A number in the place of options may be either duration. */
const shape = '{ waitMs: 500 }'

const ACQUIRE = known<AcquireOptions>(
  { waitMs: true, leaseMs: true, signal: true },
  { shape, elsewhere: { ...elsewhere, releaseWaitMs: 'withLock()' } },
)

const WITH_LOCK = known<WithLockOptions>(
  { waitMs: true, leaseMs: true, signal: true, releaseWaitMs: true },
  { shape, elsewhere },
)

/** Reads what `lock` takes: it waits as long as it takes, by default. */
export function lockRequest(lock: string, options: number | LockOptions = NONE): LockRequest {
  if (typeof options === 'number') return requestOf(lock, { leaseMs: options }, Infinity)
  return requestOf(lock, options, Infinity, LOCK)
}

/** Reads what `tryLock` takes: it tries once, by default. */
export function tryLockRequest(
  lock: string,
  options: number | TryLockOptions = 0,
  leaseMs?: number,
): LockRequest {
  if (typeof options !== 'object')
    return requestOf(lock, { waitMs: options, ...(leaseMs !== undefined && { leaseMs }) }, 0)
  demandNoNumber(leaseMs)
  return requestOf(lock, options, 0, LOCK)
}

/** Reads what `acquire` takes: it waits as long as it takes, by default. */
export function acquireRequest(lock: string, options: AcquireOptions = NONE): LockRequest {
  return requestOf(lock, options, Infinity, ACQUIRE)
}

/** Reads what `tryAcquire` takes: it tries once, by default. */
export function tryAcquireRequest(lock: string, options: TryAcquireOptions = NONE): LockRequest {
  return requestOf(lock, options, 0, ACQUIRE)
}

/** Reads what `withLock` takes: it waits as long as it takes, by default. */
export function withLockRequest(lock: string, options: WithLockOptions = NONE): LockRequest {
  return { ...requestOf(lock, options, Infinity, WITH_LOCK), releaseWaitMs: releaseWaitOf(options) }
}

/** The same without waiting. */
export function tryingOnce(request: LockRequest): LockRequest {
  return { ...request, waitMs: 0, deadline: Deadline.after(0) }
}

/** What `otherwise` stands for, where the time to wait went by. */
export async function inTime<T>(taken: Promise<T>): Promise<T | undefined> {
  try {
    return await taken
  } catch (error) {
    if (isRedissonError(error, 'LOCK_TIMEOUT')) return undefined
    throw error
  }
}

/** @param call - what the program may say; undefined for what it has not said as options */
function requestOf(lock: string, options: TryLockOptions, defaultWaitMs: number, call?: Known): LockRequest {
  if (call !== undefined && options !== NONE) demandOptions(options, call)
  return {
    ...patienceOf(options, defaultWaitMs),
    leaseMs: leaseOf(options, lock),
    threadId: options.threadId,
  }
}
