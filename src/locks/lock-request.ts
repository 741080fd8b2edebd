import type { LockOptions, TryLockOptions } from '../api/locks/lock.js'
import type { ThreadId } from '../api/thread-id.js'
import { Deadline } from '../util/deadline.js'
import { shown } from '../util/shown.js'

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
export function patientRequest(options: number | TryLockOptions = {}): LockRequest {
  return check(typeof options === 'number' ? { leaseMs: options } : options, Infinity)
}

/** Reads what `tryLock` and `tryAcquire` take: they try once, unless told otherwise. */
export function hastyRequest(options: number | TryLockOptions = 0, leaseMs?: number): LockRequest {
  if (typeof options === 'object') return check(options, 0)
  return check({ waitMs: options, ...(leaseMs !== undefined && { leaseMs }) }, 0)
}

function check(options: TryLockOptions, defaultWaitMs: number): LockRequest {
  if (typeof options !== 'object' || (options as unknown) === null) {
    throw new TypeError(
      `Expected the options to be an object or a number of milliseconds, got ${shown(options)}`,
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
  if (signal === undefined || isAbortSignal(signal)) return signal
  throw new TypeError(`Expected \`signal\` to be an AbortSignal, got ${shown(signal)}`)
}

/** By what it can do, because the signal may come from another realm. */
function isAbortSignal(signal: unknown): boolean {
  return typeof (signal as Partial<AbortSignal> | null)?.addEventListener === 'function'
}

function milliseconds(name: string, value: number): number {
  if (typeof value === 'number' && !Number.isNaN(value)) return value
  throw notMilliseconds(name, value)
}

function notMilliseconds(name: string, value: unknown): RangeError {
  return new RangeError(`Expected \`${name}\` to be a number of milliseconds, got ${shown(value)}`)
}
