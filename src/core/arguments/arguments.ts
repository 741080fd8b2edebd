import { types } from 'node:util'
import { asBuffer } from '../../codec/bytes.js'
import { LONGEST_LIFE_MS } from '../../config/duration.js'
import { CrossSlotError } from '../../errors/client-errors.js'
import { SHORT_LEASE_MS } from '../../errors/lease-ended.js'
import { Deadline } from '../../util/time/deadline.js'
import { inspectShort } from '../../util/inspect-short.js'
import { warnOnce } from '../../util/warn-once.js'
import { isInOneSlot } from '../context/names.js'
import type { ObjectContext, Topology } from '../context/object-context.js'
import type { Traceable } from '../holds/traced-acquisition.js'

/** How long a caller is ready to wait, as it says. */
export interface WaitingOptions {
  readonly waitMs?: number | undefined
  readonly signal?: AbortSignal | undefined
}

/** How long a caller is ready to wait, checked. */
export interface Patience extends Traceable {
  /** Milliseconds to wait: 0 for one attempt, infinite for as long as it takes. */
  readonly waitMs: number
  /** When the waiting ends. */
  readonly deadline: Deadline
}

export function patienceOf(options: WaitingOptions = {}, defaultWaitMs: number): Patience {
  const { waitMs = defaultWaitMs, signal } = options
  const wait = Math.max(0, milliseconds('waitMs', waitMs))
  return {
    waitMs: wait,
    deadline: wait === Infinity ? Deadline.never : Deadline.after(wait),
    signal: checkedSignal(signal),
  }
}

/** Reads how long a release is waited for at the end; undefined where the client says. */
export function releaseWaitOf({ releaseWaitMs }: { readonly releaseWaitMs?: number | undefined } = {}):
  number | undefined {
  if (releaseWaitMs === undefined || milliseconds('releaseWaitMs', releaseWaitMs) >= 0) return releaseWaitMs
  throw new RangeError(
    `Expected \`releaseWaitMs\` to be 0 milliseconds or more, got ${inspectShort(releaseWaitMs)}`,
  )
}

/**
 * Reads how long a lease shall last; undefined where the program does not say, and for 0 or less.
 *
 * @param name - the object, for the warning that a lease is short
 * @param option - what the program calls it
 */
export function leaseOf(
  { leaseMs = 0 }: { readonly leaseMs?: number | undefined },
  name: string,
  option = 'leaseMs',
): number | undefined {
  const lease = Math.ceil(milliseconds(option, leaseMs))
  if (lease === Infinity) throw notMilliseconds(option, leaseMs)
  demandAtMost(option, lease, Number.MAX_SAFE_INTEGER)
  if (lease <= 0) return undefined
  if (lease < SHORT_LEASE_MS) {
    const message = `The lease of ${name} is to last for ${lease} ms: ${option} is in milliseconds.`
    warnOnce('REDISSON_SHORT_LEASE', '', message) // once for all names: there may be one for each request
  }
  return lease
}

/**
 * Reads a new lease.
 *
 * @throws RangeError for 0 or less: that may be a miscalculation, and would mean the opposite where a lease can be left out
 */
export function newLease(
  leaseMs: number,
  name: string,
  { option = 'leaseMs', advice = '' }: { readonly option?: string; readonly advice?: string } = {},
): number {
  const lease = leaseOf({ leaseMs }, name, option)
  if (lease === undefined) throw notMoreThanNone(option, leaseMs, advice)
  return lease
}

/** Reads for how long a lease shall last from now on; undefined where that is left to the watchdog. */
export function extensionOf(
  leaseMs: number | undefined,
  name: string,
  option = 'leaseMs',
): number | undefined {
  if (leaseMs === undefined) return undefined
  return newLease(leaseMs, name, { option, advice: '; extend() without a number leaves it to the watchdog' })
}

/** Reads how long something shall last in Redis. */
export function lifeTime(ttlMs: number, name = 'ttlMs'): number {
  const life = Math.ceil(milliseconds(name, ttlMs))
  if (life <= 0) throw notMoreThanNone(name, ttlMs)
  demandAtMost(name, life, LONGEST_LIFE_MS)
  return life
}

/**
 * Reads how long something shall last in Redis; undefined for as long as it is not removed, which is also what 0 means.
 *
 * @param none - what 0 means, for the error of `Infinity`
 */
export function optionalLifeTime(
  ttlMs: number | undefined,
  name = 'ttlMs',
  none = '; 0 means no end',
): number | undefined {
  if (ttlMs === undefined || ttlMs === 0) return undefined
  if (ttlMs === Infinity) throw new RangeError(`Expected \`${name}\` to be finite, got Infinity${none}`)
  if (milliseconds(name, ttlMs) < 0)
    throw new RangeError(`Expected \`${name}\` to be 0 milliseconds or more, got ${String(ttlMs)}`)
  return lifeTime(ttlMs, name)
}

/** Refuses `undefined` as a value: it stands for none. */
export function demandValue(value: unknown, advice: string): void {
  if (value === undefined) throw new TypeError(`Expected \`value\` to be a value, got undefined: ${advice}`)
}

/** Reads what `dump()` has returned. */
export function stateBytes(state: unknown): Buffer {
  if (types.isUint8Array(state)) return asBuffer(state)
  throw new TypeError(`Expected \`state\` to be the bytes of dump(), got ${inspectShort(state)}`)
}

export function demandFunction(fn: unknown, name = 'fn'): void {
  if (typeof fn !== 'function')
    throw new TypeError(`Expected \`${name}\` to be a function, got ${inspectShort(fn)}`)
}

/**
 * Returns the key of an object in Redis.
 *
 * @throws {@link CrossSlotError} if a cluster would have to look for the object's keys in several places
 */
export function keyOf(context: ObjectContext, name: string): string {
  const { topology } = context
  const key = mappedName(context, name)
  if (!isInOneSlot(key) && hasSlots(topology)) throw new CrossSlotError(name, key)
  return key
}

/** Returns the name in Redis of what is in one slot with any name, such as a channel. */
export function mappedName({ config }: Pick<ObjectContext, 'config'>, name: string): string {
  demandName('`name` to be', name)
  const mapped = config.mapName(name)
  demandName('`nameMapper` to return', mapped)
  return mapped
}

/** Whether the servers are a cluster. */
export function hasSlots(topology: Topology): boolean {
  return topology.slotOf('a') !== topology.slotOf('b')
}

/** A lone surrogate has no bytes of its own in Redis: names would be taken for each other, and messages would reach no waiter. */
export function demandName(what: string, name: unknown): void {
  if (typeof name === 'string' && name !== '' && name.isWellFormed()) return
  throw new TypeError(
    `Expected ${what} a non-empty string without lone surrogates, got ${inspectShort(name)}`,
  )
}

export function milliseconds(name: string, value: number): number {
  if (typeof value === 'number' && !Number.isNaN(value)) return value
  throw notMilliseconds(name, value)
}

/** Refuses a duration that is longer than can be served. */
export function demandAtMost(name: string, ms: number, most: number): void {
  if (ms > most)
    throw new RangeError(`Expected \`${name}\` to be at most ${String(most)} milliseconds, got ${String(ms)}`)
}

/** A number that counts something. */
export function wholeNumber(name: string, value: number, least = -Infinity): number {
  if (Number.isSafeInteger(value) && value >= least) return value
  const which = least === -Infinity ? '' : `, ${String(least)} or more`
  throw new RangeError(`Expected \`${name}\` to be a whole number${which}, got ${inspectShort(value)}`)
}

/** An option that is on or off, and off where it is left out. */
export function flag(name: string, value: unknown, byDefault = false): boolean {
  if (value === undefined) return byDefault
  if (typeof value === 'boolean') return value
  throw new TypeError(`Expected \`${name}\` to be true or false, got ${inspectShort(value)}`)
}

export function checkedSignal(signal: AbortSignal | undefined): AbortSignal | undefined {
  if (signal === undefined || isAbortSignal(signal)) return signal
  throw notASignal(signal)
}

/** Reads a signal that may not be left out. */
export function neededSignal(signal: AbortSignal): AbortSignal {
  if (isAbortSignal(signal)) return signal
  throw notASignal(signal)
}

function notASignal(signal: unknown): TypeError {
  return new TypeError(`Expected \`signal\` to be an AbortSignal, got ${inspectShort(signal)}`)
}

/** What only looks like one throws as soon as it is asked. */
function isAbortSignal(signal: unknown): boolean {
  try {
    return signal instanceof AbortSignal && typeof signal.aborted === 'boolean'
  } catch {
    return false
  }
}

function notMoreThanNone(name: string, value: number, advice = ''): RangeError {
  return new RangeError(`Expected \`${name}\` to be more than 0 milliseconds, got ${String(value)}${advice}`)
}

function notMilliseconds(name: string, value: unknown): RangeError {
  return new RangeError(`Expected \`${name}\` to be a number of milliseconds, got ${inspectShort(value)}`)
}
