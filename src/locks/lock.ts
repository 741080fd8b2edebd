import type {
  AcquireOptions,
  LockHold,
  LockOptions,
  RLock,
  ThreadOptions,
  TryAcquireOptions,
  TryLockOptions,
  WithLockOptions,
} from '../api/locks/lock.js'
import type { ThreadId } from '../api/thread-id.js'
import { demandFunction, demandOptions } from '../core/arguments.js'
import { ForkedThreadError, LockTimeoutError } from '../errors/lock-errors.js'
import { isRedissonError } from '../errors/redisson-error.js'
import type { ObjectContext } from '../core/object-context.js'
import type { Note } from '../ownership/note.js'
import type { Owners } from '../ownership/owners.js'
import type { Scope } from '../ownership/scope.js'
import type { Thread } from '../ownership/thread.js'
import type { Hold } from './hold.js'
import type { LocalHolds } from './local-holds.js'
import { LockHandle } from './lock-handle.js'
import type { Keeper, Taken } from './keeper.js'
import { hastyRequest, inTime, patientRequest, type LockRequest } from './lock-request.js'
import { waitNested } from './nesting.js'
import { Surroundings, type Around, type Side } from './surroundings.js'

const USE_A_FORM =
  'unlock() releases what lock() or tryLock() took in the same flow; elsewhere use withLock(), the hold of acquire(), ' +
  'or client.runAsThread().'

const IN_ITS_SCOPE = 'Its hold belongs to a withLock() that is still running, and ends with it.'

/** What a lock is made of. */
export interface LockFacts {
  readonly context: ObjectContext
  readonly name: string
  /** What tells its holds from those of other locks. */
  readonly key: string
  readonly keeper: Keeper
  /** The requests of threads that are under way, by thread and lock. */
  readonly asking: Set<string>
  /** What it is to the other side of a read-write lock. */
  readonly side?: Side
  /** What the client holds of groups of locks. */
  readonly groups: LocalHolds
  /** The locks that it is made of, if it is a group. */
  readonly parts?: readonly LockFacts[]
}

/** Any reentrant lock, seen from the program: it finds out who is asking. What that means in Redis is the keeper's. */
export class RedissonLock implements RLock {
  readonly name: string
  /** What it is made of, for locks that are made of locks. */
  readonly facts: LockFacts
  readonly #surroundings: Surroundings

  constructor(facts: LockFacts) {
    this.name = facts.name
    this.facts = facts
    this.#surroundings = new Surroundings(facts)
  }

  async lock(options?: number | LockOptions): Promise<void> {
    await this.take(patientRequest(options))
  }

  async tryLock(options?: number | TryLockOptions, leaseMs?: number): Promise<boolean> {
    return (await inTime(this.take(hastyRequest(options, leaseMs)), null)) !== null
  }

  async unlock(options: ThreadOptions = {}): Promise<void> {
    demandOptions(options)
    const { threadId } = options
    if (threadId !== undefined) return this.#unlockAs(this.#owners.named(threadId), 'any')
    for (const { thread, ended } of this.#owners.enclosingScopes()) {
      if (ended && thread.shared) continue // by now another may be that thread
      if (this.#keeper.holdOf(thread) !== undefined) return this.#unlockAs(thread, 'byUnlock')
    }
    const note = this.#owners.noted(this.#key)
    if (note !== undefined) return this.#unlockNoted(note)
    const { scope } = this.#owners
    if (scope === undefined) throw await this.#keeper.notHeld(undefined, USE_A_FORM)
    await this.#unlockAs(scope.thread, 'byUnlock')
  }

  forceUnlock(): Promise<boolean> {
    return this.#keeper.forceRelease()
  }

  async isLocked(): Promise<boolean> {
    return (await this.#keeper.inspect()).holder !== undefined
  }

  async isHeldByCurrentThread(): Promise<boolean> {
    return (await this.getHoldCount()) > 0
  }

  async isHeldByThread(threadId: ThreadId): Promise<boolean> {
    return (await this.#holdsOf(this.#owners.named(threadId))) > 0
  }

  async getHoldCount(): Promise<number> {
    const { scope } = this.#owners
    const thread = this.#holdAround(scope)?.thread ?? this.#owners.noted(this.#key)?.thread ?? scope?.thread
    return thread === undefined ? 0 : await this.#holdsOf(thread)
  }

  async remainTimeToLive(): Promise<number> {
    return (await this.#keeper.inspect()).leftMs
  }

  async acquire(options?: AcquireOptions): Promise<LockHold> {
    return this.#handle(await this.#takeAnew(patientRequest(options)))
  }

  async tryAcquire(options?: TryAcquireOptions): Promise<LockHold | null> {
    const taken = await inTime(this.#takeAnew(hastyRequest(options)), null)
    return taken && this.#handle(taken)
  }

  async withLock<T>(fn: (hold: LockHold) => T | PromiseLike<T>, options?: WithLockOptions): Promise<T> {
    demandFunction(fn)
    const request = patientRequest(options)
    const { scope } = this.#owners
    for (;;) {
      const outer = this.#holdAround(scope)
      if (scope === undefined || outer === undefined) return await this.#runAnew(fn, request)
      if (this.#admits(outer, scope)) return await this.#runInside(outer, fn, request)
      await this.#nextBranch(outer, request)
    }
  }

  /** Takes the lock for whoever is asking. Its synchronous part may note that in the caller's context. */
  protected take(request: LockRequest): Promise<Hold> {
    if (request.threadId !== undefined) return this.#lockNamed(this.#owners.named(request.threadId), request)
    const { scope } = this.#owners
    return scope === undefined ? this.#lockPlainly(request) : this.#lockIn(scope, request)
  }

  /** As an owner for this call alone, which `unlock()` finds through the note in the caller's context. */
  async #lockPlainly(request: LockRequest): Promise<Hold> {
    const around = this.#surroundings.held()
    const thread = this.#owners.mint()
    const note = this.#owners.note(this.#key, thread)
    try {
      const hold = await this.#unlessStuck(around, request, (guarded) => this.#lockAs(thread, guarded))
      note.hold()
      return hold
    } catch (error) {
      note.end()
      throw error
    }
  }

  /** As the nearest thread that holds the lock already, or else as the nearest one. */
  async #lockIn(scope: Scope, request: LockRequest): Promise<Hold> {
    const { owner } = scope.thread
    const { asking } = this.facts
    const asked = `${owner} ${this.#key}`
    if (asking.has(asked)) throw new ForkedThreadError({ lock: this.name, owner })
    asking.add(asked)
    try {
      return await this.#lockAround(scope, request)
    } finally {
      asking.delete(asked)
    }
  }

  async #lockAround(scope: Scope, request: LockRequest): Promise<Hold> {
    for (;;) {
      const outer = this.#holdAround(scope)
      if (outer === undefined) return await this.#lockNearest(scope, request)
      if (this.#admits(outer, scope))
        return await inBranch(outer, scope, () => this.#lockAs(outer.thread, request, scope))
      await this.#nextBranch(outer, request)
    }
  }

  #lockNamed(thread: Thread, request: LockRequest): Promise<Hold> {
    return this.#unlessStuck(this.#surroundings.upgradeOf(thread), request, (guarded) =>
      this.#lockAs(thread, guarded),
    )
  }

  #lockNearest(scope: Scope, request: LockRequest): Promise<Hold> {
    const writer = this.#surroundings.writer()
    const thread = writer ?? scope.thread
    const around =
      writer === undefined
        ? (this.#surroundings.upgradeOf(thread) ?? this.#surroundings.otherSide())
        : undefined
    return this.#unlessStuck(around, request, (guarded) => this.#lockAs(thread, guarded))
  }

  async #lockAs(thread: Thread, request: LockRequest, branch?: Scope): Promise<Hold> {
    const how = { byUnlock: true, ...(branch && { branch }) }
    return (await this.#besideWriting(thread, () => this.#keeper.take(thread, request, how))).hold
  }

  async #unlockNoted(note: Note): Promise<void> {
    try {
      await this.#unlockAs(note.thread, 'byUnlock')
      note.end()
    } catch (error) {
      if (isRedissonError(error, 'NOT_HELD')) note.end()
      throw error
    }
  }

  async #unlockAs(thread: Thread, which: 'byUnlock' | 'any'): Promise<void> {
    const hold = this.#keeper.holdOf(thread)
    if (hold === undefined) return this.#keeper.giveBackFor(thread)
    const entry = hold.lastByUnlock ?? (which === 'any' ? hold.last : undefined)
    if (entry === undefined) throw await this.#keeper.notHeld(thread.owner, IN_ITS_SCOPE)
    await this.#keeper.giveBack(hold, entry)
  }

  #takeAnew(request: LockRequest): Promise<Taken> {
    const thread = this.#owners.mint()
    return this.#unlessStuck(this.#surroundings.held(), request, (guarded) =>
      this.#keeper.take(thread, guarded, { byUnlock: false }),
    )
  }

  async #runAnew<T>(fn: LockedFunction<T>, request: LockRequest): Promise<T> {
    const writer = this.#surroundings.writer()
    const thread = writer ?? this.#owners.mint()
    const around = writer === undefined ? this.#surroundings.held() : undefined
    const taken = await this.#unlessStuck(around, request, (guarded) =>
      this.#besideWriting(thread, () => this.#keeper.take(thread, guarded, { byUnlock: false })),
    )
    const scope = this.#owners.openScope(thread)
    return await inBranch(taken.hold, scope, () => this.#run(scope, taken, fn))
  }

  /** Its synchronous part enters the branch, so that nobody else comes in between. */
  async #runInside<T>(outer: Hold, fn: LockedFunction<T>, request: LockRequest): Promise<T> {
    const { thread } = outer
    const scope = this.#owners.openScope(thread)
    return await inBranch(outer, scope, async () => {
      const taken = await this.#keeper.take(thread, request, { byUnlock: false })
      const run = () => this.#run(scope, taken, fn)
      return taken.hold === outer ? await run() : await inBranch(taken.hold, scope, run) // it was lost, and taken anew
    })
  }

  async #run<T>(scope: Scope, taken: Taken, fn: LockedFunction<T>): Promise<T> {
    const handle = this.#handle(taken)
    let result: T
    try {
      result = await this.#owners.run(scope, () => fn(handle))
    } catch (error) {
      await handle[Symbol.asyncDispose]().catch(() => undefined) // the function's own error says more
      throw error
    }
    if (!taken.hold.has(taken.entry)) return result // the function gave it back itself
    await this.#giveBack(taken)
    return result
  }

  async #giveBack({ hold, entry }: Taken): Promise<void> {
    try {
      await this.#keeper.giveBack(hold, entry)
    } catch (error) {
      throw hold.lost ?? error
    }
  }

  #handle(taken: Taken): LockHandle {
    return new LockHandle(taken, this.#keeper)
  }

  async #holdsOf(thread: Thread): Promise<number> {
    return (await this.#keeper.inspect(thread)).holds
  }

  /** What the nearest thread around holds, among those that are still running. */
  #holdAround(scope: Scope | undefined): Hold | undefined {
    for (let around = scope; around !== undefined; around = around.parent) {
      const hold = around.ended ? undefined : this.#keeper.holdOf(around.thread)
      if (hold !== undefined) return hold
    }
    return undefined
  }

  /**
   * Takes the read lock for whoever writes, in turn with its other requests.
   *
   * Branches of a flow that writes may ask to read at the same time, all as one thread. Requests of one thread tell by
   * its count whether they have run, and so must not be under way together.
   */
  #besideWriting(thread: Thread, take: () => Promise<Taken>): Promise<Taken> {
    const writing = this.#side?.mode === 'read' ? this.#side.opposite.keeper.holdOf(thread) : undefined
    return writing === undefined ? take() : writing.inTurn(take)
  }

  /** Whether a scope may come in once more. Branches that read do not exclude each other. */
  #admits(outer: Hold, scope: Scope): boolean {
    return this.#side?.mode === 'read' || outer.branches.admits(scope)
  }

  #unlessStuck<T>(
    around: Around | undefined,
    request: LockRequest,
    take: (guarded: LockRequest) => Promise<T>,
  ): Promise<T> {
    const inside = this.#surroundings.reads
    const asked = inside ? { ...request, inside } : request
    if (around === undefined || request.waitMs !== Infinity) return take(asked)
    const patienceMs = this.facts.context.config.lockWatchdogTimeoutMs
    const nesting = { lock: this.name, ...around, patienceMs, signal: request.signal }
    return waitNested(nesting, (signal) => take({ ...asked, signal }))
  }

  get #key(): string {
    return this.facts.key
  }

  get #keeper(): Keeper {
    return this.facts.keeper
  }

  get #owners(): Owners {
    return this.facts.context.owners
  }

  get #side(): Side | undefined {
    return this.facts.side
  }

  async #nextBranch(outer: Hold, { deadline, signal, waitMs }: LockRequest): Promise<void> {
    if (deadline.passed) throw new LockTimeoutError(this.name, waitMs)
    await outer.branches.change(deadline, signal)
  }
}

type LockedFunction<T> = (hold: LockHold) => T | PromiseLike<T>

async function inBranch<T>({ branches }: Hold, scope: Scope, fn: () => Promise<T>): Promise<T> {
  branches.enter(scope)
  try {
    return await fn()
  } finally {
    branches.leave(scope)
  }
}
