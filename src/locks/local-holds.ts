import type { Hold } from './hold.js'

/** What this client holds of the locks of one family, by name and owner. */
export class LocalHolds {
  readonly #holds = new Map<string, Map<string, Hold>>()

  get(name: string, owner: string): Hold | undefined {
    return this.#holds.get(name)?.get(owner)
  }

  /** Every hold of one lock. */
  of(name: string): Hold[] {
    return [...(this.#holds.get(name)?.values() ?? [])]
  }

  add(name: string, hold: Hold): void {
    const holds = this.#holds.get(name)
    if (holds === undefined) this.#holds.set(name, new Map([[hold.thread.owner, hold]]))
    else holds.set(hold.thread.owner, hold)
  }

  remove(name: string, hold: Hold): void {
    const holds = this.#holds.get(name)
    if (holds?.get(hold.thread.owner) !== hold) return
    holds.delete(hold.thread.owner)
    if (holds.size === 0) this.#holds.delete(name)
  }
}
