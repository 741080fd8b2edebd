import type { MessageBytes } from '../stream-replies.js'

/** How many bytes the messages of one reply have together, roughly. */
const LARGE = 1024 * 1024

/**
 * How many messages the next reply brings: one at first, then about a megabyte of them by the average of the last reply. Redis cannot bound the bytes of a
 * reply, and the time until others may claim its messages begins before the first of them is sent. After a reply that took longer it is half as many bytes.
 */
export class ReplySize {
  readonly #batch: number
  readonly #patienceMs: number
  #bytes = LARGE
  #count = 1

  /**
   * @param batch - how many messages a reply brings at most
   * @param patienceMs - how long a reply may take, in milliseconds
   */
  constructor(batch: number, patienceMs: number) {
    this.#batch = batch
    this.#patienceMs = patienceMs
  }

  get count(): number {
    return this.#count
  }

  /**
   * Takes note of the messages of a reply.
   *
   * @param elapsedMs - how long it took, in milliseconds
   */
  note(messages: readonly MessageBytes[], elapsedMs: number): void {
    if (messages.length === 0) return
    const bytes = messages.reduce((sum, message) => sum + sizeOf(message), 0)
    this.#bytes = elapsedMs < this.#patienceMs ? Math.min(2 * this.#bytes, LARGE) : bytes / 2
    const fitting = Math.floor((this.#bytes * messages.length) / bytes)
    this.#count = Math.min(Math.max(fitting, 1), this.#batch)
  }
}

/** How many bytes a message has: at least one. */
function sizeOf({ fields }: MessageBytes): number {
  return fields.reduce((sum, [name, value]) => sum + name.length + value.length, 1)
}
