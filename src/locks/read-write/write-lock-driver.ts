import type { SyncedResult } from '../../command/operation/command-executor.js'
import type { LockContext } from '../../core/context/object-context.js'
import type { LockKey } from '../shared/hold/lock-names.js'
import { Lease, type RenewalKind } from '../../renewal/lease.js'
import type { AcquireReply } from '../shared/engine/acquire-reply.js'
import { LockQueue, type LockQueues } from '../shared/queue/lock-queue.js'
import {
  passesBy,
  type Attempting,
  type AcquireRequest,
  type ReleaseRequest,
  type AcquireResult,
} from '../shared/engine/lock-driver.js'
import { acquireWrite, releaseWrite, stopWaiting, undoWrite } from './read-write-lock.scripts.js'
import { setLeaseOfHash } from '../reentrant/lock-hash.js'
import type { WaiterHeartbeats } from '../shared/queue/waiter-heartbeats.js'
import { ReadWriteLockDriver, wakeAll, type Preference } from './read-write-lock-driver.js'
import { releaseOptions } from '../shared/engine/release-options.js'
import type { Turns } from '../shared/queue/turns.js'

/** Who only tries holds up no readers. */
const isPatient = ({ waitMs }: AcquireRequest): boolean => waitMs > 0

/** How the field of a writer ends. */
const AS_WRITER = ':write'

export interface WriteSide {
  readonly renewal: RenewalKind
  readonly prefer: Preference
  readonly queues: LockQueues
  readonly turns: Turns
  /** Sends Redis heartbeats of a waiting writer. */
  readonly waiting: { readonly waiters: WaiterHeartbeats; readonly kind: RenewalKind }
}

/** How a writer waits that readers let go first. */
interface PreferredWaiting {
  readonly queue: LockQueue
  readonly attempt: Attempting
}

/** The write side of a read-write lock on the wire. */
export class WriteLockDriver extends ReadWriteLockDriver {
  readonly #queues: LockQueues
  readonly #turns: Turns
  readonly #waiting: WriteSide['waiting']
  readonly #open = () =>
    new LockQueue(this.context, { ...this.#named, turns: this.#turns, wakesOf: wakeAll, isShared: true })

  constructor(context: LockContext, key: LockKey, { renewal, prefer, queues, turns, waiting }: WriteSide) {
    const side = { acquire: acquireWrite, undo: undoWrite, mindsWriters: isPatient }
    super(context, key, { mode: 'write', renewal, prefer, ...side })
    this.#queues = queues
    this.#turns = turns
    this.#waiting = waiting
  }

  fieldOf(owner: string): string {
    return owner + AS_WRITER
  }

  protected ownerOf(field: string): string {
    return field.slice(0, -AS_WRITER.length)
  }

  async release(given: ReleaseRequest): Promise<number> {
    const { owner, holdCountBefore: holds, stale, leaseMs, idempotencyKey: request, heldSince } = given
    const args = { owner, holds, stale, leaseMs }
    const call = { keys: { ...this.keys, request }, args }
    const options = releaseOptions(given, this.context.config)
    if (holds <= 1) this.#turns.freeing(this.keys.lock)
    const [remaining, heard] = await this.context.executor.run(releaseWrite, call, options)
    const isAwaited = this.#queues.of(this.keys.lock) !== undefined
    if (remaining === 0) this.#turns.freed({ ...this.#named, heard, heldSince, isAwaited })
    return remaining
  }

  setLease(owner: string, leaseMs: number): Promise<boolean> {
    return setLeaseOfHash(this.context.executor, { keys: this.keys, args: { owner, leaseMs } })
  }

  override acquire(
    claim: AcquireRequest,
    request: string,
    replicas: number,
  ): Promise<SyncedResult<AcquireReply>> {
    return this.#waiting.waiters.asks(claim, super.acquire(claim, request, replicas))
  }

  /** Where writers go first, readers know of one by its first request, which therefore belongs to the waiting. */
  triesFirst(claim: AcquireRequest): boolean {
    if (this.#isPreferred(claim)) return false
    return passesBy(claim)
  }

  wait(claim: AcquireRequest, attempt: Attempting): Promise<AcquireResult | undefined> {
    if (this.#isPreferred(claim)) return this.#waitPreferred(claim, attempt)
    return this.#queues.join(this.keys.lock, this.#open, (queue) => queue.wait(claim, attempt))
  }

  get #named() {
    return { lock: this.keys.lock, channel: this.keys.channel }
  }

  #isPreferred({ waitMs }: AcquireRequest): boolean {
    return this.prefer === 'writer' && waitMs > 0
  }

  /** Makes readers let the writers of this process go first, as long as the first of them waits. */
  #waitPreferred(claim: AcquireRequest, attempt: Attempting): Promise<AcquireResult | undefined> {
    const wait = () =>
      this.#queues.join(this.keys.lock, this.#open, (queue) => this.#whileSaying(claim, { queue, attempt }))
    const leave = () => this.#stopWaiting(claim.owner)
    return this.#waiting.waiters.runAsWaiter(claim, { place: this.keys.writers, wait, leave })
  }

  /** Waits in the queue, and registers this writer in Redis from the first request on. */
  async #whileSaying(
    claim: AcquireRequest,
    { queue, attempt }: PreferredWaiting,
  ): Promise<AcquireResult | undefined> {
    const { waiters, kind } = this.#waiting
    const slot = this.context.topology.slotOf(this.keys.lock)
    const lease = new Lease(
      { kind, name: this.keys.writers, owner: claim.owner, slot },
      {
        onLeaseLost(reason) {
          if (reason === 'not-held') queue.wake() // Redis has lost its place, and gets it with the next attempt
        },
      },
    )
    const once = async () => {
      const next = await attempt()
      if (!next.done) waiters.keep(lease)
      return next
    }
    try {
      return await queue.wait(claim, once, { asksAtOnce: true }) // so that readers know of it while another writer holds the lock
    } finally {
      waiters.drop(lease)
    }
  }

  #stopWaiting(owner: string): Promise<number> {
    const call = { keys: this.requestKeys(), args: { owner } }
    return this.context.executor.run(stopWaiting, call, { remember: true })
  }
}
