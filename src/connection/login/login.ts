import { isRecord } from '../../config/readers.js'

/** New credentials are requested when this part of their time is left, but no earlier than {@link MOST_LEFT_MS} before their end. */
const PART_LEFT = 1 / 5

/** The longest time before their end at which new credentials are requested, in milliseconds. Cloud providers expect minutes. */
const MOST_LEFT_MS = 300_000

/** The credentials for a server. The times are on the monotonic clock, and `Infinity` for never. */
export interface Login {
  readonly username: string | undefined
  readonly password: string
  /** When new credentials are requested. */
  readonly renewAt: number
  /** When servers stop accepting these. */
  readonly endsAt: number
}

/**
 * Reads what the program has returned as credentials.
 *
 * @param refused - makes the error for a problem; the words contain nothing of the credentials
 */
export function readLogin(returned: unknown, refused: (problem: string) => Error): Login {
  if (!isRecord(returned)) throw refused('has returned no object with a `password`')
  const { username, password, expiresAt } = returned
  if (typeof password !== 'string' || password === '')
    throw refused('has returned a `password` that is no text, or empty')
  if (!isAbsent(username) && typeof username !== 'string')
    throw refused('has returned a `username` that is no text')
  const leftMs = isAbsent(expiresAt) ? Infinity : momentOf(expiresAt) - Date.now()
  if (Number.isNaN(leftMs))
    throw refused(
      'has returned an `expiresAt` that is neither a number of milliseconds since 1970 nor a Date',
    )
  if (leftMs <= 0)
    throw refused(
      'has returned credentials that have expired: their `expiresAt`, in milliseconds since 1970, has passed',
    )
  const endsAt = performance.now() + leftMs
  return {
    username: isAbsent(username) || username === '' ? undefined : username,
    password,
    endsAt,
    renewAt: endsAt === Infinity ? Infinity : endsAt - Math.min(leftMs * PART_LEFT, MOST_LEFT_MS),
  }
}

/** Returns whether servers still accept it, as far as is known. */
export function isGood({ endsAt }: Login): boolean {
  return performance.now() < endsAt
}

/**
 * Returns the same login, to be renewed after half of the time that is left, since the new ones are not accepted yet.
 *
 * @param pauseMs - the shortest time until then
 */
export function renewedLater(login: Login, pauseMs: number): Login {
  const now = performance.now()
  const waitMs = Math.max(pauseMs, (login.endsAt - now) / 2)
  return { ...login, renewAt: Math.min(now + waitMs, login.endsAt) }
}

function isAbsent(value: unknown): value is undefined | null {
  return value === undefined || value === null
}

function momentOf(value: unknown): number {
  return typeof value === 'number' || value instanceof Date ? Number(value) : NaN
}
