import type { LockLostError, LockNotHeldError } from '../../../errors/lock-errors.js'
import type { Thread } from '../../../ownership/thread.js'
import type { Entry, Hold } from '../hold/hold.js'
import type { LockName } from '../hold/lock-names.js'
import { acquire } from './acquire.js'
import { endHold } from './end-of-hold.js'
import { holdOf, lose } from './holds.js'
import { extend, setLease } from './lease.js'
import type { LockEngine, Acquisition } from './lock-engine.js'
import type { Inspection } from './lock-driver.js'
import { lockOrderKey } from './lock-order-key.js'
import type { LockRequest } from './lock-request.js'
import { placeOf, type LockState } from './lock-state.js'
import { notHeld } from './not-held.js'
import { release, releaseFor } from './release.js'

/** The engine of a lock that is one in Redis. */
export class SingleLockEngine implements LockEngine {
  readonly name: LockName
  readonly #lock: LockState

  constructor(lock: LockState) {
    this.name = lock.name
    this.#lock = lock
  }

  get kind(): string {
    return this.#lock.driver.renewal.name
  }

  get keys(): string {
    return this.#lock.key
  }

  get place(): string {
    return placeOf(this.#lock)
  }

  get orderKey(): string {
    return lockOrderKey(this.#lock.orderKey, this.#lock.context.config.server)
  }

  get redisOrderKey(): string {
    return lockOrderKey(this.#lock.key, this.#lock.context.config.server)
  }

  get closing(): readonly AbortSignal[] {
    return [this.#lock.context.closing]
  }

  get isClosing(): boolean {
    return this.#lock.context.closing.aborted
  }

  get isBehind(): boolean {
    return this.#lock.context.renewal.isBehind
  }

  holdOf(thread: Thread): Hold | undefined {
    return holdOf(this.#lock, thread)
  }

  owesUnlock(thread: Thread): boolean {
    return this.#lock.holds.owesUnlock(this.#lock.identity, thread)
  }

  acquire(thread: Thread, request: LockRequest, how: Omit<Entry, 'renewed'>): Promise<Acquisition> {
    return acquire(this.#lock, thread, request, how)
  }

  setLease(taken: Acquisition, leaseMs: number): Promise<void> {
    return setLease(this.#lock, taken, leaseMs)
  }

  extend(taken: Acquisition, leaseMs: number | undefined): Promise<void> {
    return extend(this.#lock, taken, leaseMs)
  }

  stopRenewal({ hold, entry }: Acquisition): void {
    if (hold.has(entry)) hold.endRenewal(entry)
  }

  release(hold: Hold, entry: Entry): Promise<void> {
    return release(this.#lock, hold, entry)
  }

  end(taken: Acquisition, waitMs?: number): Promise<LockLostError | undefined> {
    return endHold(this.#lock.context, this, taken, waitMs)
  }

  releaseFor(thread: Thread): Promise<void> {
    return releaseFor(this.#lock, thread)
  }

  waitFirstFor(thread: Thread, open: Promise<unknown>, group: number): void {
    const { cleanups, counterKey, driver } = this.#lock
    cleanups.add(counterKey, driver.fieldOf(thread.owner), open, group)
  }

  async forceRelease(): Promise<boolean> {
    const { identity, driver, beside, holds } = this.#lock
    const before = new Set(holds.of(identity))
    const freed = await driver.forceRelease()
    const after = holds.of(identity)
    for (const hold of after) if (freed && before.has(hold)) lose(this.#lock, hold, 'forced')
    // A hold that began while the request was under way may have begun before or after it was carried out.
    const unsure = [...after, ...(freed ? beside() : [])].filter((hold) => hold.loss() === undefined)
    await Promise.all(unsure.map((hold) => hold.loseIfForced()))
    return freed
  }

  inspect(thread?: Thread): Promise<Inspection> {
    const { driver } = this.#lock
    return driver.inspect(thread === undefined ? '' : driver.fieldOf(thread.owner))
  }

  notHeld(owner: string | undefined, hint: string, cause?: Error): Promise<LockNotHeldError> {
    return notHeld(this.#lock, owner, hint, cause)
  }
}
