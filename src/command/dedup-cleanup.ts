import { isTransient } from '../errors/transient.js'
import { chunk } from '../util/chunk.js'
import { withoutAsyncContext } from '../util/without-async-context.js'

/** How many keys go with one command. */
const KEYS_PER_COMMAND = 100

/** How long a key may wait for others to go with it, in milliseconds. */
const LONGEST_WAIT_MS = 1000

/** How many keys of a slot may wait for a server that cannot remove them now. */
const MOST_KEYS = 10_000

/**
 * Removes what scripts remember of requests, once their replies have arrived and no copy can follow.
 *
 * One command removes many, and no caller waits for it. What a server could not remove is tried again with what comes later; what is not
 * removed in this way expires by itself.
 */
export class DedupCleanup {
  readonly #slotOf: (key: string) => number
  readonly #unlink: (keys: readonly string[]) => Promise<unknown>
  readonly #keys = new Map<number, string[]>()
  #timer: NodeJS.Timeout | undefined

  constructor(slotOf: (key: string) => number, unlink: (keys: readonly string[]) => Promise<unknown>) {
    this.#slotOf = slotOf
    this.#unlink = unlink
  }

  forget(key: string): void {
    const slot = this.#slotOf(key)
    const keys = this.#keys.get(slot) ?? []
    this.#keys.set(slot, keys)
    keys.push(key)
    if (keys.length % KEYS_PER_COMMAND === 0) void this.#remove(slot)
    this.#removeLater()
  }

  /** Removes everything now. Never rejects. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    await Promise.all([...this.#keys.keys()].map((slot) => this.#remove(slot)))
  }

  async #remove(slot: number): Promise<void> {
    const keys = this.#keys.get(slot) ?? []
    this.#keys.delete(slot)
    await Promise.all(chunk(keys, KEYS_PER_COMMAND).map((part) => this.#unlinkOrKeep(slot, part)))
  }

  async #unlinkOrKeep(slot: number, keys: readonly string[]): Promise<void> {
    try {
      await this.#unlink(keys)
    } catch (error) {
      if (!isTransient(error)) return
      this.#keys.set(slot, [...keys, ...(this.#keys.get(slot) ?? [])].slice(-MOST_KEYS))
      this.#removeLater()
    }
  }

  #removeLater(): void {
    this.#timer ??= withoutAsyncContext(() => setTimeout(() => void this.flush(), LONGEST_WAIT_MS).unref())
  }
}
