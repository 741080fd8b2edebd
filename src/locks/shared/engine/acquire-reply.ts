import { integer, list, text, tuple } from '../../../command/operation/replies.js'
import type { Reply } from '../../../connection/connection.js'
import { hasReturned } from '../../../errors/lasting-failure.js'

/** What Redis says to a claim. */
export type AcquireReply =
  | {
      readonly taken: true
      /** How often the owner holds the lock now. */
      readonly holds: number
      /** The fencing token, where the lock mints one. */
      readonly token: number | undefined
    }
  | Refused

/** What Redis says to a claim that it does not meet. */
export interface Refused {
  readonly taken: false
  /** How long the present holder still has, in milliseconds; negative if that is unknown. */
  readonly leftMs: number
  /** The present holder, or one of them, where the script says so. */
  readonly holder?: string
  /** The first in the queue of a lock that is free, where the script says so. */
  readonly first?: string
  /** Whether the claim has a new place in the queue; false where the script does not say so. */
  readonly placed: boolean
}

const items = list((item) => item)

/**
 * Reads what every script returns that takes a lock: the hold count alone; 1, the hold count and perhaps a token; or 0, the time that is left,
 * and the holder if there is one; or 2, when to ask again, and who is the first in the queue of a lock that is free. One more item says that the
 * claim has a new place in the queue.
 */
export function acquired(reply: Reply): AcquireReply {
  if (!Array.isArray(reply)) return { taken: true, holds: integer(reply), token: undefined }
  const [taken = null, number = null, more, placed] = items(reply)
  if (integer(taken) === 1)
    return { taken: true, holds: integer(number), token: more === undefined ? undefined : integer(more) }
  const who = more !== undefined && { [integer(taken) === 2 ? 'first' : 'holder']: text(more) }
  return { taken: false, leftMs: integer(number), placed: placed !== undefined, ...who }
}

/** Reads what a script returns that takes a lock with a token: for the first hold the token alone. */
export function acquiredWithToken(reply: Reply): AcquireReply {
  return Array.isArray(reply) ? acquired(reply) : { taken: true, holds: 1, token: integer(reply) }
}

const someLeft = tuple(integer, integer)

/**
 * Reads what scripts return that release a hold: where it was the last one, how many clients heard of it; otherwise the holds that remain (-1: there
 * were none), and how many clients heard.
 */
export function released(reply: Reply): readonly [remaining: number, heard: number] {
  return Array.isArray(reply) ? someLeft(reply) : [0, integer(reply)]
}

/** What became of the hold of an owner whose lock was to be taken over. */
export const ENDED = 1
export const THERE_WAS_NONE = -1

/** What Redis says to a claim that takes the place of the present holder. */
export interface TookOver {
  readonly acquired: AcquireReply
  /** What became of the hold of the owner before: it has ended (1), it is still there (0), or there was none (-1). */
  readonly released: number
}

/** Reads what scripts return that take a lock over from its owner: that of the others, with a number more in between. */
export function tookOver(reply: Reply): TookOver {
  const [taken = null, number = null, released = null, ...more] = items(reply)
  return { acquired: acquired([taken, number, ...more]), released: integer(released) }
}

/** What a script of a lock that cannot be entered twice says to the owner who holds it. */
const REACQUIRED = 'NON_REENTRANT_REACQUIRE'

/** Whether a lock that cannot be entered twice has refused its owner. */
export function isReacquired(error: unknown): boolean {
  return hasReturned(error, REACQUIRED)
}
