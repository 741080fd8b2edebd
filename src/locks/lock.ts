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
import { ForkedThreadError, LockTimeoutError } from '../errors/lock-errors.js'
import { isRedissonError } from '../errors/redisson-error.js'
import type { Note } from '../ownership/note.js'
import type { Owners } from '../ownership/owners.js'
import type { Scope } from '../ownership/scope.js'
import type { Thread } from '../ownership/thread.js'
import { shown } from '../util/shown.js'
import type { Hold } from './hold.js'
import { LockHandle } from './lock-handle.js'
import type { LockKeeper, Taken } from './lock-keeper.js'
import { hastyRequest, patientRequest, type LockRequest } from './lock-request.js'
import { waitNested } from './nesting.js'

const USE_A_FORM =
  'unlock() releases what lock() or tryLock() took in the same flow; elsewhere use withLock(), the hold of acquire(), ' +
  'or client.runAsThread().'

const IN_ITS_SCOPE = 'Its hold belongs to a withLock() that is still running, and ends with it.'

interface Facts {
  readonly name: string
  readonly key: string
  readonly keeper: LockKeeper
  readonly owners: Owners
  /** The requests of threads that are under way, by thread and lock. */
  readonly asking: Set<string>
  readonly watchdogMs: number
}

/** Any reentrant lock, seen from the program: it finds out who is asking. What that means in Redis is the keeper's. */
export class RedissonLock implements RLock {
  readonly name: string
  readonly #key: string
  readonly #keeper: LockKeeper
  readonly #owners: Owners
  readonly #asking: Set<string>
  readonly #watchdogMs: number

  constructor({ name, key, keeper, owners, asking, watchdogMs }: Facts) {
    this.name = name
    this.#key = key
    this.#keeper = keeper
    this.#owners = owners
    this.#asking = asking
    this.#watchdogMs = watchdogMs
  }

  async lock(options?: number | LockOptions): Promise<void> {
    await this.#lock(patientRequest(options))
  }

  async tryLock(options?: number | TryLockOptions, leaseMs?: number): Promise<boolean> {
    return await inTime(this.#lock(hastyRequest(options, leaseMs)), false)
  }

  async unlock({ threadId }: ThreadOptions = {}): Promise<void> {
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
    return (await this.#keeper.inspect()).holds > 0
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
    return await this.#takeAnew(patientRequest(options))
  }

  async tryAcquire(options?: TryAcquireOptions): Promise<LockHold | null> {
    return await inTime(this.#takeAnew(hastyRequest(options)), null)
  }

  async withLock<T>(fn: (hold: LockHold) => T | PromiseLike<T>, options?: WithLockOptions): Promise<T> {
    if (typeof fn !== 'function') throw new TypeError(`Expected \`fn\` to be a function, got ${shown(fn)}`)
    const request = patientRequest(options)
    const { scope } = this.#owners
    for (;;) {
      const outer = this.#holdAround(scope)
      if (scope === undefined || outer === undefined) return await this.#runAnew(fn, request)
      if (outer.branches.admits(scope)) return await this.#runInside(outer, fn, request)
      await this.#nextBranch(outer, request)
    }
  }

  /** Takes the lock for whoever is asking. Its synchronous part may note that in the caller's context. */
  #lock(request: LockRequest): Promise<true> {
    if (request.threadId !== undefined) return this.#lockAs(this.#owners.named(request.threadId), request)
    const { scope } = this.#owners
    return scope === undefined ? this.#lockPlainly(request) : this.#lockIn(scope, request)
  }

  /** As an owner for this call alone, which `unlock()` finds through the note in the caller's context. */
  async #lockPlainly(request: LockRequest): Promise<true> {
    const around = this.#heldByTheFlow()
    const thread = this.#owners.mint()
    const note = this.#owners.note(this.#key, thread)
    try {
      await this.#unlessStuck(around, request, (guarded) => this.#lockAs(thread, guarded))
      note.hold()
      return true
    } catch (error) {
      note.end()
      throw error
    }
  }

  /** As the nearest thread that holds the lock already, or else as the nearest one. */
  async #lockIn(scope: Scope, request: LockRequest): Promise<true> {
    const { owner } = scope.thread
    const asked = `${owner} ${this.#key}`
    if (this.#asking.has(asked)) throw new ForkedThreadError({ lock: this.name, owner })
    this.#asking.add(asked)
    try {
      return await this.#lockAround(scope, request)
    } finally {
      this.#asking.delete(asked)
    }
  }

  async #lockAround(scope: Scope, request: LockRequest): Promise<true> {
    for (;;) {
      const outer = this.#holdAround(scope)
      if (outer === undefined) return await this.#lockAs(scope.thread, request)
      if (outer.branches.admits(scope))
        return await inBranch(outer, scope, () => this.#lockAs(outer.thread, request, scope))
      await this.#nextBranch(outer, request)
    }
  }

  async #lockAs(thread: Thread, request: LockRequest, branch?: Scope): Promise<true> {
    await this.#keeper.take(thread, request, { byUnlock: true, ...(branch && { branch }) })
    return true
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

  async #takeAnew(request: LockRequest): Promise<LockHold> {
    const thread = this.#owners.mint()
    return await this.#unlessStuck(this.#heldByTheFlow(), request, async (guarded) =>
      this.#handle(await this.#keeper.take(thread, guarded, { byUnlock: false })),
    )
  }

  async #runAnew<T>(fn: LockedFunction<T>, request: LockRequest): Promise<T> {
    const thread = this.#owners.mint()
    const taken = await this.#unlessStuck(this.#heldByTheFlow(), request, (guarded) =>
      this.#keeper.take(thread, guarded, { byUnlock: false }),
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

  #handle({ hold, entry }: Taken): LockHandle {
    return new LockHandle(hold, entry, () => this.#keeper.giveBack(hold, entry))
  }

  async #holdsOf({ owner }: Thread): Promise<number> {
    const holder = await this.#keeper.inspect()
    return holder.owner === owner ? holder.holds : 0
  }

  /** What the nearest thread around holds, among those that are still running. */
  #holdAround(scope: Scope | undefined): Hold | undefined {
    for (let around = scope; around !== undefined; around = around.parent) {
      const hold = around.ended ? undefined : this.#keeper.holdOf(around.thread)
      if (hold !== undefined) return hold
    }
    return undefined
  }

  /** What the caller's flow may hold itself, or a flow that it has forked from. */
  #heldByTheFlow(): Hold | undefined {
    for (const { thread } of this.#owners.enclosingScopes()) {
      const hold = this.#keeper.holdOf(thread)
      if (hold !== undefined) return hold
    }
    const note = this.#owners.noted(this.#key)
    return note && this.#keeper.holdOf(note.thread)
  }

  async #unlessStuck<T>(
    held: Hold | undefined,
    request: LockRequest,
    take: (guarded: LockRequest) => Promise<T>,
  ): Promise<T> {
    if (held === undefined || request.waitMs !== Infinity) return await take(request)
    const nesting = { lock: this.name, hold: held, patienceMs: this.#watchdogMs, signal: request.signal }
    return await waitNested(nesting, (signal) => take({ ...request, signal }))
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

/** What `otherwise` stands for, where the time to wait went by. */
async function inTime<T, U>(taken: Promise<T>, otherwise: U): Promise<T | U> {
  try {
    return await taken
  } catch (error) {
    if (isRedissonError(error, 'LOCK_TIMEOUT')) return otherwise
    throw error
  }
}
