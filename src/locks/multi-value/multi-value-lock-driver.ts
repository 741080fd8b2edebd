import type { SyncedResult } from '../../command/operation/command-executor.js'
import { lockChannel, idempotencyKey } from '../../core/context/names.js'
import type { LockContext } from '../../core/context/object-context.js'
import type { RenewalKind } from '../../renewal/lease.js'
import type { AcquireReply } from '../shared/engine/acquire-reply.js'
import { LockQueue, type LockQueues } from '../shared/queue/lock-queue.js'
import {
  FREE,
  passesBy,
  type Attempting,
  type AcquireRequest,
  type Inspection,
  type LockDriver,
  type ReleaseRequest,
  type AcquireResult,
} from '../shared/engine/lock-driver.js'
import type { Turns } from '../shared/queue/turns.js'
import type { HeldValues } from './held-values.js'
import { multiValueRenewal } from './multi-value-lock.renewal.js'
import { releaseOptions } from '../shared/engine/release-options.js'
import { acquire, forceRelease, inspect, release, relet, undo } from './multi-value-lock.scripts.js'
import type { ValueSet } from './value-set.js'

/** All locks of a group share one channel, so each message may be meant for any of the waiters there. */
const wakesOf = (message: string): number => (message === '0' ? Infinity : 0)

interface ValueGroup {
  readonly set: ValueSet
  readonly held: HeldValues
  readonly queues: LockQueues
  readonly turns: Turns
}

/**
 * The wire of some values of a group that are locked as one: Redisson's multi-lock by values.
 *
 * The same owner may hold a value through several sets of values, so no count shows whether a request has run. Every
 * request that counts leaves its reply in Redis.
 */
export class MultiValueLockDriver implements LockDriver {
  readonly renewal: RenewalKind
  readonly sharesHolds = true
  /** The values that were not forced open along with another one, for as long as the lease lasts. */
  readonly leavesRest = true
  readonly #context: LockContext
  readonly #set: ValueSet
  readonly #held: HeldValues
  readonly #channel: string
  readonly #queues: LockQueues
  readonly #turns: Turns

  constructor(context: LockContext, { set, held, queues, turns }: ValueGroup) {
    this.renewal = multiValueRenewal(context.executor, set.group, set.names)
    this.#context = context
    this.#set = set
    this.#held = held
    this.#channel = lockChannel(set.group)
    this.#queues = queues
    this.#turns = turns
  }

  fieldOf(owner: string): string {
    return owner
  }

  async acquire(
    claim: AcquireRequest,
    request: string,
    replicas: number,
  ): Promise<SyncedResult<AcquireReply>> {
    const { owner, leaseMs, replyBy, sending } = claim
    this.#held.ask(this.#set, claim)
    const { most } = this.#countsFor(owner, claim.holds > 0)
    const call = {
      keys: { group: this.#group, request },
      args: { leaseMs, owner, values: this.#values, most },
    }
    const options = { replyBy, sending, endOfWaiting: this.#context.closing, remember: true }
    const synced = await this.#context.executor.runSynced(acquire, call, replicas, options)
    if (!synced.result.taken) this.endClaim(claim)
    return synced
  }

  endClaim(claim: AcquireRequest): void {
    this.#held.endAsking(this.#set, claim)
  }

  async undo({ owner, holds }: AcquireRequest, request: string): Promise<void> {
    const { most } = this.#countsFor(owner, holds > 0)
    const args = { owner, values: this.#values, least: most, most }
    const call = { keys: { group: this.#group, channel: this.#channel, request }, args }
    await this.#context.executor.run(undo, call, { remember: true, keep: true })
  }

  async release(given: ReleaseRequest): Promise<number> {
    const { owner, holdCountBefore, leaseMs, idempotencyKey: request, heldSince, isLate = false } = given
    const isKnown = holdCountBefore > 0
    const { least, most } = this.#countsFor(owner, isKnown)
    // What has ended by itself may have been acquired anew by what is under way.
    const bounds = { least: isLate || given.isRetry ? most : least, most }
    const args = { owner, values: this.#values, partly: isKnown ? 1 : 0, leaseMs, ...bounds }
    const call = { keys: { group: this.#group, channel: this.#channel, request }, args }
    const options = { ...releaseOptions(given, this.#context.config), remember: true }
    if (holdCountBefore <= 1) this.#turns.freeing(this.#named.lock)
    const [remaining, heard] = await this.#context.executor.run(release, call, options)
    const isAwaited = this.#queues.of(this.#set.identity) !== undefined
    if (remaining === 0)
      this.#turns.freed({ ...this.#named, heard, heldSince, isAwaited, sharesChannel: true })
    return remaining
  }

  async setLease(owner: string, leaseMs: number): Promise<boolean> {
    const keys = { group: this.#group, channel: this.#channel }
    const call = { keys, args: { owner, values: this.#values, leaseMs } }
    return (await this.#context.executor.run(relet, call)) === 1
  }

  async forceRelease(): Promise<boolean> {
    const call = { keys: this.#newRequest(), args: { values: this.#values } }
    return (await this.#context.executor.run(forceRelease, call, { remember: true })) === 1
  }

  async inspect(owner: string): Promise<Inspection> {
    const call = { keys: { group: this.#group }, args: { owner, values: this.#values } }
    const [leftMs, holder, holds] = await this.#context.executor.run(inspect, call)
    return leftMs === -2 ? FREE : { leftMs, holder, holds }
  }

  triesFirst(claim: AcquireRequest): boolean {
    return passesBy(claim)
  }

  wait(claim: AcquireRequest, attempt: Attempting): Promise<AcquireResult | undefined> {
    const open = () =>
      new LockQueue(this.#context, { ...this.#named, turns: this.#turns, wakesOf, isShared: true })
    return this.#queues.join(this.#set.identity, open, (queue) => queue.wait(claim, attempt))
  }

  /** How often an owner holds each of the values, as far as it can be known: without what is under way, and with it. */
  #countsFor(owner: string, isKnown: boolean): { readonly least: string; readonly most: string } {
    if (!isKnown) return { least: '', most: '' }
    return { least: this.#held.counts(this.#set, owner), most: this.#held.mostCounts(this.#set, owner) }
  }

  get #group(): string {
    return this.#set.group
  }

  get #values(): string {
    return this.#set.names
  }

  get #named() {
    return { lock: this.#set.identity, channel: this.#channel }
  }

  #newRequest() {
    const request = idempotencyKey(this.#group, this.#context.requestIds.next())
    return { group: this.#group, channel: this.#channel, request }
  }
}
