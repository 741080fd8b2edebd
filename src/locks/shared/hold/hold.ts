import { Loss } from '../../../core/holds/loss.js'
import { LockLostError, type LockLossReason } from '../../../errors/lock-errors.js'
import type { WatchedHold } from '../../../core/holds/hold-watch.js'
import type { Scope } from '../../../ownership/scope.js'
import type { Thread } from '../../../ownership/thread.js'
import type { Lease, LeaseEnd, LeaseHolder } from '../../../renewal/lease.js'
import { withoutAsyncContext } from '../../../util/time/without-async-context.js'
import { ReentrantScopes } from './reentrant-scopes.js'

/** One acquisition that has not been released. */
export interface Entry {
  /** Whether the watchdog has to keep it alive. It may be given a lease instead, and the other way round. */
  renewed: boolean
  /** Whether `unlock()` ends it; otherwise its scope or its handle does. */
  readonly byUnlock: boolean
  /** Whether a group of locks came in by it, which reports losses itself. */
  readonly ofGroup?: boolean
  /** Whether a call is about to end it, which may have to wait for its turn. */
  leaving?: boolean
  /** The scope that came in once more until `unlock()`, if others of its kind have to wait for it. */
  readonly branch?: Scope
  /** Reports it if it is forgotten. */
  readonly watched?: WatchedHold | undefined
}

/** Makes an entry for a request. A group of locks is watched as a whole. */
export function entryOf(
  how: Omit<Entry, 'renewed'>,
  { watched }: { readonly watched?: WatchedHold },
  renewed: boolean,
): Entry {
  return watched === undefined || how.ofGroup === true ? { ...how, renewed } : { ...how, renewed, watched }
}

/** What a hold is made of. */
interface HoldOptions {
  readonly lock: string
  readonly thread: Thread
  readonly since: number
  readonly followsLoss?: boolean
}

/** What one owner has of one lock, as far as this client knows: one entry for every time that it came in. */
export abstract class Hold implements LeaseHolder {
  /** The name of the lock, as the program gave it. */
  readonly lock: string
  readonly thread: Thread
  /** When the request was sent that took the lock, on the monotonic clock. */
  readonly since: number
  /** Whether its thread had lost the lock before, so that Redis may count what was lost on with this hold. */
  readonly followsLoss: boolean
  readonly lease: Lease
  /** The fencing token that it came with, where the lock mints one. */
  token: number | undefined
  /**
   * How many requests may have Redis keep it for longer than its lease: those that took another hold of its owner, and those that were to
   * prolong it and had no reply in time.
   */
  outlasting = 0
  /** How many of its holds Redis may still count although it was lost, and were not released since. */
  owed = 0
  /** Until when another hold of its owner has Redis keep it for certain, whatever its own lease, on the monotonic clock. */
  keptUntil = -Infinity
  #entries: readonly Entry[] = []
  #branches: ReentrantScopes | undefined
  #ofGroupsOnly = true
  readonly #loss = new Loss<LockLostError>()
  #lossListeners: Set<() => void> | undefined
  #lastTurn: Promise<unknown> | undefined

  constructor(
    { lock, thread, since, followsLoss = false }: HoldOptions,
    leaseOf: (holder: LeaseHolder) => Lease,
  ) {
    this.lock = lock
    this.thread = thread
    this.since = since
    this.followsLoss = followsLoss
    this.lease = leaseOf(this)
  }

  abstract onLeaseLost(reason: LockLossReason): void

  /** Asks Redis whether the hold is still there, after something was forced open that may have been part of it. */
  abstract loseIfForced(): Promise<void>

  /** A lease without renewal, under an owner that the program chose, is that of a hold for another process. */
  get handedOn(): boolean {
    return this.thread.chosen && !this.lease.renewed
  }

  /** The scopes that are inside. Most holds are never entered by one. */
  get branches(): ReentrantScopes {
    this.#branches ??= new ReentrantScopes()
    return this.#branches
  }

  /** The same, and those inside what it is made of. */
  get allBranches(): readonly ReentrantScopes[] {
    return [this.branches]
  }

  /** How many times the owner came in and has not left. */
  get count(): number {
    return this.#entries.length
  }

  /** Returns why it was lost; undefined if it was not. A lease that has ended by the clock is lost by that. */
  loss(): LockLostError | undefined {
    if (this.#loss.error === undefined && this.count > 0 && this.lease.expired) this.lease.lose('expired')
    return this.#loss.error
  }

  /** Aborts when the hold is lost. */
  get signal(): AbortSignal {
    return this.#loss.signal(() => this.loss())
  }

  /** Whether only groups of locks have ever entered. */
  get ofGroupsOnly(): boolean {
    return this.#ofGroupsOnly
  }

  /** Redis has begun its lease anew, however long it kept it for before. */
  beginLease(sentAt: number, leaseMs: number): void {
    this.lease.begin(sentAt, leaseMs)
    this.keptUntil = -Infinity
  }

  enter(entry: Entry): void {
    this.lease.renewed = entry.renewed || (this.count > 0 && this.lease.renewed)
    this.#entries = this.#entries.concat(entry) // as long as it has to be, unlike after push()
    if (entry.ofGroup !== true) this.#ofGroupsOnly = false
    if (entry.branch !== undefined) this.branches.enter(entry.branch)
    entry.watched?.start({
      what: `Lock ${this.lock}`,
      owner: this.thread.owner,
      isRenewed: () => this.isRenewed(entry),
    })
  }

  /** Starts the renewal of an entry by the watchdog. */
  beginRenewal(entry: Entry): void {
    entry.renewed = true
    this.lease.renewed = true
  }

  /** Ends the renewal of an entry by the watchdog. */
  endRenewal(entry: Entry): void {
    entry.renewed = false
    this.lease.renewed = this.#entries.some(({ renewed }) => renewed)
  }

  /** Whether the watchdog keeps an entry alive. */
  isRenewed({ renewed }: Entry): boolean {
    return renewed
  }

  has(entry: Entry): boolean {
    return this.#entries.includes(entry)
  }

  /** The entry that `unlock()` ends: the last one that it may, and that is not being ended. */
  get lastByUnlock(): Entry | undefined {
    return lastStaying(this.#entries.filter(({ byUnlock }) => byUnlock))
  }

  /** The entry that came last, of those that are not being ended. */
  get last(): Entry | undefined {
    return lastStaying(this.#entries)
  }

  leave(entry: Entry): void {
    this.#entries = this.#entries.filter((other) => other !== entry)
    if (entry.branch !== undefined) this.branches.leave(entry.branch)
    entry.watched?.stop()
    if (this.count === 0) return // if it turns out to be lost, it matters what its lease was
    this.lease.renewed = this.#entries.some(({ renewed }) => renewed)
  }

  /**
   * The hold is gone; returns the error that says so, or undefined if that was known.
   *
   * @param isOwed - whether Redis may still have something of it; without, as the reason says
   */
  lose(end: LeaseEnd, isOwed = mayLast(end)): LockLostError | undefined {
    if (this.#loss.error !== undefined) return undefined
    const lost = new LockLostError({ lock: this.lock, owner: this.thread.owner, ...end })
    this.#loss.note(lost)
    if (isOwed) this.owed = this.count
    for (const { watched } of this.#entries) watched?.stop()
    withoutAsyncContext(() => {
      this.#loss.abort()
      for (const listener of this.#lossListeners ?? []) listener()
    })
    return lost
  }

  /** All that Redis may still count are being released; returns how many. */
  takeOwed(): number {
    const { owed } = this
    this.owed = 0
    return owed
  }

  /** Notifies a group of locks when the hold is lost: cheaper than its signal, since each acquisition of each member asks. */
  onLoss(listener: () => void): void {
    this.#lossListeners ??= new Set()
    this.#lossListeners.add(listener)
  }

  offLoss(listener: () => void): void {
    this.#lossListeners?.delete(listener)
  }

  /** Whether a request about this hold is under way, so that another one has to wait for its turn. */
  get isBusy(): boolean {
    return this.#lastTurn !== undefined
  }

  /**
   * Runs requests about this hold one after the other.
   *
   * A request whose reply was lost is sent again, and finds by the hold count whether it has run. That holds only as
   * long as no other request changes the count meanwhile.
   */
  inTurn<T>(request: () => Promise<T>): Promise<T> {
    const turn = this.#lastTurn === undefined ? request() : this.#lastTurn.then(request, request)
    const end = (): void => {
      if (this.#lastTurn === turn) this.#lastTurn = undefined
    }
    this.#lastTurn = turn
    turn.then(end, end)
    return turn
  }
}

/** Whether Redis may still count what was lost for such a reason: it was this client that ended it. */
function mayLast({ reason }: LeaseEnd): boolean {
  return reason === 'expired' || reason === 'closed'
}

/** Where all are being ended, the last one: a further call that ends it rejects so. */
function lastStaying(entries: readonly Entry[]): Entry | undefined {
  return entries.findLast(({ leaving = false }) => !leaving) ?? entries.at(-1)
}
