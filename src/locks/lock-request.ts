import type { LockOptions, TryLockOptions } from '../api/locks/lock.js'
import type { ThreadId } from '../api/thread-id.js'
import { Deadline } from '../util/deadline.js'

/** What a caller asks of a lock, checked. */
export interface LockRequest {
  /** Milliseconds to wait: 0 for one attempt, infinite for as long as it takes. */
  readonly waitMs: number
  /** When the waiting ends. */
  readonly deadline: Deadline
  /** Milliseconds; undefined for as long as the process lives. */
  readonly leaseMs: number | undefined
  readonly signal: AbortSignal | undefined
  readonly threadId: ThreadId | undefined
}

/** Reads what `lock`, `acquire` and `withLock` take: they wait as long as it takes, unless told otherwise. */
export function patientRequest(options: number | TryLockOptions | undefined): LockRequest {
  return typeof options === 'number' ? check({ leaseMs: options }, Infinity) : check(options ?? {}, Infinity)
}

/** Reads what `tryLock` and `tryAcquire` take: they try once, unless told otherwise. */
export function hastyRequest(options: number | TryLockOptions | undefined, leaseMs?: number): LockRequest {
  if (typeof options === 'object') return check(options, 0)
  return check({ waitMs: options ?? 0, ...(leaseMs !== undefined && { leaseMs }) }, 0)
}

function check(options: TryLockOptions, defaultWaitMs: number): LockRequest {
  if (typeof options !== 'object' || (options as unknown) === null) {
    throw new TypeError(
      `Expected the options to be an object or a number of milliseconds, got ${JSON.stringify(options)}`,
    )
  }
  const waitMs = Math.max(0, milliseconds('waitMs', options.waitMs ?? defaultWaitMs))
  return {
    waitMs,
    deadline: waitMs === Infinity ? Deadline.never : Deadline.after(waitMs),
    leaseMs: leaseOf(options),
    signal: signalOf(options),
    threadId: options.threadId,
  }
}

function leaseOf({ leaseMs = 0 }: LockOptions): number | undefined {
  const lease = Math.ceil(milliseconds('leaseMs', leaseMs))
  if (lease > Number.MAX_SAFE_INTEGER) throw notMilliseconds('leaseMs', leaseMs)
  return lease <= 0 ? undefined : lease
}

function signalOf({ signal }: LockOptions): AbortSignal | undefined {
  if (signal === undefined || typeof (signal as Partial<AbortSignal>).addEventListener === 'function')
    return signal
  throw new TypeError(`Expected \`signal\` to be an AbortSignal, got ${typeof signal}`)
}

function milliseconds(name: string, value: number): number {
  if (typeof value === 'number' && !Number.isNaN(value)) return value
  throw notMilliseconds(name, value)
}

function notMilliseconds(name: string, value: unknown): RangeError {
  return new RangeError(`Expected \`${name}\` to be a number of milliseconds, got ${String(value)}`)
}
