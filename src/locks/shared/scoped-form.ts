import type { LockHold } from './lock.api.js'
import type { LockLostError } from '../../errors/lock-errors.js'
import { followed } from '../../core/holds/traced-acquisition.js'
import type { Scope } from '../../ownership/scope.js'
import { enterBranch, inBranch, type Caller } from './caller.js'
import type { Entry, Hold } from './hold/hold.js'
import type { LockDeps } from './lock-deps.js'
import type { Acquisition } from './engine/lock-engine.js'
import { handleOf } from './lock-handle.js'
import type { LockRequest } from './engine/lock-request.js'

type LockedFunction<T> = (hold: LockHold) => T | PromiseLike<T>

const BY_SCOPE: Omit<Entry, 'renewed'> = Object.freeze({ byUnlock: false })

/** `withLock()`: runs functions as threads that hold a lock. */
export class ScopedForm {
  readonly #deps: LockDeps
  readonly #caller: Caller

  constructor(deps: LockDeps, caller: Caller) {
    this.#deps = deps
    this.#caller = caller
  }

  /** Runs a function while the lock is held: by the thread around that holds it already, or else by a new one. */
  run<T>(fn: LockedFunction<T>, asked: LockRequest): Promise<T> {
    const request = this.#caller.observed(asked)
    return followed(request, this.#run(fn, request)) // what the function returns or throws does not count: the lock was held by then
  }

  #run<T>(fn: LockedFunction<T>, request: LockRequest): Promise<T> {
    const { scope } = this.#deps.context.owners
    if (scope === undefined) return this.#runAnew(fn, request)
    return this.#caller.enter(scope, request, {
      anew: () => this.#runAnew(fn, request),
      inside: (outer) => this.#runInside(outer, fn, request),
    })
  }

  async #runAnew<T>(fn: LockedFunction<T>, request: LockRequest): Promise<T> {
    const { context, nesting } = this.#deps
    const around = nesting.threadAround()
    const thread = around ?? context.owners.newThread()
    const blocking = around === undefined ? nesting.blocking() : undefined
    const taken = await this.#caller.acquire(thread, request, BY_SCOPE, blocking)
    request.trace?.acquired()
    const scope = context.owners.openScope(thread)
    const leave = enterBranch(taken.hold, scope)
    try {
      return await this.#runHolding(scope, taken, fn, request)
    } finally {
      leave()
    }
  }

  /** Its synchronous part enters the branch, so that no other scope comes in between. */
  async #runInside<T>(outer: Hold, fn: LockedFunction<T>, request: LockRequest): Promise<T> {
    const { context, engine } = this.#deps
    const { thread } = outer
    const scope = context.owners.openScope(thread)
    return await inBranch(outer, scope, async () => {
      const taken = await engine.acquire(thread, request, BY_SCOPE)
      request.trace?.acquired()
      const run = () => this.#runHolding(scope, taken, fn, request)
      return taken.hold === outer ? await run() : await inBranch(taken.hold, scope, run) // it was lost, and taken anew
    })
  }

  async #runHolding<T>(
    scope: Scope,
    taken: Acquisition,
    fn: LockedFunction<T>,
    { releaseWaitMs }: LockRequest,
  ): Promise<T> {
    const { context, engine } = this.#deps
    let result: T
    try {
      const handle = handleOf(taken, engine)
      result = await context.owners.runIn(scope, () => fn(handle))
      scope.end()
    } catch (error) {
      scope.end()
      await this.#end(taken, releaseWaitMs)?.catch(() => undefined) // the function's own error says more
      throw error
    }
    const lost = await this.#end(taken, releaseWaitMs)
    if (lost !== undefined) throw lost
    return result
  }

  /** Releases what the function has not released itself. */
  #end(
    taken: Acquisition,
    releaseWaitMs: number | undefined,
  ): Promise<LockLostError | undefined> | undefined {
    return taken.hold.has(taken.entry) ? this.#deps.engine.end(taken, releaseWaitMs) : undefined
  }
}
