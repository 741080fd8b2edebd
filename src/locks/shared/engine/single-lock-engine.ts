import { endOfWaiting, unheard } from '../../../core/context/still-wanted.js'
import {
  LockLostError,
  type LockNotHeldError,
  LockTimeoutError,
  type LockHolder,
} from '../../../errors/lock-errors.js'
import type { Thread } from '../../../ownership/thread.js'
import { safeUntil } from '../../../renewal/lease.js'
import { settledInTime, settlingDeadline, type Until } from '../../../waiting/settled-in-time.js'
import type { Attempt } from '../../../waiting/wait-until.js'
import { AcquireAttempts } from './acquire-attempts.js'
import { endHold } from './end-of-hold.js'
import type { EngineDeps } from './engine-deps.js'
import { entryOf, type Entry, type Hold } from '../hold/hold.js'
import { HoldReleases } from './hold-releases.js'
import { inTurn } from '../hold/in-turn.js'
import { LeaseChanges } from './lease-changes.js'
import type { LockEngine, Acquisition } from './lock-engine.js'
import type { AcquireRequest, AcquireResult, Inspection } from './lock-driver.js'
import { LockHolds } from './lock-holds.js'
import { lockOrderKey } from './lock-order-key.js'
import type { LockRequest } from './lock-request.js'
import { notHeldError } from './not-held.js'
import { ReleaseRequests } from './release-requests.js'

/** Takes a lock for threads and releases it: what all locks share once it is clear who is asking. */
export class SingleLockEngine implements LockEngine {
  readonly name: string
  readonly #deps: EngineDeps
  readonly #requests: ReleaseRequests
  readonly #attempts: AcquireAttempts
  readonly #holds: LockHolds

  constructor(deps: EngineDeps) {
    this.name = deps.name
    this.#deps = deps
    this.#requests = new ReleaseRequests(deps)
    this.#attempts = new AcquireAttempts(deps, this.#requests)
    this.#holds = new LockHolds(deps, this.#requests)
  }

  get kind(): string {
    return this.#deps.driver.renewal.name
  }

  get keys(): string {
    return this.#deps.key
  }

  get place(): string {
    return this.#deps.context.topology.placeOf(this.#deps.key)
  }

  get orderKey(): string {
    return lockOrderKey(this.#deps.orderKey, this.#deps.context.config.server)
  }

  get redisOrderKey(): string {
    return lockOrderKey(this.#deps.key, this.#deps.context.config.server)
  }

  get closing(): readonly AbortSignal[] {
    return [this.#deps.context.closing]
  }

  get isClosing(): boolean {
    return this.#deps.context.closing.aborted
  }

  get isBehind(): boolean {
    return this.#deps.context.renewal.isBehind
  }

  holdOf(thread: Thread): Hold | undefined {
    return this.#holds.holdOf(thread)
  }

  owesUnlock(thread: Thread): boolean {
    return this.#deps.holds.owesUnlock(this.#deps.identity, thread)
  }

  async acquire(thread: Thread, request: LockRequest, how: Omit<Entry, 'renewed'>): Promise<Acquisition> {
    const { context, cleanups, counterKey, driver } = this.#deps
    const entry = entryOf(how, request, request.leaseMs === undefined)
    const before = { deadline: settlingDeadline(request, context.config), signal: request.signal }
    if (!cleanups.isEmpty) await this.#settle(thread, request, before)
    this.#holds.noteRequest(thread)
    const known = this.#holds.knownOf(thread)
    const inside =
      known &&
      (await inTurn(known, context, { ...before, engine: this }, () =>
        this.#reenter(known, thread, request, entry),
      ))
    if (inside !== undefined) return inside
    // That it was lost may just have been found out. Otherwise nothing new can be open but this very request, as a late member of a group.
    if (known !== undefined && !cleanups.isEmpty) await this.#settle(thread, request, before)
    const claim = this.#claim(thread, request, {
      holds: thread.shared ? 0 : 1,
      stale: thread.shared ? 0 : this.#holds.takeStale(thread),
      mints: known !== undefined && known.token === undefined,
    })
    try {
      for (;;) {
        const first = driver.triesFirst(claim) ? await this.#attempts.try(claim) : undefined
        const result = first?.done === true ? first.value : await this.#wait(claim, first)
        if (result === undefined) throw this.#timeout(request, claim)
        const { holds: leastHolds, leaseMs } = claim
        if (performance.now() < safeUntil(result.sentAt, leaseMs))
          return this.#holds.enter(thread, { result, entry, leaseMs, leastHolds })
        await this.#letGo(thread, claim, result, entry)
      }
    } finally {
      driver.endClaim?.(claim)
      if (claim.leaving !== undefined) cleanups.add(counterKey, claim.owner, claim.leaving) // a late copy of it would remove a new place
    }
  }

  setLease(taken: Acquisition, leaseMs: number): Promise<void> {
    return this.#leases.setLease(taken, leaseMs)
  }

  extend(taken: Acquisition, leaseMs: number | undefined): Promise<void> {
    return this.#leases.extend(taken, leaseMs)
  }

  stopRenewal({ hold, entry }: Acquisition): void {
    if (hold.has(entry)) hold.endRenewal(entry)
  }

  release(hold: Hold, entry: Entry): Promise<void> {
    return this.#releases.release(hold, entry)
  }

  end(taken: Acquisition, waitMs?: number): Promise<LockLostError | undefined> {
    return endHold(this.#deps.context, this, taken, waitMs)
  }

  releaseFor(thread: Thread): Promise<void> {
    return this.#releases.releaseFor(thread)
  }

  waitFirstFor(thread: Thread, open: Promise<unknown>, group: number): void {
    const { cleanups, counterKey, driver } = this.#deps
    cleanups.add(counterKey, driver.fieldOf(thread.owner), open, group)
  }

  async forceRelease(): Promise<boolean> {
    const { identity, driver, beside } = this.#deps
    const before = new Set(this.#deps.holds.of(identity))
    const freed = await driver.forceRelease()
    const holds = this.#deps.holds.of(identity)
    for (const hold of holds) if (freed && before.has(hold)) this.#holds.lose(hold, 'forced')
    // A hold that began while the request was under way may have begun before or after it was carried out.
    const unsure = [...holds, ...(freed ? beside() : [])].filter(({ lost }) => lost === undefined)
    await Promise.all(unsure.map((hold) => hold.loseIfForced()))
    return freed
  }

  inspect(thread?: Thread): Promise<Inspection> {
    const { driver } = this.#deps
    return driver.inspect(thread === undefined ? '' : driver.fieldOf(thread.owner))
  }

  notHeld(owner: string | undefined, hint: string, cause?: Error): Promise<LockNotHeldError> {
    return notHeldError(this, { owner, clientId: this.#deps.context.owners.clientId, hint, cause })
  }

  // Made when they are needed: a program may have many locks, most of which are free.

  get #leases(): LeaseChanges {
    return new LeaseChanges(this.#deps, this.#holds, this)
  }

  get #releases(): HoldReleases {
    return new HoldReleases(this.#deps, this.#holds, this.#requests, this)
  }

  /** Comes in once more where the owner is inside already; undefined if it turns out that it is not. */
  async #reenter(
    hold: Hold,
    { shared }: Thread,
    request: LockRequest,
    entry: Entry,
  ): Promise<Acquisition | undefined> {
    if (hold.lost !== undefined || hold.count === 0) return undefined
    const leastHolds = hold.count + 1
    // An owner that is inside waits for nothing. If it turns out that it is not, it asks anew, and waits then.
    const holds = shared || hold.thread.shared ? 0 : leastHolds
    const claim = {
      ...this.#claim(hold.thread, request, { holds, stale: 0, mints: hold.token === undefined }),
      waitMs: 0,
      countedForMs: hold.lease.expiresAt - performance.now(),
    }
    try {
      const next = await this.#attempts.try(claim)
      if (next.done) {
        const { value: result } = next
        const { leaseMs } = claim
        const taken = this.#holds.enter(hold.thread, { result, entry, leaseMs, leastHolds })
        if (taken.hold !== hold) this.#holds.giveBackBeside(taken.hold, hold, result)
        return taken
      }
      this.#holds.lose(hold, 'not-held')
      return undefined
    } finally {
      this.#deps.driver.endClaim?.(claim)
    }
  }

  #claim(
    thread: Thread,
    request: LockRequest,
    { holds, stale, mints }: Required<Pick<AcquireRequest, 'holds' | 'stale' | 'mints'>>,
  ): AcquireRequest {
    const { context, driver, syncedReplicas } = this.#deps
    const {
      leaseMs = context.config.lockWatchdogTimeoutMs,
      waitMs,
      deadline,
      replyBy = deadline,
      sending,
      signal,
      trace,
      takesLate = false,
      inside = false,
    } = request
    const owner = driver.fieldOf(thread.owner)
    const confirmed = syncedReplicas > 0
    return {
      owner,
      holds,
      stale,
      mints,
      leaseMs,
      waitMs,
      deadline,
      replyBy,
      settleBy: settlingDeadline(request, context.config),
      sending,
      signal,
      trace,
      takesLate,
      inside,
      confirmed,
    }
  }

  #wait(
    claim: AcquireRequest,
    first: Attempt<AcquireResult> | undefined,
  ): Promise<AcquireResult | undefined> | undefined {
    if (first !== undefined && claim.deadline.passed) return undefined
    return this.#deps.driver.wait(claim, (send) => this.#attempts.try(claim, send))
  }

  /**
   * No call returns a lock whose lease was over before the reply arrived. A caller with the watchdog may try again, once what is left of it is
   * released; a lease of one's own may just be too short.
   */
  async #letGo(
    { owner }: Thread,
    claim: AcquireRequest,
    result: AcquireResult,
    { renewed }: Entry,
  ): Promise<void> {
    const returning = this.#requests.return(claim, result.holds)
    const lost = { lock: this.name, owner, reason: 'expired' } as const
    if (!renewed) throw new LockLostError({ ...lost, leaseMs: claim.leaseMs })
    const isSettled = await settledInTime(returning, claim)
    if (!isSettled || claim.deadline.passed) throw new LockLostError(lost)
  }

  /** Waits until Redis has got all that this client asked for a thread before: what comes late must not end what the thread gets now. */
  async #settle(thread: Thread, { waitMs, group }: LockRequest, { deadline, signal }: Until): Promise<void> {
    const { context, cleanups, counterKey, driver } = this.#deps
    const owner = driver.fieldOf(thread.owner)
    if (cleanups.countOf(counterKey, owner) === 0) return
    const { config, topology } = context
    const isImpatient = waitMs === 0 || config.failFast
    if (isImpatient && topology.outage !== undefined) throw topology.outage // what is open is settled when Redis is back
    const askedAt = performance.now()
    const end = endOfWaiting(context, signal)
    const asking = { deadline, signal: end, ...(group !== undefined && { group }) }
    if (!(await cleanups.untilClean(counterKey, owner, asking))) throw unheard(context, this.place, askedAt)
  }

  /** That Redis cannot be reached is not that somebody else has the lock. */
  #timeout({ waitMs }: LockRequest, claim?: AcquireRequest): Error {
    const { outage } = this.#deps.context.topology
    if (outage !== undefined) return outage
    const { clientId } = this.#deps.context.owners
    return new LockTimeoutError(this.name, waitMs, { holder: claim && stillHeldBy(claim), clientId })
  }
}

/** Who has a lock, as far as the claim knows that was refused. */
function stillHeldBy({ refusedFor }: AcquireRequest): LockHolder | undefined {
  if (refusedFor === undefined) return undefined
  const { owner, until } = refusedFor
  return { owner, remainingMs: until === Infinity ? -1 : Math.max(0, Math.ceil(until - performance.now())) }
}
