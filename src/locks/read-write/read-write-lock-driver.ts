import type { SyncedResult } from '../../command/operation/command-executor.js'
import type { Script } from '../../command/operation/script.js'
import { readWriteChannel, readerMarkers, idempotencyKey, waitingWriters } from '../../core/context/names.js'
import type { LockContext } from '../../core/context/object-context.js'
import type { LockKey } from '../shared/hold/lock-names.js'
import type { RenewalKind } from '../../renewal/lease.js'
import type { AcquireReply } from '../shared/engine/acquire-reply.js'
import {
  FREE,
  type AcquireRequest,
  type Inspection,
  type LockDriver,
  type ReleaseRequest,
  type AcquireResult,
  type Attempting,
} from '../shared/engine/lock-driver.js'
import { forceRelease, inspect } from './read-write-lock.scripts.js'

/** Whether readers go first, as in Redisson, or writers who wait. */
export type Preference = 'reader' | 'writer'

/** How long a writer who waits counts as living without having said so again, in milliseconds. */
export const WAITING_WRITER_MS = 3600

/**
 * After any message, all waiters check again: readers do not keep each other out, and of the writers of one process only
 * the first in the queue listens. Both sides use one channel, and so have to publish the same.
 */
export const wakeAll = (): number => Infinity

type AcquireScript = Script<
  'lock' | 'request' | 'markers' | 'writers',
  'leaseMs' | 'owner' | 'holds' | 'stale' | 'preferWriter' | 'patienceMs',
  AcquireReply
>

type UndoScript = Script<'lock' | 'channel' | 'request' | 'markers', 'owner' | 'holds' | 'publish', number>

interface Side {
  readonly mode: 'read' | 'write'
  readonly renewal: RenewalKind
  readonly prefer: Preference
  readonly acquire: AcquireScript
  readonly undo: UndoScript
  /** Whether a claim has to do with writers who wait, where they are preferred. */
  readonly mindsWriters: (claim: AcquireRequest) => boolean
}

/** What the two sides of a read-write lock have in common on the wire. */
export abstract class ReadWriteLockDriver implements LockDriver {
  readonly renewal: RenewalKind
  protected readonly context: LockContext
  protected readonly keys: {
    readonly lock: string
    readonly channel: string
    readonly markers: string
    readonly writers: string
  }
  protected readonly prefer: Preference
  readonly #side: Side

  constructor(context: LockContext, key: LockKey, side: Side) {
    this.context = context
    this.renewal = side.renewal
    this.prefer = side.prefer
    this.#side = side
    this.keys = {
      lock: key,
      channel: readWriteChannel(key),
      markers: readerMarkers(key),
      writers: waitingWriters(key),
    }
  }

  abstract fieldOf(owner: string): string
  /** Whose field that is. */
  protected abstract ownerOf(field: string): string
  abstract setLease(owner: string, leaseMs: number): Promise<boolean>
  abstract release(given: ReleaseRequest): Promise<number>
  abstract triesFirst(claim: AcquireRequest): boolean
  abstract wait(claim: AcquireRequest, attempt: Attempting): Promise<AcquireResult | undefined>

  acquire(claim: AcquireRequest, request: string, replicas: number): Promise<SyncedResult<AcquireReply>> {
    const { owner, holds, stale = 0, leaseMs, replyBy, sending } = claim
    const preferWriter = this.prefer === 'writer' && this.#side.mindsWriters(claim) ? 1 : 0
    const call = {
      keys: { ...this.keys, request },
      args: { leaseMs, owner, holds, stale, preferWriter, patienceMs: WAITING_WRITER_MS },
    }
    const options = { replyBy, sending, endOfWaiting: this.context.closing, remember: holds === 0 }
    return this.context.executor.runSynced(this.#side.acquire, call, replicas, options)
  }

  async undo({ owner, holds }: AcquireRequest, request: string): Promise<void> {
    const call = { keys: { ...this.keys, request }, args: { owner, holds } }
    await this.context.executor.run(this.#side.undo, call, { remember: true, keep: true })
  }

  async forceRelease(): Promise<boolean> {
    const { mode } = this.#side
    const message = mode === 'read' ? '0' : '1'
    const call = { keys: this.requestKeys(), args: { mode, message } }
    return (await this.context.executor.run(forceRelease, call, { remember: true })) === 1
  }

  async inspect(owner: string): Promise<Inspection> {
    const call = { keys: this.keys, args: { owner, mode: this.#side.mode } }
    const [leftMs, holder, holds] = await this.context.executor.run(inspect, call)
    return leftMs === -2 ? FREE : { leftMs, holder: this.ownerOf(holder), holds }
  }

  protected requestKeys() {
    return { ...this.keys, request: idempotencyKey(this.keys.lock, this.context.requestIds.next()) }
  }
}
