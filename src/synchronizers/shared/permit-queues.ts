import { WaitQueues } from '../../waiting/wait-queues.js'
import { demandReachable } from '../../core/context/still-wanted.js'
import type { LockContext } from '../../core/context/object-context.js'
import { PermitQueue, type PermitSource } from './permit-queue.js'
import type { Claim } from './permit-waiters.js'

/** The waiters of this process for permits of one kind, by the key of the semaphore. */
export class PermitQueues<C extends Claim, T extends object | number> {
  readonly #context: LockContext
  readonly #queues = new WaitQueues<PermitQueue<C, T>>()

  constructor(context: LockContext) {
    this.#context = context
  }

  /** Whether callers of this process wait for permits. */
  isWaitedFor(key: string): boolean {
    return this.#queues.of(key) !== undefined
  }

  /** Notes that permits have gone to Redis, and how many clients received the message. */
  freed(key: string, heard: number): void {
    this.#queues.of(key)?.freed(heard)
  }

  /** Serves the first waiters without a request, if it may: see {@link PermitQueue.passOn}. */
  passOn(key: string, permits: number, shareOf: (claim: C) => T): boolean {
    return this.#queues.of(key)?.passOn(permits, shareOf) === true
  }

  /**
   * Waits until there are permits; returns undefined when the time is over.
   *
   * A caller that finds the queue empty tries at once, and so does one that does not wait.
   */
  async obtain(key: string, claim: C, source: PermitSource<C, T>): Promise<T | undefined> {
    claim.signal?.throwIfAborted()
    if (claim.waitMs === 0 || !this.isWaitedFor(key)) {
      const { got } = await source.ask([claim], claim.initial, claim)
      if (got.length > 0) return got[0]
    }
    if (claim.deadline.passed) return undefined
    const open = () => new PermitQueue(this.#context, source)
    const got = await this.#queues.join(key, open, (queue) => queue.wait(claim))
    if (got === undefined) demandReachable(this.#context)
    return got
  }
}
