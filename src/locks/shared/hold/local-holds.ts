import type { LockLostError } from '../../../errors/lock-errors.js'
import type { Thread } from '../../../ownership/thread.js'
import type { Hold } from './hold.js'
import type { LockIdentity } from './lock-names.js'

/** How many losses of one thread are remembered. */
const MOST_LOSSES = 16

interface Loss {
  readonly error: LockLostError
  readonly hold: Hold
}

/** What this client holds of the locks of one family, by identity and owner. */
export class LocalHolds {
  /** Most locks have one holder, for whom a map of his own would be larger than all the rest. */
  readonly #holds = new Map<LockIdentity, Hold | Map<string, Hold>>()
  /** What threads have lost and not taken again, by the identity of the lock. */
  readonly #losses = new WeakMap<Thread, Map<LockIdentity, Loss>>()

  get(identity: LockIdentity, owner: string): Hold | undefined {
    const held = this.#holds.get(identity)
    if (held instanceof Map) return held.get(owner)
    return held?.thread.owner === owner ? held : undefined
  }

  /** Every hold of one lock. */
  of(identity: LockIdentity): Hold[] {
    const held = this.#holds.get(identity)
    if (held instanceof Map) return [...held.values()]
    return held === undefined ? [] : [held]
  }

  /** What an owner holds of one lock. */
  by(identity: LockIdentity, owner: string): Hold[] {
    const hold = this.get(identity, owner)
    return hold === undefined ? [] : [hold]
  }

  add(identity: LockIdentity, hold: Hold): void {
    const { owner } = hold.thread
    // What `unlock()` has still to report stays: it would release what an outer flow holds instead.
    if (!this.owesUnlock(identity, hold.thread)) this.#losses.get(hold.thread)?.delete(identity)
    hold.thread.holds += 1
    const held = this.#holds.get(identity)
    if (held instanceof Map) held.set(owner, hold)
    else if (held === undefined || held.thread.owner === owner) this.#holds.set(identity, hold)
    else this.#holds.set(identity, new Map([held, hold].map((one) => [one.thread.owner, one])))
  }

  remove(identity: LockIdentity, hold: Hold): void {
    const { thread } = hold
    if (this.get(identity, thread.owner) !== hold) return
    thread.holds -= 1
    const held = this.#holds.get(identity)
    if (held instanceof Map) held.delete(thread.owner)
    if (!(held instanceof Map) || held.size === 0) this.#holds.delete(identity)
  }

  /** Removes a hold that is lost, of which its thread may not know yet. The oldest of many losses is forgotten. */
  removeLost(identity: LockIdentity, hold: Hold, error: LockLostError): void {
    this.remove(identity, hold)
    const losses = this.#losses.get(hold.thread) ?? new Map<LockIdentity, Loss>()
    this.#losses.set(hold.thread, losses)
    losses.delete(identity)
    for (const oldest of losses.keys()) {
      if (losses.size < MOST_LOSSES) break
      losses.delete(oldest)
    }
    losses.set(identity, { error, hold })
  }

  /** Why a thread that held a lock does so no more; undefined if it did not lose it. */
  lossOf(identity: LockIdentity, thread: Thread): LockLostError | undefined {
    return this.#losses.get(thread)?.get(identity)?.error
  }

  /** Whether an `unlock()` of the thread has still to learn that its hold was lost. */
  owesUnlock(identity: LockIdentity, thread: Thread): boolean {
    return this.lostBy(identity, thread)?.lastByUnlock !== undefined
  }

  /** The hold that a thread has lost and not taken again, or not tried to release yet. */
  lostBy(identity: LockIdentity, thread: Thread): Hold | undefined {
    return this.#losses.get(thread)?.get(identity)?.hold
  }
}
