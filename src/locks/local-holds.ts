import type { LockLostError } from '../errors/lock-errors.js'
import type { Thread } from '../ownership/thread.js'
import type { Hold } from './hold.js'

/** What this client holds of the locks of one family, by name and owner. */
export class LocalHolds {
  /** Most locks have one holder, for whom a map of his own would be larger than all the rest. */
  readonly #holds = new Map<string, Hold | Map<string, Hold>>()
  /** What threads have lost and not taken again, by the name of the lock. */
  readonly #losses = new WeakMap<Thread, Map<string, LockLostError>>()

  get(name: string, owner: string): Hold | undefined {
    const held = this.#holds.get(name)
    if (held instanceof Map) return held.get(owner)
    return held?.thread.owner === owner ? held : undefined
  }

  /** Every hold of one lock. */
  of(name: string): Hold[] {
    const held = this.#holds.get(name)
    if (held instanceof Map) return [...held.values()]
    return held === undefined ? [] : [held]
  }

  add(name: string, hold: Hold): void {
    const { owner } = hold.thread
    this.#losses.get(hold.thread)?.delete(name)
    const held = this.#holds.get(name)
    if (held instanceof Map) held.set(owner, hold)
    else if (held === undefined || held.thread.owner === owner) this.#holds.set(name, hold)
    else this.#holds.set(name, new Map([held, hold].map((one) => [one.thread.owner, one])))
  }

  remove(name: string, hold: Hold): void {
    const held = this.#holds.get(name)
    if (held === hold) this.#holds.delete(name)
    if (!(held instanceof Map) || held.get(hold.thread.owner) !== hold) return
    held.delete(hold.thread.owner)
    if (held.size === 0) this.#holds.delete(name)
  }

  /** Removes a hold that is lost, of which its thread may not know yet. */
  removeLost(name: string, hold: Hold, error: LockLostError): void {
    this.remove(name, hold)
    const losses = this.#losses.get(hold.thread) ?? new Map<string, LockLostError>()
    this.#losses.set(hold.thread, losses.set(name, error))
  }

  /** Why a thread that held a lock does so no more; undefined if it did not lose it. */
  lossOf(name: string, thread: Thread): LockLostError | undefined {
    return this.#losses.get(thread)?.get(name)
  }
}
