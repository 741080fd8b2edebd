import { endOfWaiting } from '../../core/context/still-wanted.js'
import { traced } from '../../core/holds/traced-acquisition.js'
import { LockTimeoutError } from '../../errors/lock-errors.js'
import type { Scope } from '../../ownership/scope.js'
import type { Thread } from '../../ownership/thread.js'
import type { Entry, Hold } from './hold/hold.js'
import { inTurn } from './hold/in-turn.js'
import type { LockDeps } from './lock-deps.js'
import type { Acquisition } from './engine/lock-engine.js'
import type { LockRequest } from './engine/lock-request.js'
import type { BlockingHold } from './nesting.js'
import { waitUnlessSelfDeadlock } from './hold/self-deadlock.js'

/** What a scope does about a lock, by what the threads around it hold. */
interface Entrance<T> {
  /** None of them holds it. */
  readonly anew: () => Promise<T>
  /** One of them does, and the scope may enter that hold. The synchronous part has to enter it, so that no other scope comes in between. */
  readonly inside: (outer: Hold) => Promise<T>
}

/** The flow that asks for a lock, and what it holds of that already. */
export class Caller {
  readonly #deps: LockDeps

  constructor(deps: LockDeps) {
    this.#deps = deps
  }

  /** The thread that asks: the nearest one around that holds the lock, or else that of a plain `lock()`, or the nearest one. */
  get thread(): Thread | undefined {
    const { context, identity } = this.#deps
    const { owners } = context
    const { scope } = owners
    return holdAround(this.#deps)?.thread ?? owners.noted(identity)?.thread ?? scope?.thread
  }

  /**
   * Notes who calls, where forgotten holds are reported, and begins the trace of the call. It has to be called in the synchronous part of
   * the call.
   */
  observed(request: LockRequest): LockRequest {
    const { context, engine } = this.#deps
    const { holdWatch } = context
    const watched = holdWatch === undefined ? request : { ...request, watched: holdWatch.expect() }
    return traced(watched, engine.kind, engine.keys)
  }

  /**
   * Acquires the lock for a thread of the flow, in turn with other requests of the thread where they must not be under way together.
   *
   * @param blocking - what the flow holds itself, and would wait for
   */
  acquire(
    thread: Thread,
    request: LockRequest,
    how: Omit<Entry, 'renewed'>,
    blocking?: BlockingHold,
  ): Promise<Acquisition> {
    const { context, engine, nesting } = this.#deps
    if (blocking !== undefined && request.waitMs === Infinity)
      return this.#acquireUnlessStuck(thread, request, how, blocking)
    const asked = request.inside === undefined && nesting.isInside ? { ...request, inside: true } : request
    const other = nesting.turnsOf(thread)
    return other === undefined
      ? engine.acquire(thread, asked, how)
      : inTurn(other, context, { ...asked, placeOf: () => engine.place }, () =>
          engine.acquire(thread, asked, how),
        )
  }

  /** Does what is to be done in a scope, as soon as the scopes that run beside it let it in. */
  async enter<T>(scope: Scope, request: LockRequest, { anew, inside }: Entrance<T>): Promise<T> {
    for (;;) {
      const outer = holdAround(this.#deps, scope)
      if (outer === undefined) return await anew()
      if (this.#deps.nesting.admits(outer, scope)) return await inside(outer)
      await this.#scopeLeaves(outer, scope, request)
    }
  }

  #acquireUnlessStuck(
    thread: Thread,
    request: LockRequest,
    how: Omit<Entry, 'renewed'>,
    blocking: BlockingHold,
  ): Promise<Acquisition> {
    const { name: lock, context } = this.#deps
    const patienceMs = context.config.lockWatchdogTimeoutMs
    const waiting = { lock, ...blocking, patienceMs, signal: request.signal }
    return waitUnlessSelfDeadlock(waiting, (signal) => this.acquire(thread, { ...request, signal }, how))
  }

  async #scopeLeaves(
    { allBranches }: Hold,
    scope: Scope,
    { deadline, signal, waitMs }: LockRequest,
  ): Promise<void> {
    const { name, context } = this.#deps
    if (deadline.passed) throw new LockTimeoutError(name, waitMs)
    const busy = allBranches.find((branches) => !branches.admits(scope))
    await busy?.change(deadline, endOfWaiting(context, signal))
  }
}

/** What the nearest thread around the flow has of a lock, among those that are still running. */
export function holdAround(
  { context: { owners }, engine }: Pick<LockDeps, 'context' | 'engine'>,
  scope = owners.scope,
): Hold | undefined {
  for (let around = scope; around !== undefined; around = around.parent) {
    const hold = around.ended ? undefined : engine.holdOf(around.thread)
    if (hold !== undefined) return hold
  }
  return undefined
}

/** Runs something inside a hold, which scopes beside it enter when it has ended. */
export async function inBranch<T>(hold: Hold, scope: Scope, fn: () => Promise<T>): Promise<T> {
  const leave = enterBranch(hold, scope)
  try {
    return await fn()
  } finally {
    leave()
  }
}

/** Enters a hold by a scope, so that scopes beside it wait. Returns how to leave. */
export function enterBranch({ allBranches }: Hold, scope: Scope): () => void {
  for (const branches of allBranches) branches.enter(scope)
  return () => {
    for (const branches of allBranches) branches.leave(scope)
  }
}
