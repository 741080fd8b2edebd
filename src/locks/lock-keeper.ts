import type { SyncedResult } from '../command/command-executor.js'
import type { ObjectContext } from '../core/object-context.js'
import { requestKey } from '../core/names.js'
import { takeBack } from '../core/or-undone.js'
import { demandStillWanted } from '../core/still-wanted.js'
import {
  LockLostError,
  LockNotHeldError,
  LockReentryError,
  LockTimeoutError,
  NotReplicatedError,
  type LockHolder,
  type LockLossReason,
} from '../errors/lock-errors.js'
import { isRedissonError } from '../errors/redisson-error.js'
import { isTransient } from '../errors/transient.js'
import type { Thread } from '../ownership/thread.js'
import type { Attempt } from '../pubsub/wait-until.js'
import { Lease, safeUntil } from '../renewal/lease.js'
import { orAborted } from '../util/or-aborted.js'
import type { Acquired } from './acquired.js'
import { Hold, type Entry, type HoldKeeper } from './hold.js'
import type { Keeper, Taken } from './keeper.js'
import type { LocalHolds } from './local-holds.js'
import type { Claim, Inspection, LockProtocol, Return, Won } from './lock-protocol.js'
import type { LockRequest } from './lock-request.js'
import { placeOf } from './place.js'
import { REACQUIRED } from './lock.scripts.js'
import type { Unsettled } from './unsettled.js'

const CHECK_THE_OWNER = 'Check the owner that was given to `threadId`.'

const IT_WAS_LOST = 'It was lost.'

const IT_IS_OVER = 'Either it never took the lock, or it has given it back, or its lease has ended.'

interface Facts {
  readonly name: string
  readonly key: string
  /**
   * What tells its holds from those of other locks.
   *
   * @defaultValue its key
   */
  readonly identity?: string
  readonly protocol: LockProtocol
  readonly holds: LocalHolds
  readonly unsettled: Unsettled
  /** How many replicas have to confirm that the lock was taken. */
  readonly syncedReplicas: number
}

/** Takes a lock for threads and gives it back: what all locks share once it is clear who is asking. */
export class LockKeeper implements Keeper, HoldKeeper {
  readonly name: string
  readonly #context: ObjectContext
  readonly #key: string
  readonly #identity: string
  readonly #protocol: LockProtocol
  readonly #holds: LocalHolds
  readonly #unsettled: Unsettled
  readonly #syncedReplicas: number

  constructor(
    context: ObjectContext,
    { name, key, identity = key, protocol, holds, unsettled, syncedReplicas }: Facts,
  ) {
    this.#context = context
    this.name = name
    this.#key = key
    this.#identity = identity
    this.#protocol = protocol
    this.#holds = holds
    this.#unsettled = unsettled
    this.#syncedReplicas = syncedReplicas
  }

  get place(): string {
    return placeOf(this.#identity, this.#context.config.server)
  }

  holdOf(thread: Thread): Hold | undefined {
    const hold = this.#holds.get(this.#identity, thread.owner)
    return hold?.lost === undefined && hold?.count !== 0 ? hold : undefined
  }

  async take(thread: Thread, request: LockRequest, how: Omit<Entry, 'renewed'>): Promise<Taken> {
    const entry: Entry = { ...how, renewed: request.leaseMs === undefined }
    if (!this.#unsettled.isEmpty) await this.#settle(thread, request)
    const known = this.#holds.get(this.#identity, thread.owner)
    const inside =
      known && !thread.shared ? await known.inTurn(() => this.#reenter(known, request, entry)) : undefined
    if (inside !== undefined) return inside
    const claim = this.#claim(thread, request, thread.shared ? 0 : 1)
    for (;;) {
      const first = this.#protocol.triesFirst(claim) ? await this.#attempt(claim) : undefined
      const won = first?.done === true ? first.value : await this.#wait(claim, first)
      if (won === undefined) throw new LockTimeoutError(this.name, request.waitMs)
      if (performance.now() < safeUntil(won.sentAt, claim.leaseMs))
        return this.#enter(thread, claim, won, entry)
      await this.#letGo(thread, claim, won, entry)
    }
  }

  async relet({ hold, entry }: Taken, leaseMs: number): Promise<void> {
    await hold.inTurn(async () => {
      const sentAt = performance.now()
      if (hold.lost === undefined && !(await this.#protocol.relet(this.#fieldOf(hold.thread), leaseMs)))
        this.lose(hold, 'not-held')
      hold.endRenewal(entry)
      if (hold.count === 1) hold.lease.begin(sentAt, leaseMs)
      else hold.lease.confirm(sentAt, leaseMs)
      if (hold.lost !== undefined) throw hold.lost
      this.#context.renewal.keep(hold.lease)
    })
  }

  abandon({ hold, entry }: Taken): void {
    if (hold.has(entry)) hold.endRenewal(entry)
  }

  giveBack(hold: Hold, entry: Entry): Promise<void> {
    entry.leaving = true // so that no other call chooses it while this one waits for its turn
    return hold.inTurn(() => this.#giveBack(hold, entry))
  }

  async giveBackFor(thread: Thread): Promise<void> {
    const remaining = await this.#release({ owner: this.#fieldOf(thread), holds: 0, leaseMs: 0 })
    if (remaining >= 0) return
    const lost = this.#holds.lossOf(this.#identity, thread)
    if (lost !== undefined) throw await this.notHeld(thread.owner, IT_WAS_LOST, lost)
    throw await this.notHeld(thread.owner, thread.shared ? CHECK_THE_OWNER : IT_IS_OVER)
  }

  async forceRelease(): Promise<boolean> {
    const freed = await this.#protocol.forceRelease()
    for (const hold of this.#holds.of(this.#identity)) this.lose(hold, 'forced')
    return freed
  }

  inspect(thread?: Thread): Promise<Inspection> {
    return this.#protocol.inspect(thread === undefined ? '' : this.#fieldOf(thread))
  }

  async notHeld(owner: string | undefined, hint: string, cause?: Error): Promise<LockNotHeldError> {
    const holder = await this.#holder()
    return new LockNotHeldError({ lock: this.name, owner, holder, hint }, cause && { cause })
  }

  lose(hold: Hold, reason: LockLossReason): void {
    const error = hold.lose(reason)
    this.#context.renewal.drop(hold.lease)
    if (error === undefined) return
    this.#holds.removeLost(this.#identity, hold, error)
    if (hold.ofGroupsOnly) return
    const { id: threadId, owner } = hold.thread
    this.#context.events.emit('lockLost', { lock: this.name, owner, threadId, reason, error })
  }

  async #holder(): Promise<LockHolder | undefined> {
    try {
      const { leftMs, holder } = await this.inspect()
      return holder === undefined ? undefined : { owner: holder, remainingMs: leftMs }
    } catch {
      return undefined // the caller learns what matters without it
    }
  }

  /** Comes in once more where the owner is inside already; undefined if it turns out that it is not. */
  async #reenter(hold: Hold, request: LockRequest, entry: Entry): Promise<Taken | undefined> {
    if (hold.lost !== undefined || hold.count === 0) return undefined
    // Whoever is inside waits for nothing. If it turns out that it is not, it asks anew, and waits then.
    const claim = { ...this.#claim(hold.thread, request, hold.count + 1), waitMs: 0 }
    const next = await this.#attempt(claim)
    if (next.done) return this.#enter(hold.thread, claim, next.value, entry)
    this.lose(hold, 'not-held')
    return undefined
  }

  #claim(thread: Thread, request: LockRequest, holds: number): Claim {
    const { leaseMs = this.#watchdogMs, waitMs, deadline, signal, inside = false } = request
    const owner = this.#fieldOf(thread)
    const confirmed = this.#syncedReplicas > 0
    return { owner, holds, leaseMs, waitMs, deadline, signal, inside, confirmed }
  }

  #wait(claim: Claim, first: Attempt<Won> | undefined): Promise<Won | undefined> | undefined {
    if (first !== undefined && claim.deadline.passed) return undefined
    return this.#protocol.wait(claim, () => this.#attempt(claim))
  }

  async #attempt(claim: Claim): Promise<Attempt<Won>> {
    demandStillWanted(this.#context, claim.signal)
    const request = this.#newRequest()
    const sentAt = performance.now()
    const answer = this.#protocol.acquire(claim, request, this.#syncedReplicas)
    let synced: SyncedResult<Acquired>
    try {
      synced = await orAborted(answer, claim.signal)
    } catch (error) {
      this.#takeBack(claim, request, answer)
      throw isReacquired(error) ? new LockReentryError({ lock: this.name, owner: claim.owner }) : error
    }
    const { result, replicas } = synced
    if (!result.taken) return { done: false, retryInMs: this.#patience(result.leftMs) }
    if (replicas < this.#syncedReplicas) throw await this.#letGoUnconfirmed(claim, result.holds, replicas)
    return { done: true, value: { sentAt, holds: result.holds, token: result.token } }
  }

  /** Sees to it that a request takes nothing for which nobody waits any more. */
  #takeBack(claim: Claim, request: string, answer: Promise<SyncedResult<Acquired>>): void {
    const takingBack = takeBack({
      answer,
      giveBack: async ({ result }) => result.taken && (await this.#release(returnOf(claim, result.holds))),
      undo: () => this.#protocol.undo(claim, request),
      // What waits for replicas may fail after the lock was taken, whatever the error.
      isOpen: (error) => isTransient(error) || this.#syncedReplicas > 0,
      undoWithinMs: claim.leaseMs,
    })
    this.#unsettled.add(this.#identity, claim.owner, takingBack)
  }

  /** A lock without an end is looked at now and then all the same, because the message that frees it may get lost. */
  #patience(leftMs: number): number {
    return leftMs === -1 ? this.#watchdogMs : Math.max(leftMs, 0)
  }

  /** Gives back what too few replicas have confirmed; answers the error that says so. */
  async #letGoUnconfirmed(claim: Claim, holds: number, replicas: number): Promise<NotReplicatedError> {
    await this.#release(returnOf(claim, holds))
    const timeoutMs = this.#context.config.slavesSyncTimeoutMs
    return new NotReplicatedError({ replicas, expected: this.#syncedReplicas, timeoutMs })
  }

  /**
   * Nobody is handed a lock whose lease was over before the answer arrived. Whoever has the watchdog renew it may try again; a
   * lease of one's own may just be too short.
   */
  async #letGo({ owner }: Thread, claim: Claim, won: Won, { renewed }: Entry): Promise<void> {
    await this.#release(returnOf(claim, won.holds)).catch(() => undefined) // it has ended as it is
    if (!renewed || claim.deadline.passed)
      throw new LockLostError({ lock: this.name, owner, reason: 'expired' })
  }

  #enter(thread: Thread, claim: Claim, won: Won, entry: Entry): Taken {
    const known = this.#holds.get(this.#identity, thread.owner)
    if (known !== undefined && (won.holds < claim.holds || hasOtherToken(known, won)))
      this.lose(known, 'not-held') // Redis had forgotten it
    const hold = this.#holds.get(this.#identity, thread.owner) ?? this.#newHold(thread)
    hold.enter(entry)
    hold.token ??= won.token
    hold.lease.confirm(won.sentAt, claim.leaseMs)
    this.#context.renewal.keep(hold.lease)
    return { hold, entry }
  }

  #newHold(thread: Thread): Hold {
    const owner = this.#fieldOf(thread)
    const facts = {
      kind: this.#protocol.renewal,
      name: this.#key,
      owner,
      slot: this.#context.servers.slotOf(this.#key),
    }
    const hold = new Hold(this.name, thread, this, (holder) => new Lease(facts, holder))
    this.#holds.add(this.#identity, hold)
    return hold
  }

  async #giveBack(hold: Hold, entry: Entry): Promise<void> {
    if (!hold.has(entry)) throw await this.#notThere(hold)
    const { owner, shared } = hold.thread
    const holds = shared ? 0 : hold.count
    hold.leave(entry)
    if (hold.lost !== undefined && this.#holds.get(this.#identity, owner) !== undefined)
      throw await this.#notThere(hold) // a later hold is not ours
    if (hold.count === 0) this.#context.renewal.drop(hold.lease)
    try {
      const leaseMs = hold.lease.renewed ? this.#watchdogMs : 0
      const given = { owner: this.#fieldOf(hold.thread), holds, leaseMs }
      if ((await this.#release(given)) >= 0) return
    } finally {
      if (hold.count === 0) this.#holds.remove(this.#identity, hold)
    }
    this.lose(hold, 'not-held')
    throw await this.#notThere(hold)
  }

  #notThere({ thread, lost }: Hold): Promise<LockNotHeldError> {
    return this.notHeld(thread.owner, lost === undefined ? 'It was given back already.' : IT_WAS_LOST, lost)
  }

  /** Gives back one hold. When Redis cannot be told, this rejects, and goes on trying for as long as the watchdog keeps a lock. */
  #release(given: Omit<Return, 'request' | 'again'>): Promise<number> {
    const request = this.#newRequest()
    const answer = this.#protocol.release({ ...given, request, again: false })
    return answer.catch((error: unknown) => {
      const takingBack = takeBack({
        answer,
        giveBack: () => Promise.resolve(), // nothing was taken
        undo: () => this.#protocol.release({ ...given, request, again: true }),
        undoWithinMs: this.#watchdogMs,
      })
      this.#unsettled.add(this.#identity, given.owner, takingBack)
      throw error
    })
  }

  /** Waits until Redis has got all that was asked for a thread before. Of threads with a name it tells requests apart. */
  async #settle(thread: Thread, request: LockRequest): Promise<void> {
    if (thread.shared) return
    const settled = await this.#unsettled.settle(this.#identity, this.#fieldOf(thread), request)
    if (!settled) throw new LockTimeoutError(this.name, request.waitMs)
  }

  #newRequest(): string {
    return requestKey(this.#key, this.#context.requestIds.next())
  }

  #fieldOf({ owner }: Thread): string {
    return this.#protocol.fieldOf(owner)
  }

  get #watchdogMs(): number {
    return this.#context.config.lockWatchdogTimeoutMs
  }
}

/** Whether a lock that cannot be entered twice has refused its owner. */
function isReacquired(error: unknown): boolean {
  return isRedissonError(error, 'SCRIPT') && error.message.includes(REACQUIRED)
}

/** Whether a lock has changed hands since a hold of it was taken, as its fencing token shows. */
function hasOtherToken({ token }: Hold, won: Won): boolean {
  return token !== undefined && won.token !== undefined && token !== won.token
}

/** How to give back what a claim has just got. */
function returnOf({ owner, holds }: Claim, reached: number): Omit<Return, 'request' | 'again'> {
  return { owner, holds: holds === 0 ? 0 : reached, leaseMs: 0 }
}
