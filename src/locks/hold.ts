import { askingSignal } from '../core/loss-signal.js'
import { LockLostError, type LockLossReason } from '../errors/lock-errors.js'
import type { Scope } from '../ownership/scope.js'
import type { Thread } from '../ownership/thread.js'
import type { Lease, LeaseHolder } from '../renewal/lease.js'
import { outside } from '../util/outside.js'
import { Branches } from './branches.js'

/** One acquisition that has not been given back. */
export interface Entry {
  /** Whether the watchdog has to keep it alive; not any more once it has been given a lease. */
  renewed: boolean
  /** Whether `unlock()` ends it; otherwise its scope or its handle does. */
  readonly byUnlock: boolean
  /** Whether a group of locks came in by it, which tells of losses itself. */
  readonly ofGroup?: boolean
  /** Whether a call is about to end it, which may have to wait for its turn. */
  leaving?: boolean
  /** The scope that came in once more until `unlock()`, if others of its kind have to wait for it. */
  readonly branch?: Scope
}

/** Who knows what to do when a hold is lost. */
export interface HoldKeeper {
  lose(hold: Hold, reason: LockLossReason): void
}

/** What one owner has of one lock, as far as this client knows: one entry for every time that it came in. */
export class Hold implements LeaseHolder {
  /** The name of the lock, as the program gave it. */
  readonly lock: string
  readonly thread: Thread
  readonly lease: Lease
  readonly #keeper: HoldKeeper
  /** The fencing token that it came with, where the lock mints one. */
  token: number | undefined
  #entries: readonly Entry[] = []
  #branches: Branches | undefined
  #ofGroupsOnly = true
  #lost: LockLostError | undefined
  #controller: AbortController | undefined
  #signal: AbortSignal | undefined
  #lossListeners: Set<() => void> | undefined
  #lastTurn: Promise<unknown> | undefined

  constructor(lock: string, thread: Thread, keeper: HoldKeeper, leaseOf: (holder: LeaseHolder) => Lease) {
    this.lock = lock
    this.thread = thread
    this.#keeper = keeper
    this.lease = leaseOf(this)
  }

  onLeaseLost(reason: LockLossReason): void {
    this.#keeper.lose(this, reason)
  }

  /** The scopes that are inside. Most holds are never entered by one. */
  get branches(): Branches {
    this.#branches ??= new Branches()
    return this.#branches
  }

  /** How many times the owner came in and has not left. */
  get count(): number {
    return this.#entries.length
  }

  /** Why it was lost, if it was. */
  get lost(): LockLostError | undefined {
    if (this.#lost === undefined && this.count > 0 && this.lease.expired) this.lease.lose('expired')
    return this.#lost
  }

  /** Aborts when the hold is lost. */
  get signal(): AbortSignal {
    this.#signal ??= this.#makeSignal()
    return this.#signal
  }

  /** Whether nobody but groups of locks has ever come in. */
  get ofGroupsOnly(): boolean {
    return this.#ofGroupsOnly
  }

  enter(entry: Entry): void {
    this.#entries = this.#entries.concat(entry) // as long as it has to be, unlike after push()
    if (entry.ofGroup !== true) this.#ofGroupsOnly = false
    if (entry.branch !== undefined) this.branches.enter(entry.branch)
    this.lease.renewed ||= entry.renewed
  }

  /** Has the watchdog keep an entry alive no more. */
  endRenewal(entry: Entry): void {
    entry.renewed = false
    this.lease.renewed = this.#entries.some(({ renewed }) => renewed)
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
    this.lease.renewed = this.#entries.some(({ renewed }) => renewed)
  }

  /** The hold is gone; answers the error that says so, or undefined if that was known. */
  lose(reason: LockLossReason): LockLostError | undefined {
    if (this.#lost !== undefined) return undefined
    const lost = new LockLostError({ lock: this.lock, owner: this.thread.owner, reason })
    this.#lost = lost
    outside(() => {
      this.#controller?.abort(lost)
      for (const listener of this.#lossListeners ?? []) listener()
    })
    return lost
  }

  /** Has a group of locks told when the hold is lost: cheaper than its signal, since each acquisition of each member asks. */
  onLoss(listener: () => void): void {
    this.#lossListeners ??= new Set()
    this.#lossListeners.add(listener)
  }

  offLoss(listener: () => void): void {
    this.#lossListeners?.delete(listener)
  }

  /**
   * Runs requests about this hold one after the other.
   *
   * A request whose answer got lost is sent again, and tells by the hold count whether it has run. That holds only as
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

  /** Made only when somebody asks for it, because most holds are short and nobody does. */
  #makeSignal(): AbortSignal {
    const controller = new AbortController()
    const { lost } = this
    if (lost !== undefined) controller.abort(lost)
    this.#controller = controller
    return askingSignal(controller, () => this.lost)
  }
}

/** Where all are being ended, the last one: whoever ends it once more is told so. */
function lastStaying(entries: readonly Entry[]): Entry | undefined {
  return entries.findLast(({ leaving = false }) => !leaving) ?? entries.at(-1)
}
