import { Deadline } from '../util/deadline.js'
import { shown } from '../util/shown.js'
import type { ObjectContext } from './object-context.js'

/** How long a caller is ready to wait, as it says. */
export interface WaitingOptions {
  readonly waitMs?: number
  readonly signal?: AbortSignal
}

/** How long a caller is ready to wait, checked. */
export interface Patience {
  /** Milliseconds to wait: 0 for one attempt, infinite for as long as it takes. */
  readonly waitMs: number
  /** When the waiting ends. */
  readonly deadline: Deadline
  readonly signal: AbortSignal | undefined
}

export function patienceOf({ waitMs, signal }: WaitingOptions, defaultWaitMs: number): Patience {
  const wait = Math.max(0, milliseconds('waitMs', waitMs ?? defaultWaitMs))
  return {
    waitMs: wait,
    deadline: wait === Infinity ? Deadline.never : Deadline.after(wait),
    signal: checkedSignal(signal),
  }
}

/** Reads how long a lease shall last; undefined where nobody says, and for 0 or less. */
export function leaseOf({ leaseMs = 0 }: { readonly leaseMs?: number }): number | undefined {
  const lease = Math.ceil(milliseconds('leaseMs', leaseMs))
  if (lease > Number.MAX_SAFE_INTEGER) throw notMilliseconds('leaseMs', leaseMs)
  return lease <= 0 ? undefined : lease
}

/** Refuses what is no object; says what else would have been taken, if anything. */
export function demandOptions(options: unknown, orElse?: string): void {
  if (typeof options === 'object' && options !== null) return
  const expected = orElse === undefined ? 'an object' : `an object or ${orElse}`
  throw new TypeError(`Expected the options to be ${expected}, got ${shown(options)}`)
}

export function demandFunction(fn: unknown, name = 'fn'): void {
  if (typeof fn !== 'function') throw new TypeError(`Expected \`${name}\` to be a function, got ${shown(fn)}`)
}

/** The key of an object in Redis. */
export function keyOf({ config }: ObjectContext, name: string): string {
  // Half a character has no bytes of its own in Redis: names would be taken for each other, and messages for nobody's.
  if (typeof name === 'string' && name !== '' && name.isWellFormed()) return config.mapName(name)
  throw new TypeError(
    `Expected \`name\` to be a text that is not empty, of whole characters, got ${shown(name)}`,
  )
}

export function milliseconds(name: string, value: number): number {
  if (typeof value === 'number' && !Number.isNaN(value)) return value
  throw notMilliseconds(name, value)
}

/** A number that counts something. */
export function wholeNumber(name: string, value: number, least = -Infinity): number {
  if (Number.isSafeInteger(value) && value >= least) return value
  const which = least === -Infinity ? '' : `, ${String(least)} or more`
  throw new RangeError(`Expected \`${name}\` to be a whole number${which}, got ${shown(value)}`)
}

function checkedSignal(signal: AbortSignal | undefined): AbortSignal | undefined {
  if (signal === undefined || isAbortSignal(signal)) return signal
  throw new TypeError(`Expected \`signal\` to be an AbortSignal, got ${shown(signal)}`)
}

/** What only looks like one throws as soon as it is asked. */
function isAbortSignal(signal: unknown): boolean {
  try {
    return signal instanceof AbortSignal && typeof signal.aborted === 'boolean'
  } catch {
    return false
  }
}

function notMilliseconds(name: string, value: unknown): RangeError {
  return new RangeError(`Expected \`${name}\` to be a number of milliseconds, got ${shown(value)}`)
}
