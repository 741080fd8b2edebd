import { LinkedList } from '../../../util/collections/linked-list.js'

/** Says which of some keys was used least often; of several the one whose last use was the longest ago. Each call takes O(1). */
export class LeastUsed {
  readonly #counts = new Map<string, number>()
  /** The keys of each count, the one whose last use was the longest ago first. */
  readonly #keys = new Map<number, LinkedList<string>>()
  /** No key has a smaller count. */
  #least = 1

  get first(): string | undefined {
    while (this.#counts.size > 0 && !this.#keys.has(this.#least)) this.#least += 1
    return this.#keys.get(this.#least)?.first
  }

  /** Notes a use of a key. */
  use(key: string): void {
    const count = this.#counts.get(key) ?? 0
    this.delete(key)
    this.#counts.set(key, count + 1)
    this.#keysOf(count + 1).add(key)
    if (count === 0) this.#least = 1
  }

  delete(key: string): void {
    const count = this.#counts.get(key)
    if (count === undefined) return
    this.#counts.delete(key)
    const keys = this.#keys.get(count)
    keys?.delete(key)
    if (keys?.size === 0) this.#keys.delete(count)
  }

  clear(): void {
    this.#counts.clear()
    this.#keys.clear()
  }

  #keysOf(count: number): LinkedList<string> {
    const known = this.#keys.get(count)
    if (known !== undefined) return known
    const keys = new LinkedList<string>()
    this.#keys.set(count, keys)
    return keys
  }
}
