import type { SyncedResult, TimedResult } from '../../command/operation/command-executor.js'
import type { Script } from '../../command/operation/script.js'
import { lockChannel, lockToken, idempotencyKey } from '../../core/context/names.js'
import type { LockContext } from '../../core/context/object-context.js'
import type { LockKey } from '../shared/hold/lock-names.js'
import type { RenewalKind } from '../../renewal/lease.js'
import { ENDED, THERE_WAS_NONE, type AcquireReply, type TookOver } from '../shared/engine/acquire-reply.js'
import { LockQueue, type LockQueues } from '../shared/queue/lock-queue.js'
import {
  passesBy,
  type Attempting,
  type AcquireRequest,
  type Inspection,
  type LockDriver,
  type ReleaseRequest,
  type AcquireResult,
} from '../shared/engine/lock-driver.js'
import { inspectHash, setLeaseOfHash } from './lock-hash.js'
import { forceRelease, release, undo } from './lock.scripts.js'
import { passOn } from '../shared/queue/pass-on.js'
import { releaseOptions } from '../shared/engine/release-options.js'
import type { Turns } from '../shared/queue/turns.js'

/** The scripts in which locks that are a hash of owner to hold count differ. */
export interface LockScripts {
  readonly acquire: Script<
    'lock' | 'request' | 'token',
    'leaseMs' | 'owner' | 'holds' | 'stale' | 'mints',
    AcquireReply
  >
  readonly takeOver: Script<'lock' | 'request' | 'token', 'leaseMs' | 'owner' | 'predecessor', TookOver>
}

export interface Variant {
  readonly renewal: RenewalKind
  readonly queues: LockQueues
  readonly turns: Turns
  readonly scripts: LockScripts
}

/** The wire of an `RLock` and its kin: a hash of owner to hold count, and one channel for all waiters. */
export class ReentrantLockDriver implements LockDriver {
  readonly renewal: RenewalKind
  protected readonly context: LockContext
  protected readonly key: LockKey
  readonly #queues: LockQueues
  readonly #turns: Turns
  readonly #scripts: LockScripts

  constructor(context: LockContext, key: LockKey, { renewal, queues, turns, scripts }: Variant) {
    this.renewal = renewal
    this.context = context
    this.key = key
    this.#queues = queues
    this.#turns = turns
    this.#scripts = scripts
  }

  fieldOf(owner: string): string {
    return owner
  }

  acquire(claim: AcquireRequest, request: string, replicas: number): Promise<SyncedResult<AcquireReply>> {
    const { owner, holds, stale = 0, needsToken = false, leaseMs, replyBy, sending } = claim
    const keys = { lock: this.key, request, token: this.#token }
    const call = { keys, args: { leaseMs, owner, holds, stale, mints: needsToken ? 1 : 0 } }
    // Where the count cannot show whether a request has run, it leaves its reply in Redis from the first time on.
    const options = { replyBy, sending, endOfWaiting: this.context.closing, remember: holds === 0 }
    return this.context.executor.runSynced(this.#scripts.acquire, call, replicas, options)
  }

  async undo({ owner, holds }: AcquireRequest, request: string): Promise<void> {
    const keys = { ...this.#named, request }
    const call = { keys, args: { owner, holds }, silent: this.silent }
    await this.context.executor.run(undo, call, { remember: true, keep: true })
  }

  async release(given: ReleaseRequest): Promise<number> {
    const {
      owner,
      holdCountBefore: holds,
      stale,
      leaseMs,
      idempotencyKey: request,
      isRetry: again,
      heldSince,
    } = given
    const queue = this.#queues.of(this.key)
    const answer = queue && holds === 1 && !again ? this.#passOn(queue, given) : undefined
    const released = answer && (await answer.then(({ released }) => released, unknown))
    if (released === ENDED) return 0
    if (released === THERE_WAS_NONE) return -1
    if (holds <= 1) this.#turns.freeing(this.key)
    const keys = { ...this.#named, request }
    const call = { keys, args: { owner, holds, stale, leaseMs }, silent: this.silent }
    // After a request of unknown outcome this one is a copy of it, as far as the holder's part is concerned.
    const options = releaseOptions(given, this.context.config, answer !== undefined)
    const [remaining, heard] = await this.context.executor.run(release, call, options)
    if (remaining === 0)
      this.#turns.freed({ ...this.#named, heard, heldSince, isAwaited: queue !== undefined })
    return remaining
  }

  setLease(owner: string, leaseMs: number): Promise<boolean> {
    const args = { owner, leaseMs }
    return setLeaseOfHash(this.context.executor, { keys: this.#named, args, silent: this.silent })
  }

  async forceRelease(): Promise<boolean> {
    const keys = { ...this.#named, request: this.#newRequest() }
    const call = { keys, args: {}, silent: this.silent }
    return (await this.context.executor.run(forceRelease, call, { remember: true })) === 1
  }

  inspect(owner: string): Promise<Inspection> {
    return inspectHash(this.context.executor, this.key, owner)
  }

  triesFirst(claim: AcquireRequest): boolean {
    return passesBy(claim)
  }

  wait(claim: AcquireRequest, attempt: Attempting): Promise<AcquireResult | undefined> {
    const open = () => new LockQueue(this.context, { ...this.#named, turns: this.#turns })
    return this.#queues.join(this.key, open, (queue) => queue.wait(claim, attempt))
  }

  /** Whether no waiter listens. */
  protected get silent(): boolean {
    return false
  }

  // Made when they are needed: a lock may be held for long, and there may be many.

  get #channel(): string {
    return lockChannel(this.key)
  }

  get #named() {
    return { lock: this.key, channel: this.#channel }
  }

  get #token(): string {
    return lockToken(this.key)
  }

  #passOn(queue: LockQueue, { owner, heldSince = -Infinity }: ReleaseRequest): Promise<TookOver> | undefined {
    return passOn(
      (send) => {
        queue.passOn(heldSince, send)
      },
      (claim, request) => this.#takeOver(claim, request, owner),
    )
  }

  #takeOver(
    { owner, leaseMs, replyBy }: AcquireRequest,
    request: string,
    predecessor: string,
  ): Promise<TimedResult<TookOver>> {
    const keys = { lock: this.key, request, token: this.#token }
    const call = { keys, args: { leaseMs, owner, predecessor } }
    return this.context.executor.runTimed(this.#scripts.takeOver, call, { replyBy })
  }

  #newRequest(): string {
    return idempotencyKey(this.key, this.context.requestIds.next())
  }
}

const unknown = () => undefined
