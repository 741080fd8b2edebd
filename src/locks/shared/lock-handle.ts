import type { LockHold } from './lock.api.js'
import { extensionOf } from '../../core/arguments/arguments.js'
import { refuseSurplus } from '../../core/arguments/options.js'
import { asShared } from '../../ownership/thread.js'
import { afterReading } from '../../util/time/after-reading.js'
import { showOnly } from '../../util/show-only.js'
import type { Entry, Hold } from './hold/hold.js'
import type { LockEngine, Acquisition } from './engine/lock-engine.js'
import { CLIENTS } from '../../util/refused-calls.js'

/** What a handle asks of the lock. */
type HandledBy = Pick<LockEngine, 'closing' | 'isBehind' | 'release' | 'extend' | 'end'>

/** One acquisition, as its holder sees it. */
export class LockHandle implements LockHold {
  static {
    // To look at a hold is not to read its owner: nothing is passed on.
    const seen = (hold: LockHandle) => ({
      name: hold.name,
      owner: hold.#hold.thread.owner,
      isHeld: hold.isHeld,
    })
    showOnly(this, 'LockHold', seen, { json: ({ name, owner, isHeld }) => ({ name, owner, isHeld }) })
    refuseSurplus(this, {
      unlock: 'it ends this hold, and no other',
    })
  }

  readonly #hold: Hold
  readonly #entry: Entry
  readonly #engine: HandledBy

  constructor({ hold, entry }: Acquisition, engine: HandledBy) {
    this.#hold = hold
    this.#entry = entry
    this.#engine = engine
  }

  get [CLIENTS](): readonly AbortSignal[] {
    return this.#engine.closing
  }

  get name(): string {
    return this.#hold.lock
  }

  get threadId(): string {
    return asShared(this.#hold.thread).id
  }

  get owner(): string {
    return asShared(this.#hold.thread).owner
  }

  get fencingToken(): number | undefined {
    return this.#hold.token
  }

  get isHeld(): boolean {
    return this.#hold.has(this.#entry) && this.#hold.loss() === undefined
  }

  get signal(): AbortSignal {
    return this.#hold.signal
  }

  async extend(leaseMs?: number): Promise<void> {
    const taken = { hold: this.#hold, entry: this.#entry }
    if (this.#engine.isBehind) await afterReading()
    await this.#engine.extend(taken, extensionOf(leaseMs, this.#hold.lock))
  }

  async unlock(): Promise<void> {
    if (this.#engine.isBehind) await afterReading()
    await this.#engine.release(this.#hold, this.#entry)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#hold.has(this.#entry)) await this.#engine.end({ hold: this.#hold, entry: this.#entry })
  }
}

/** Makes the handle of an acquisition. Where forgotten holds are reported, this one is followed. */
export function handleOf(taken: Acquisition, engine: HandledBy): LockHandle {
  const handle = new LockHandle(taken, engine)
  taken.entry.watched?.follow(handle)
  return handle
}
