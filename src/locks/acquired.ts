import { integer, list } from '../command/replies.js'
import type { Reply } from '../connection/connection.js'
import { UnexpectedReplyError } from '../errors/reply-errors.js'

/** What Redis says to a claim. */
export type Acquired =
  | {
      readonly taken: true
      /** How often the owner holds the lock now. */
      readonly holds: number
      /** The fencing token, where the lock mints one. */
      readonly token: number | undefined
    }
  /** How long the present holder still has; negative if that cannot be told. */
  | { readonly taken: false; readonly leftMs: number }

const integers = list(integer)

/** Reads what every script answers that takes a lock: 1, the hold count and perhaps a token; or 0, and the time that is left. */
export function acquired(reply: Reply): Acquired {
  const [taken, number, token] = integers(reply)
  if (number === undefined) throw new UnexpectedReplyError('2 items', reply)
  return taken === 1 ? { taken: true, holds: number, token } : { taken: false, leftMs: number }
}
