import { CommandError, notAnInteger } from '../command-error.js'
import { demandInteger } from '../numbers.js'
import type { Bytes } from '../reply.js'
import type { Context } from './command.js'

/** What a word such as `PX` means for the time at which a key expires. */
export interface Unit {
  readonly factor: bigint
  readonly isAbsolute: boolean
}

/** The words of SET and GETEX. */
export const UNITS: Readonly<Record<string, Unit>> = {
  EX: { factor: 1000n, isAbsolute: false },
  PX: { factor: 1n, isAbsolute: false },
  EXAT: { factor: 1000n, isAbsolute: true },
  PXAT: { factor: 1n, isAbsolute: true },
}

const LARGEST = 2n ** 63n - 1n

/** When a key expires, in milliseconds. Throws if the time does not fit in 64 bits, or if it has to be positive and is not. */
export function expiryOf(
  text: Bytes,
  { factor, isAbsolute }: Unit,
  { now, command, isAhead }: { now: number; command: Bytes; isAhead: boolean },
): number {
  const amount = demandInteger(text, notAnInteger)
  const invalid = new CommandError(`ERR invalid expire time in '${command}' command`)
  if (isAhead && amount <= 0n) throw invalid
  const limit = LARGEST / factor
  if (amount > limit || amount < -limit) throw invalid
  const time = amount * factor + (isAbsolute ? 0n : BigInt(now))
  if (time > LARGEST) throw invalid
  return Number(time)
}

/** Has a key expire at a time. If that is over, the key is deleted at once. */
export function setExpiry({ server, database, notify }: Context, key: Bytes, time: number): void {
  if (time <= server.now) {
    database.remove(key)
    notify('g', 'del', key)
  } else {
    database.expireAt(key, time)
    notify('g', 'expire', key)
  }
}

/** The words `NX`, `XX`, `GT` and `LT` of the commands that set when a key expires. */
export interface Condition {
  readonly onlyIfNone: boolean
  readonly onlyIfSet: boolean
  readonly onlyIfLater: boolean
  readonly onlyIfSooner: boolean
}

export function conditionOf(words: readonly Bytes[]): Condition {
  const given = new Set(words.map((each) => each.toUpperCase()))
  const unknown = words.find((each) => !['NX', 'XX', 'GT', 'LT'].includes(each.toUpperCase()))
  if (unknown !== undefined) throw new CommandError(`ERR Unsupported option ${unknown}`)
  if (given.has('NX') && given.size > 1)
    throw new CommandError('ERR NX and XX, GT or LT options at the same time are not compatible')
  if (given.has('GT') && given.has('LT'))
    throw new CommandError('ERR GT and LT options at the same time are not compatible')
  return {
    onlyIfNone: given.has('NX'),
    onlyIfSet: given.has('XX'),
    onlyIfLater: given.has('GT'),
    onlyIfSooner: given.has('LT'),
  }
}

/** Whether the expiry of a key may be changed from one time to another. No expiry counts as the latest. */
export function allows(
  { onlyIfNone, onlyIfSet, onlyIfLater, onlyIfSooner }: Condition,
  present: number | undefined,
  next: number,
): boolean {
  if (onlyIfNone && present !== undefined) return false
  if (onlyIfSet && present === undefined) return false
  if (onlyIfLater && (present === undefined || next <= present)) return false
  return !(onlyIfSooner && present !== undefined && next >= present)
}
