import pRetry from 'p-retry'
import type { ObjectContext } from '../core/object-context.js'
import { requestKey } from '../core/names.js'
import {
  LockLostError,
  LockNotHeldError,
  LockTimeoutError,
  NotReplicatedError,
  type LockHolder,
  type LockLossReason,
} from '../errors/lock-errors.js'
import { isTransient } from '../errors/transient.js'
import type { Thread } from '../ownership/thread.js'
import type { Attempt } from '../pubsub/wait-until.js'
import { Lease, safeUntil } from '../renewal/lease.js'
import { Hold, type Entry } from './hold.js'
import type { LocalHolds } from './local-holds.js'
import type { Acquired, Claim, Inspection, LockProtocol, Return, Won } from './lock-protocol.js'
import type { LockRequest } from './lock-request.js'

/** The first and the longest pause before a request is undone once more, in milliseconds. */
const UNDO_PAUSES = { minTimeout: 100, maxTimeout: 1000 }

const CHECK_THE_OWNER = 'Check the owner that was given to `threadId`.'

const IT_IS_OVER = 'Either it never took the lock, or it has given it back, or its lease has ended.'

/** An entry, and the hold that it belongs to. */
export interface Taken {
  readonly hold: Hold
  readonly entry: Entry
}

interface Facts {
  readonly name: string
  readonly key: string
  readonly protocol: LockProtocol
  readonly holds: LocalHolds
  /** How many replicas have to confirm that the lock was taken. */
  readonly syncedReplicas: number
}

/** Takes a lock for threads and gives it back: what all locks share once it is clear who is asking. */
export class LockKeeper {
  readonly #context: ObjectContext
  readonly #name: string
  readonly #key: string
  readonly #protocol: LockProtocol
  readonly #holds: LocalHolds
  readonly #syncedReplicas: number

  constructor(context: ObjectContext, { name, key, protocol, holds, syncedReplicas }: Facts) {
    this.#context = context
    this.#name = name
    this.#key = key
    this.#protocol = protocol
    this.#holds = holds
    this.#syncedReplicas = syncedReplicas
  }

  /** What a thread holds of the lock, as far as this client knows. */
  holdOf(thread: Thread): Hold | undefined {
    const hold = this.#holds.get(this.#key, thread.owner)
    return hold?.lost === undefined && hold?.count !== 0 ? hold : undefined
  }

  /**
   * Takes the lock for a thread.
   *
   * @throws {@link LockTimeoutError} if it was not free in time
   */
  async take(thread: Thread, request: LockRequest, how: Omit<Entry, 'renewed'>): Promise<Taken> {
    const entry: Entry = { ...how, renewed: request.leaseMs === undefined }
    const known = this.#holds.get(this.#key, thread.owner)
    const inside =
      known && !thread.shared ? await known.inTurn(() => this.#reenter(known, request, entry)) : undefined
    if (inside !== undefined) return inside
    const claim = this.#claim(thread, request, thread.shared ? 0 : 1)
    const won = await this.#protocol.wait(claim, () => this.#attempt(claim))
    if (won === undefined) throw new LockTimeoutError(this.#name, request.waitMs)
    await this.#demandTime(claim, won)
    return this.#enter(thread, claim, won, entry)
  }

  /** Gives one entry back. */
  async giveBack(hold: Hold, entry: Entry): Promise<void> {
    const given = await hold.inTurn(() => this.#giveBack(hold, entry))
    if (given) return
    const cause = hold.lost
    throw await this.notHeld(
      hold.thread.owner,
      cause === undefined ? 'It was given back already.' : 'It was lost.',
      cause,
    )
  }

  /** Gives back a hold that this client knows nothing of: one that another process has taken, or that was lost. */
  async giveBackFor(thread: Thread): Promise<void> {
    const remaining = await this.#protocol.release({ owner: thread.owner, holds: 0, leaseMs: 0 })
    if (remaining < 0) throw await this.notHeld(thread.owner, thread.shared ? CHECK_THE_OWNER : IT_IS_OVER)
  }

  /** Frees the lock, whoever holds it. */
  async forceRelease(): Promise<boolean> {
    const freed = await this.#protocol.forceRelease()
    for (const hold of this.#holds.of(this.#key)) this.#lose(hold, 'forced')
    return freed
  }

  inspect(): Promise<Inspection> {
    return this.#protocol.inspect()
  }

  /** The error for whoever does not hold the lock. It names who does, if Redis can be asked. */
  async notHeld(owner: string | undefined, hint: string, cause?: Error): Promise<LockNotHeldError> {
    const holder = await this.#holder()
    return new LockNotHeldError({ lock: this.#name, owner, holder, hint }, cause && { cause })
  }

  async #holder(): Promise<LockHolder | undefined> {
    try {
      const { leftMs, owner } = await this.inspect()
      return leftMs === -2 ? undefined : { owner, remainingMs: leftMs }
    } catch {
      return undefined // the caller learns what matters without it
    }
  }

  /** Comes in once more where the owner is inside already; undefined if it turns out that it is not. */
  async #reenter(hold: Hold, request: LockRequest, entry: Entry): Promise<Taken | undefined> {
    if (hold.lost !== undefined || hold.count === 0) return undefined
    const claim = this.#claim(hold.thread, request, hold.count + 1)
    const next = await this.#attempt(claim)
    if (next.done) return this.#enter(hold.thread, claim, next.value, entry)
    this.#lose(hold, 'not-held')
    return undefined
  }

  #claim({ owner }: Thread, { leaseMs, waitMs, deadline, signal }: LockRequest, holds: number): Claim {
    return { owner, holds, leaseMs: leaseMs ?? this.#watchdogMs, waitMs, deadline, signal }
  }

  async #attempt(claim: Claim): Promise<Attempt<Won>> {
    claim.signal?.throwIfAborted()
    const request = requestKey(this.#key, this.#context.requestIds.next())
    const sentAt = performance.now()
    const acquired = await this.#orUndone(this.#acquire(claim, request), claim, request)
    if (acquired.taken) return { done: true, value: { sentAt, holds: acquired.holds } }
    return { done: false, retryInMs: this.#patience(acquired.leftMs) }
  }

  /** A lock without an end is looked at now and then all the same, because the message that frees it may get lost. */
  #patience(leftMs: number): number {
    return leftMs === -1 ? this.#watchdogMs : Math.max(leftMs, 0)
  }

  async #acquire(claim: Claim, request: string): Promise<Acquired> {
    if (this.#syncedReplicas === 0) return await this.#protocol.acquire(claim, request)
    const acquired = await this.#protocol.acquireSynced(claim, request, this.#syncedReplicas)
    if (!acquired.taken || acquired.replicas >= this.#syncedReplicas) return acquired
    await this.#protocol.release(returnOf(claim, acquired.holds))
    throw new NotReplicatedError({
      replicas: acquired.replicas,
      expected: this.#syncedReplicas,
      timeoutMs: this.#context.config.slavesSyncTimeoutMs,
    })
  }

  /** Waits for an answer. When the caller gives up first, or none comes, what the request took is given back. */
  async #orUndone(answer: Promise<Acquired>, claim: Claim, request: string): Promise<Acquired> {
    const { promise: givenUp, reject } = Promise.withResolvers<never>()
    const onAbort = () => {
      reject(claim.signal?.reason as Error)
    }
    claim.signal?.addEventListener('abort', onAbort)
    try {
      return await (claim.signal === undefined ? answer : Promise.race([answer, givenUp]))
    } catch (error) {
      void this.#takeBack(answer, claim, request)
      throw error
    } finally {
      claim.signal?.removeEventListener('abort', onAbort)
    }
  }

  /** Never rejects: what cannot be given back ends with its lease, since nobody renews it. */
  async #takeBack(answer: Promise<Acquired>, claim: Claim, request: string): Promise<void> {
    try {
      const acquired = await answer
      if (acquired.taken) await this.#protocol.release(returnOf(claim, acquired.holds))
    } catch (error) {
      // What waits for replicas may fail after the lock was taken, whatever the error.
      if (isTransient(error) || this.#syncedReplicas > 0) await this.#undo(claim, request)
    }
  }

  async #undo(claim: Claim, request: string): Promise<void> {
    try {
      await pRetry(() => this.#protocol.undo(claim, request), {
        ...UNDO_PAUSES,
        retries: Infinity,
        maxRetryTime: claim.leaseMs,
        shouldRetry: ({ error }) => isTransient(error),
        unref: true,
      })
    } catch {
      // Redis was out of reach for a whole lease; it has let go by itself
    }
  }

  /** Nobody is handed a lock whose lease was over before the answer arrived. */
  async #demandTime({ owner, holds, leaseMs }: Claim, won: Won): Promise<void> {
    if (performance.now() < safeUntil(won.sentAt, leaseMs)) return
    await this.#protocol.release(returnOf({ owner, holds }, won.holds)).catch(() => undefined) // it has ended as it is
    throw new LockLostError({ lock: this.#name, owner, reason: 'expired' })
  }

  #enter(thread: Thread, claim: Claim, won: Won, entry: Entry): Taken {
    const known = this.#holds.get(this.#key, thread.owner)
    if (known !== undefined && won.holds < claim.holds) this.#lose(known, 'not-held') // Redis had forgotten it
    const hold = this.#holds.get(this.#key, thread.owner) ?? this.#newHold(thread)
    hold.enter(entry)
    hold.lease.confirm(won.sentAt, claim.leaseMs)
    this.#context.renewal.keep(hold.lease)
    return { hold, entry }
  }

  #newHold(thread: Thread): Hold {
    const { owner } = thread
    const facts = {
      kind: this.#protocol.renewal,
      name: this.#key,
      owner,
      slot: this.#context.servers.slotOf(this.#key),
    }
    const lease = new Lease(facts, (reason) => {
      this.#lose(hold, reason)
    })
    const hold = new Hold(this.#name, thread, lease)
    this.#holds.add(this.#key, hold)
    return hold
  }

  /** Gives one entry back; answers false if it was not there to be given. */
  async #giveBack(hold: Hold, entry: Entry): Promise<boolean> {
    if (!hold.has(entry)) return false
    const { owner, shared } = hold.thread
    const holds = shared ? 0 : hold.count
    hold.leave(entry)
    if (hold.lost !== undefined && this.#holds.get(this.#key, owner) !== undefined) return false // a later hold is not ours
    if (hold.count === 0) this.#context.renewal.drop(hold.lease)
    try {
      const leaseMs = hold.lease.renewed ? this.#watchdogMs : 0
      if ((await this.#protocol.release({ owner, holds, leaseMs })) >= 0) return true
    } finally {
      if (hold.count === 0) this.#holds.remove(this.#key, hold)
    }
    this.#lose(hold, 'not-held')
    return false
  }

  #lose(hold: Hold, reason: LockLossReason): void {
    const error = hold.lose(reason)
    this.#context.renewal.drop(hold.lease)
    this.#holds.remove(this.#key, hold)
    if (error === undefined) return
    const { id: threadId, owner } = hold.thread
    this.#context.events.emit('lockLost', { lock: this.#name, owner, threadId, reason, error })
  }

  get #watchdogMs(): number {
    return this.#context.config.lockWatchdogTimeoutMs
  }
}

/** How to give back what a claim has just got. */
function returnOf({ owner, holds }: Pick<Claim, 'owner' | 'holds'>, reached: number): Return {
  return { owner, holds: holds === 0 ? 0 : reached, leaseMs: 0 }
}
