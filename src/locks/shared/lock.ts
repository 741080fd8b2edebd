import type {
  AcquireOptions,
  LockHold,
  LockOptions,
  RLock,
  ThreadOptions,
  TryAcquireOptions,
  TryLockOptions,
  WithLockOptions,
} from './lock.api.js'
import type { ThreadId } from '../../api/thread-id.js'
import { demandFunction } from '../../core/arguments/arguments.js'
import { IN_MILLISECONDS, known, optionsOf, refuseSurplus } from '../../core/arguments/options.js'
import { followed } from '../../core/holds/traced-acquisition.js'
import type { Thread } from '../../ownership/thread.js'
import { afterReading } from '../../util/time/after-reading.js'
import { BRAND } from '../../util/brand.js'
import { showOnly } from '../../util/show-only.js'
import { Caller } from './caller.js'
import type { LockDeps } from './lock-deps.js'
import type { Acquisition } from './engine/lock-engine.js'
import { handleOf } from './lock-handle.js'
import {
  acquireRequest,
  inTime,
  lockRequest,
  tryAcquireRequest,
  tryLockRequest,
  withLockRequest,
  type LockRequest,
} from './engine/lock-request.js'
import { PlainForm } from './plain-form.js'
import { ScopedForm } from './scoped-form.js'
import { CLIENTS } from '../../util/refused-calls.js'

const UNLOCK = known<ThreadOptions>({ threadId: true })

const OF_THREADS = 'isHeldByThread() asks about a thread'

/** Any reentrant lock, seen from the program. What that means in Redis is the engine's, and who is asking is up to each form. */
export class RedissonLock implements RLock {
  static {
    showOnly(this, 'RLock', ({ name }) => ({ name }))
    refuseSurplus(this, {
      forceUnlock: 'it frees the lock for any owner',
      remainTimeToLive: IN_MILLISECONDS,
      isLocked: OF_THREADS,
      isHeldByCurrentThread: OF_THREADS,
      isHeldByThread: 'it asks for one thread',
      getHoldCount: OF_THREADS,
    })
  }

  readonly name: string
  readonly #deps: LockDeps
  readonly #caller: Caller

  constructor(deps: LockDeps) {
    this.name = deps.name
    this.#deps = deps
    this.#caller = new Caller(deps)
  }

  /** What a lock is made of, for locks that are made of locks; undefined for what is no lock of this library. */
  static depsOf(lock: unknown): LockDeps | undefined {
    return typeof lock === 'object' && lock !== null && #deps in lock ? lock.#deps : undefined
  }

  get [BRAND](): true {
    return true
  }

  get [CLIENTS](): readonly AbortSignal[] {
    return this.#deps.engine.closing
  }

  async lock(options?: number | LockOptions): Promise<void> {
    await this.plain.acquire(lockRequest(this.name, options))
  }

  async tryLock(options?: number | TryLockOptions, leaseMs?: number): Promise<boolean> {
    return (await inTime(this.plain.acquire(tryLockRequest(this.name, options, leaseMs)))) !== undefined
  }

  async unlock(options?: ThreadOptions): Promise<void> {
    const { threadId } = optionsOf(options, UNLOCK)
    if (this.#deps.engine.isBehind) await afterReading()
    await this.plain.release(threadId)
  }

  async forceUnlock(): Promise<boolean> {
    return await this.#deps.engine.forceRelease()
  }

  async isLocked(): Promise<boolean> {
    return (await this.#deps.engine.inspect()).holder !== undefined
  }

  async isHeldByCurrentThread(): Promise<boolean> {
    return (await this.getHoldCount()) > 0
  }

  async isHeldByThread(threadId: ThreadId): Promise<boolean> {
    return (await this.#holdCountOf(this.#deps.context.owners.named(threadId))) > 0
  }

  async getHoldCount(): Promise<number> {
    const { thread } = this.#caller
    return thread === undefined ? 0 : await this.#holdCountOf(thread)
  }

  async remainTimeToLive(): Promise<number> {
    return (await this.#deps.engine.inspect()).leftMs
  }

  async acquire(options?: AcquireOptions): Promise<LockHold> {
    return handleOf(await this.#acquireAnew(acquireRequest(this.name, options)), this.#deps.engine)
  }

  async tryAcquire(options?: TryAcquireOptions): Promise<LockHold | undefined> {
    const taken = await inTime(this.#acquireAnew(tryAcquireRequest(this.name, options)))
    return taken && handleOf(taken, this.#deps.engine)
  }

  async withLock<T>(fn: (hold: LockHold) => T | PromiseLike<T>, options?: WithLockOptions): Promise<T> {
    demandFunction(fn)
    return await this.#scoped.run(fn, withLockRequest(this.name, options))
  }

  // Made when they are needed: a program may have many locks, and asks for most of them in one form.

  protected get plain(): PlainForm {
    return new PlainForm(this.#deps, this.#caller)
  }

  get #scoped(): ScopedForm {
    return new ScopedForm(this.#deps, this.#caller)
  }

  #acquireAnew(asked: LockRequest): Promise<Acquisition> {
    const { context, nesting } = this.#deps
    const thread = context.owners.newThread()
    const caller = this.#caller
    const request = caller.observed(asked)
    return followed(request, caller.acquire(thread, request, { byUnlock: false }, nesting.blocking()))
  }

  async #holdCountOf(thread: Thread): Promise<number> {
    return (await this.#deps.engine.inspect(thread)).holds
  }
}
