import type { LockLostError } from '../../../errors/lock-errors.js'
import type { Thread } from '../../../ownership/thread.js'
import type { Hold } from './hold.js'

/** How many losses of one thread are remembered. */
const MOST_LOSSES = 16

interface Loss {
  readonly error: LockLostError
  readonly hold: Hold
}

/** What this client holds of the locks of one family, by name and owner. */
export class LocalHolds {
  /** Most locks have one holder, for whom a map of his own would be larger than all the rest. */
  readonly #holds = new Map<string, Hold | Map<string, Hold>>()
  /** What threads have lost and not taken again, by the name of the lock. */
  readonly #losses = new WeakMap<Thread, Map<string, Loss>>()

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

  /** What an owner holds of one lock. */
  by(name: string, owner: string): Hold[] {
    const hold = this.get(name, owner)
    return hold === undefined ? [] : [hold]
  }

  /** Every hold of every lock. */
  *all(): Generator<Hold> {
    for (const held of this.#holds.values())
      if (held instanceof Map) yield* held.values()
      else yield held
  }

  add(name: string, hold: Hold): void {
    const { owner } = hold.thread
    // What `unlock()` has still to report stays: it would release what an outer flow holds instead.
    if (!this.owesUnlock(name, hold.thread)) this.#losses.get(hold.thread)?.delete(name)
    hold.thread.holds += 1
    const held = this.#holds.get(name)
    if (held instanceof Map) held.set(owner, hold)
    else if (held === undefined || held.thread.owner === owner) this.#holds.set(name, hold)
    else this.#holds.set(name, new Map([held, hold].map((one) => [one.thread.owner, one])))
  }

  remove(name: string, hold: Hold): void {
    const { thread } = hold
    if (this.get(name, thread.owner) !== hold) return
    thread.holds -= 1
    const held = this.#holds.get(name)
    if (held instanceof Map) held.delete(thread.owner)
    if (!(held instanceof Map) || held.size === 0) this.#holds.delete(name)
  }

  /** Removes a hold that is lost, of which its thread may not know yet. The oldest of many losses is forgotten. */
  removeLost(name: string, hold: Hold, error: LockLostError): void {
    this.remove(name, hold)
    const losses = this.#losses.get(hold.thread) ?? new Map<string, Loss>()
    this.#losses.set(hold.thread, losses)
    losses.delete(name)
    for (const oldest of losses.keys()) {
      if (losses.size < MOST_LOSSES) break
      losses.delete(oldest)
    }
    losses.set(name, { error, hold })
  }

  /** Why a thread that held a lock does so no more; undefined if it did not lose it. */
  lossOf(name: string, thread: Thread): LockLostError | undefined {
    return this.#losses.get(thread)?.get(name)?.error
  }

  /** Whether an `unlock()` of the thread has still to learn that its hold was lost. */
  owesUnlock(name: string, thread: Thread): boolean {
    return this.lostBy(name, thread)?.lastByUnlock !== undefined
  }

  /** The hold that a thread has lost and not taken again, or not tried to release yet. */
  lostBy(name: string, thread: Thread): Hold | undefined {
    return this.#losses.get(thread)?.get(name)?.hold
  }
}
