import type { SyncedResult, TimedResult } from '../../command/operation/command-executor.js'
import type { Script } from '../../command/operation/script.js'
import {
  lockChannel,
  lockHeartbeats,
  lockQueue,
  lockTimeouts,
  idempotencyKey,
} from '../../core/context/names.js'
import type { WaitQueues } from '../../waiting/wait-queues.js'
import type { LockContext } from '../../core/context/object-context.js'
import type { LockKey } from '../shared/hold/lock-names.js'
import { Lease, type RenewalKind } from '../../renewal/lease.js'
import { ENDED, THERE_WAS_NONE, type AcquireReply, type TookOver } from '../shared/engine/acquire-reply.js'
import { FairQueue, QueuedFairRequest } from './fair-queue.js'
import { forceRelease, leave, release, takeOver, undo } from './fair-lock.scripts.js'
import type { Hold } from '../shared/hold/hold.js'
import {
  type Attempting,
  type AcquireRequest,
  type Inspection,
  type LockDriver,
  type ReleaseRequest,
  type AcquireResult,
} from '../shared/engine/lock-driver.js'
import { inspectHash, setLeaseOfHash } from '../reentrant/lock-hash.js'
import { passOn } from '../shared/queue/pass-on.js'
import { releaseOptions } from '../shared/engine/release-options.js'
import type { WaiterHeartbeats } from '../shared/queue/waiter-heartbeats.js'

/** How long a waiter counts as alive after its last heartbeat, in milliseconds. */
export const WAITER_ALIVE_MS = 3600

/** This client's queues of waiters for fair locks, by the name of the lock. */
export type FairQueues = WaitQueues<FairQueue>

export interface FairVariant {
  readonly renewal: RenewalKind
  readonly acquire: Script<
    'lock' | 'request' | 'queue' | 'timeouts' | 'heartbeats',
    'leaseMs' | 'owner' | 'holds' | 'stale' | 'patient' | 'aliveMs' | 'foreignWaitMs',
    AcquireReply
  >
  /** Sends Redis the heartbeats of the waiters. */
  readonly waiting: { readonly waiters: WaiterHeartbeats; readonly kind: RenewalKind }
  readonly queues: FairQueues
  /** Returns this client's holds of the lock. */
  readonly holds: () => readonly Hold[]
}

/** The protocol of a fair lock: that of an `RLock`, with a queue and a channel for each waiter. */
export class FairLockDriver implements LockDriver {
  readonly renewal: RenewalKind
  readonly #context: LockContext
  readonly #keys: Readonly<Record<'lock' | 'queue' | 'timeouts' | 'heartbeats' | 'channel', string>>
  readonly #acquire: FairVariant['acquire']
  readonly #waiting: FairVariant['waiting']
  readonly #queues: FairQueues
  readonly #queueOptions: ConstructorParameters<typeof FairQueue>[1]

  constructor(context: LockContext, key: LockKey, variant: FairVariant) {
    const { renewal, acquire, waiting, queues, holds } = variant
    this.renewal = renewal
    this.#context = context
    this.#acquire = acquire
    this.#waiting = waiting
    this.#queues = queues
    this.#queueOptions = {
      channelOf: (owner) => `${this.#keys.channel}:${owner}`,
      heldForMs: () => lastingMs(holds()),
    }
    this.#keys = {
      lock: key,
      queue: lockQueue(key),
      timeouts: lockTimeouts(key),
      heartbeats: lockHeartbeats(key),
      channel: lockChannel(key),
    }
  }

  fieldOf(owner: string): string {
    return owner
  }

  acquire(claim: AcquireRequest, request: string, replicas: number): Promise<SyncedResult<AcquireReply>> {
    const { owner, holds, stale = 0, leaseMs, replyBy, sending } = claim
    const args = {
      leaseMs,
      owner,
      holds,
      stale,
      patient: claim.waitMs > 0 ? 1 : 0,
      aliveMs: WAITER_ALIVE_MS,
      foreignWaitMs: this.#context.config.fairLockWaitTimeoutMs,
    }
    const call = { keys: { ...this.#keys, request }, args }
    const options = { replyBy, sending, endOfWaiting: this.#context.closing, remember: holds === 0 }
    const answer = this.#context.executor.runSynced(this.#acquire, call, replicas, options)
    return this.#waiting.waiters.asks(claim, answer)
  }

  async undo({ owner, holds }: AcquireRequest, request: string): Promise<void> {
    const call = { keys: { ...this.#keys, request }, args: { owner, holds } }
    await this.#context.executor.run(undo, call, { remember: true, keep: true })
  }

  async release(given: ReleaseRequest): Promise<number> {
    const { owner, holdCountBefore: holds, stale, leaseMs, idempotencyKey: request, isRetry: again } = given
    const queue = this.#queues.of(this.#keys.lock)
    const answer = queue && holds === 1 && !again ? this.#passOn(queue, owner) : undefined
    const tookOver = answer && (await answer.catch(unknown))
    if (tookOver?.released === ENDED) {
      if (!tookOver.acquired.taken) this.#look()
      return 0
    }
    if (tookOver?.released === THERE_WAS_NONE) return -1
    const args = { owner, holds, stale, leaseMs }
    const call = { keys: { ...this.#keys, request }, args }
    // After a request of unknown outcome, this one is a copy of the holder's part of it.
    const options = releaseOptions(given, this.#context.config, answer !== undefined)
    const remaining = await this.#context.executor.run(release, call, options)
    if (remaining <= 0) this.#look()
    return remaining
  }

  /** Sets the lease. Waiters learn by their heartbeats how long it lasts. */
  setLease(owner: string, leaseMs: number): Promise<boolean> {
    const args = { owner, leaseMs }
    return setLeaseOfHash(this.#context.executor, { keys: this.#keys, args, silent: true })
  }

  async forceRelease(): Promise<boolean> {
    const call = { keys: this.#requestKeys(), args: {} }
    const freed = await this.#context.executor.run(forceRelease, call, { remember: true })
    this.#look()
    return freed === 1
  }

  inspect(owner: string): Promise<Inspection> {
    return inspectHash(this.#context.executor, this.#keys.lock, owner)
  }

  /** Returns whether there is a first attempt before the waiting. A caller that waits makes it in the queue, where it takes a place. */
  triesFirst({ waitMs }: AcquireRequest): boolean {
    return waitMs === 0
  }

  /** Waits in the queue. A waiter that gives up leaves it. */
  wait(claim: AcquireRequest, attempt: Attempting): Promise<AcquireResult | undefined> {
    const wait = () => this.#waitInQueue(claim, attempt)
    const leave = () => this.#leave(claim.owner)
    return this.#waiting.waiters.runAsWaiter(claim, { place: this.#keys.lock, attempt, wait, leave })
  }

  #waitInQueue(claim: AcquireRequest, attempt: Attempting): Promise<AcquireResult | undefined> {
    const { waiters, kind } = this.#waiting
    const name = this.#keys.lock
    const open = () => new FairQueue(this.#context, this.#queueOptions)
    return this.#queues.join(name, open, async (queue) => {
      const waiter: QueuedFairRequest = new QueuedFairRequest(claim, async (send) => {
        const next = await attempt(send)
        if (!next.done) waiters.keep(lease) // it may have taken its place anew
        return next
      })
      const slot = this.#context.topology.slotOf(name)
      const lease = new Lease({ kind, name, owner: claim.owner, slot }, waiter)
      waiters.keep(lease)
      try {
        return await queue.wait(waiter)
      } finally {
        waiters.drop(lease)
      }
    })
  }

  #passOn(queue: FairQueue, predecessor: string): Promise<TookOver> | undefined {
    return passOn(
      (send) => {
        queue.passOn(send)
      },
      (claim, request) => this.#waiting.waiters.asks(claim, this.#takeOver(claim, request, predecessor)),
    )
  }

  #takeOver(
    { owner, leaseMs, replyBy }: AcquireRequest,
    request: string,
    predecessor: string,
  ): Promise<TimedResult<TookOver>> {
    const args = { leaseMs, owner, predecessor, aliveMs: WAITER_ALIVE_MS }
    return this.#context.executor.runTimed(takeOver, { keys: { ...this.#keys, request }, args }, { replyBy })
  }

  /** Makes the first waiter of this process check whether it has to listen. */
  #look(): void {
    this.#queues.of(this.#keys.lock)?.look()
  }

  #leave(owner: string): Promise<number> {
    return this.#context.executor.run(
      leave,
      { keys: this.#requestKeys(), args: { owner } },
      { remember: true },
    )
  }

  #requestKeys() {
    return { ...this.#keys, request: idempotencyKey(this.#keys.lock, this.#context.requestIds.next()) }
  }
}

const unknown = () => undefined

/** Returns how long the longest of some holds lasts, in milliseconds. */
function lastingMs(holds: readonly Hold[]): number {
  const ends = holds.filter(({ count }) => count > 0).map(({ lease }) => lease.expiresAt)
  return Math.max(0, ...ends) - performance.now()
}
