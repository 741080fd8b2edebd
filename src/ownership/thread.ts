import type { ThreadId } from '../api/thread-id.js'
import { shown } from '../util/shown.js'

/** One logical flow of execution. In Redis it is known by its owner text, `clientId:threadId`. */
export interface Thread {
  /** A positive decimal integer. */
  readonly id: string
  /** The owner, as Redis stores it. */
  readonly owner: string
  /**
   * Whether the user chose the id. Then other places, and other processes, may act under it as well, and this client's
   * own count of what the thread holds cannot be relied upon.
   */
  readonly shared: boolean
}

/** The largest that Java's `long` holds. */
const LARGEST_ID = 2n ** 63n - 1n

/** Reads a thread id that the user gave. */
export function namedThread(clientId: string, threadId: ThreadId): Thread {
  const text = typeof threadId === 'object' ? '' : String(threadId)
  const colon = text.lastIndexOf(':')
  const id = text.slice(colon + 1)
  const client = colon < 0 ? clientId : text.slice(0, colon)
  if (!isThreadNumber(id, threadId) || client === '') {
    throw new RangeError(
      `Expected \`threadId\` to be a positive integer or an owner like \`clientId:threadId\`, got ${shown(threadId)}`,
    )
  }
  return { id, owner: `${client}:${id}`, shared: true }
}

function isThreadNumber(id: string, given: ThreadId): boolean {
  if (typeof given === 'number' && !Number.isSafeInteger(given)) return false
  return /^[1-9]\d{0,18}$/.test(id) && BigInt(id) <= LARGEST_ID
}
