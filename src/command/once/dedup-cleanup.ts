import { isTransient } from '../../errors/transient.js'
import { chunk } from '../../util/collections/chunk.js'
import { withoutAsyncContext } from '../../util/time/without-async-context.js'

/** How many keys go with one command. */
const KEYS_PER_COMMAND = 100

/** How long a key may wait for others to go with it, in milliseconds. */
const LONGEST_WAIT_MS = 1000

/** How many keys may wait, in all slots: more than come in that time, unless a server is away. What is more than that expires by itself. */
const MOST_KEYS = 50_000

/** A key, and when it has expired by itself, on the monotonic clock. */
interface Remembered {
  readonly key: string
  readonly until: number
}

/**
 * Removes what scripts remember of requests, once their replies have arrived and no copy can follow.
 *
 * One command removes many, and no caller waits for it. What a server could not remove is tried again with what comes later, until it has expired by
 * itself, as everything does that is not removed in this way.
 */
export class DedupCleanup {
  readonly #slotOf: (key: string) => number
  readonly #unlink: (keys: readonly string[]) => Promise<unknown>
  readonly #keys = new Map<number, Remembered[]>()
  #count = 0
  #timer: NodeJS.Timeout | undefined

  constructor(slotOf: (key: string) => number, unlink: (keys: readonly string[]) => Promise<unknown>) {
    this.#slotOf = slotOf
    this.#unlink = unlink
  }

  /** @param lifeMs - for how long the server keeps it at most, from now on */
  forget(key: string, lifeMs: number): void {
    const slot = this.#slotOf(key)
    const waiting = this.#add(slot, [{ key, until: performance.now() + lifeMs }])
    if (waiting % KEYS_PER_COMMAND === 0) void this.#remove(slot)
    this.#removeLater()
  }

  /** Removes everything now. Never rejects. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    await Promise.all([...this.#keys.keys()].map((slot) => this.#remove(slot)))
  }

  async #remove(slot: number): Promise<void> {
    const waiting = this.#keys.get(slot) ?? []
    this.#keys.delete(slot)
    this.#count -= waiting.length
    const left = waiting.filter(({ until }) => performance.now() < until)
    await Promise.all(chunk(left, KEYS_PER_COMMAND).map((part) => this.#unlinkOrKeep(slot, part)))
  }

  async #unlinkOrKeep(slot: number, part: readonly Remembered[]): Promise<void> {
    try {
      await this.#unlink(part.map(({ key }) => key))
    } catch (error) {
      if (!isTransient(error)) return
      this.#add(slot, part)
      this.#removeLater()
    }
  }

  /** Queues keys, as far as there is room. Returns how many are queued in that slot. */
  #add(slot: number, more: readonly Remembered[]): number {
    const waiting = this.#keys.get(slot) ?? []
    const kept = more.slice(0, MOST_KEYS - this.#count)
    waiting.push(...kept)
    if (waiting.length > 0) this.#keys.set(slot, waiting)
    this.#count += kept.length
    return waiting.length
  }

  #removeLater(): void {
    this.#timer ??= withoutAsyncContext(() => setTimeout(() => void this.flush(), LONGEST_WAIT_MS).unref())
  }
}
