import { SenderIds } from './sender-ids.js'

/** How many of its messages a client waits for. Those beyond that are as good as those of others. */
const MOST_AWAITED = 10_000

/** What a message is about: the hashes of some keys, or all keys. */
type About = readonly string[] | 'all'

/**
 * The messages that this object has published, or is about to, and has not received yet. Each has an id of its own, by which it is known when it
 * arrives, and how far the stream of all messages has come.
 */
export class OwnMessages {
  readonly #awaited = new Map<string, About>()
  /** For how many of them each key is waited for. */
  readonly #keys = new Map<string, number>()
  #all = 0
  readonly #ids: SenderIds

  constructor(database: number) {
    this.#ids = new SenderIds(database)
  }

  /** A new id. */
  next(): Buffer {
    return this.#ids.next()
  }

  /** Waits for a message. Returns whether others that were waited for were given up. */
  expect(id: string, about: About): boolean {
    const isFull = this.#awaited.size >= MOST_AWAITED
    if (isFull) this.clear()
    this.#awaited.set(id, about)
    this.#count(about, 1)
    return isFull
  }

  /** Waits for a message no more: it has arrived, or is as good as one of others from now on. Returns whether it was waited for. */
  settle(id: string): boolean {
    const about = this.#awaited.get(id)
    if (about === undefined) return false
    this.#awaited.delete(id)
    this.#count(about, -1)
    return true
  }

  /** Whether a message is still to be received. */
  isExpected(id: string): boolean {
    return this.#awaited.has(id)
  }

  /** Whether a change of the key that was made here is to be received yet. */
  isAwaited(hash: string): boolean {
    return this.#all > 0 || this.#keys.has(hash)
  }

  clear(): void {
    this.#awaited.clear()
    this.#keys.clear()
    this.#all = 0
  }

  #count(about: About, by: 1 | -1): void {
    if (about === 'all') {
      this.#all += by
      return
    }
    for (const hash of about) {
      const count = (this.#keys.get(hash) ?? 0) + by
      if (count > 0) this.#keys.set(hash, count)
      else this.#keys.delete(hash)
    }
  }
}
