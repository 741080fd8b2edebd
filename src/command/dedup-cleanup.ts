import { withoutAsyncContext } from '../util/without-async-context.js'

/** How many keys go with one command. */
const KEYS_PER_COMMAND = 100

/** How long a key may wait for others to go with it, in milliseconds. */
const LONGEST_WAIT_MS = 1000

/**
 * Removes what scripts remember of requests, once their replies have arrived and no copy can follow.
 *
 * One command removes many, and no caller waits for it. What is not removed in this way expires by itself.
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
    if (keys.length >= KEYS_PER_COMMAND) void this.#remove(slot)
    this.#timer ??= withoutAsyncContext(() => setTimeout(() => void this.flush(), LONGEST_WAIT_MS).unref())
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
    if (keys.length > 0) await this.#unlink(keys).catch(() => undefined)
  }
}
