import type { TryLockOptions } from '../api/locks/lock.js'
import type { ThreadId } from '../api/thread-id.js'
import { demandOptions, leaseOf, patienceOf, type Patience } from '../core/arguments.js'
import { isRedissonError } from '../errors/redisson-error.js'

/** What a caller asks of a lock, checked. */
export interface LockRequest extends Patience {
  /** Milliseconds; undefined for as long as the process lives. */
  readonly leaseMs: number | undefined
  readonly threadId: ThreadId | undefined
  /** Whether the flow that asks holds the lock already, where many may. */
  readonly inside?: boolean
}

/** Reads what `lock`, `acquire` and `withLock` take: they wait as long as it takes, unless told otherwise. */
export function patientRequest(options: number | TryLockOptions = {}): LockRequest {
  return check(typeof options === 'number' ? { leaseMs: options } : options, Infinity)
}

/** Reads what `tryLock` and `tryAcquire` take: they try once, unless told otherwise. */
export function hastyRequest(options: number | TryLockOptions = 0, leaseMs?: number): LockRequest {
  if (typeof options === 'object') return check(options, 0)
  return check({ waitMs: options, ...(leaseMs !== undefined && { leaseMs }) }, 0)
}

/** What `otherwise` stands for, where the time to wait went by. */
export async function inTime<T, U>(taken: Promise<T>, otherwise: U): Promise<T | U> {
  try {
    return await taken
  } catch (error) {
    if (isRedissonError(error, 'LOCK_TIMEOUT')) return otherwise
    throw error
  }
}

function check(options: TryLockOptions, defaultWaitMs: number): LockRequest {
  demandOptions(options, 'a number of milliseconds')
  return { ...patienceOf(options, defaultWaitMs), leaseMs: leaseOf(options), threadId: options.threadId }
}
