import type { ThreadId } from '../api/thread-id.js'
import { inspectShort } from '../util/inspect-short.js'

/** One logical flow of execution. In Redis it is known by its owner text, `clientId:threadId`. */
export interface Thread {
  /** A positive decimal integer. */
  readonly id: string
  /** The owner, as Redis stores it. */
  readonly owner: string
  /** Whether the user chose the id. Then other places, and other processes, act under it as well, and each of them for all. */
  readonly chosen: boolean
  /**
   * Whether other places can name the thread: the user chose its id, or has read it. Then they may enter as the same owner, and
   * this client's own count of what the thread holds cannot be relied upon.
   */
  shared: boolean
  /** How many locks were taken by this very object, and are still held as far as this client knows. */
  holds: number
}

/** The largest that Java's `long` holds. */
const LARGEST_ID = 2n ** 63n - 1n

/** Marks a thread as known to the user, who may pass it on. */
export function asShared(thread: Thread): Thread {
  thread.shared = true
  return thread
}

/** Reads a thread id that the user gave. */
export function namedThread(clientId: string, threadId: ThreadId): Thread {
  const text = typeof threadId === 'object' ? '' : String(threadId)
  const colon = text.lastIndexOf(':')
  const id = text.slice(colon + 1)
  const client = colon < 0 ? clientId : text.slice(0, colon)
  if (!isThreadNumber(id, threadId) || client === '' || !client.isWellFormed()) {
    throw new RangeError(
      `Expected \`threadId\` to be a positive integer or an owner like \`clientId:threadId\`, got ${inspectShort(threadId)}`,
    )
  }
  return { id, owner: `${client}:${id}`, chosen: true, shared: true, holds: 0 }
}

function isThreadNumber(id: string, given: ThreadId): boolean {
  if (typeof given === 'number' && !Number.isSafeInteger(given)) return false
  return /^[1-9]\d{0,18}$/.test(id) && BigInt(id) <= LARGEST_ID
}
