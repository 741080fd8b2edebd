import type { ThreadId } from '../../api/thread-id.js'
import { followed } from '../../core/holds/traced-acquisition.js'
import { ForkedThreadError } from '../../errors/lock-errors.js'
import { isRedissonError } from '../../errors/redisson-error.js'
import type { PlainHoldMarker } from '../../ownership/plain-hold-marker.js'
import type { Scope } from '../../ownership/scope.js'
import type { Thread } from '../../ownership/thread.js'
import { inBranch, type Caller } from './caller.js'
import type { Entry, Hold } from './hold/hold.js'
import type { LockDeps } from './lock-deps.js'
import type { LockRequest } from './engine/lock-request.js'

const USE_A_FORM =
  'unlock() releases what lock() or tryLock() took in the same flow; elsewhere use withLock(), the hold of acquire(), ' +
  'or client.runAsThread().'

const IN_ITS_SCOPE = 'Its hold belongs to a withLock() that is still running, and ends with it.'

const BY_UNLOCK: Omit<Entry, 'renewed'> = Object.freeze({ byUnlock: true })

/** `lock()` and `unlock()`: finds the owner by the flow that calls, so that the caller needs no handle of its hold. */
export class PlainForm {
  readonly #deps: LockDeps
  readonly #caller: Caller

  constructor(deps: LockDeps, caller: Caller) {
    this.#deps = deps
    this.#caller = caller
  }

  /** Acquires the lock for the calling owner: a named one, that of a scope, or one for this call alone, which `unlock()` finds by its marker. */
  acquire(asked: LockRequest): Promise<Hold> {
    const request = this.#caller.observed(asked)
    return followed(request, this.#acquire(request))
  }

  /** Ends one entry of the calling owner. */
  release(threadId: ThreadId | undefined): Promise<void> {
    const { context, identity, engine } = this.#deps
    const { owners } = context
    if (threadId !== undefined) return this.#releaseAs(owners.named(threadId), 'any')
    for (const { thread, ended } of owners.enclosingScopes()) {
      if (ended && thread.chosen) continue // by now another may be that thread
      if (engine.holdOf(thread) !== undefined || engine.owesUnlock(thread))
        return this.#releaseAs(thread, 'byUnlock')
    }
    const marker = owners.noted(identity)
    if (marker !== undefined) return this.#releaseMarked(marker)
    const { scope } = owners
    return scope === undefined
      ? this.#refuse(undefined, USE_A_FORM)
      : this.#releaseAs(scope.thread, 'byUnlock')
  }

  #acquire(request: LockRequest): Promise<Hold> {
    if (request.threadId !== undefined) return this.#acquireNamed(request.threadId, request)
    const { scope } = this.#deps.context.owners
    return scope === undefined ? this.#acquireAnew(request) : this.#acquireIn(scope, request)
  }

  async #acquireNamed(threadId: ThreadId, request: LockRequest): Promise<Hold> {
    const { context, nesting } = this.#deps
    const thread = context.owners.named(threadId)
    return (await this.#caller.acquire(thread, request, BY_UNLOCK, nesting.blockingOf(thread))).hold
  }

  async #acquireAnew(request: LockRequest): Promise<Hold> {
    const { context, identity, nesting } = this.#deps
    const { owners } = context
    const blocking = nesting.blocking()
    const thread = owners.newThread()
    const marker = owners.note(identity, thread, partsOf(this.#deps)) // in the synchronous part, and so in the context of the caller
    try {
      const { hold } = await this.#caller.acquire(thread, request, BY_UNLOCK, blocking)
      marker.hold(hold)
      return hold
    } catch (error) {
      marker.end()
      throw error
    }
  }

  /** As the nearest thread that holds the lock already, or else as the nearest one. */
  async #acquireIn(scope: Scope, request: LockRequest): Promise<Hold> {
    const { owner } = scope.thread
    const all = withParts(this.#deps).map(({ asking, identity }) => ({
      asking,
      asked: `${owner} ${identity}`,
    }))
    if (all.some(({ asking, asked }) => asking.has(asked)))
      throw new ForkedThreadError({ lock: this.#deps.name, owner })
    for (const { asking, asked } of all) asking.add(asked)
    try {
      return await this.#caller.enter(scope, request, {
        anew: () => this.#acquireNearest(scope, request),
        inside: (outer) => inBranch(outer, scope, () => this.#reenter(outer, scope, request)),
      })
    } finally {
      for (const { asking, asked } of all) asking.delete(asked)
    }
  }

  async #acquireNearest(scope: Scope, request: LockRequest): Promise<Hold> {
    const { nesting } = this.#deps
    const around = nesting.threadAround()
    const thread = around ?? scope.thread
    const blocking =
      around === undefined ? (nesting.blockingOf(thread) ?? nesting.blockingBeside()) : undefined
    return (await this.#caller.acquire(thread, request, BY_UNLOCK, blocking)).hold
  }

  /** Enters the hold that the thread has: as its owner, and not as another one beside it. */
  async #reenter({ thread }: Hold, branch: Scope, request: LockRequest): Promise<Hold> {
    const how = { byUnlock: true, branch }
    return (await this.#caller.acquire(thread, { ...request, inside: false }, how)).hold
  }

  async #releaseMarked(marker: PlainHoldMarker): Promise<void> {
    try {
      await this.#releaseAs(marker.thread, 'byUnlock')
      marker.end()
    } catch (error) {
      if (isRedissonError(error, 'NOT_HELD')) marker.end()
      throw error
    }
  }

  #releaseAs(thread: Thread, which: 'byUnlock' | 'any'): Promise<void> {
    const { engine } = this.#deps
    const hold = engine.holdOf(thread)
    if (hold === undefined) return engine.releaseFor(thread)
    const entry = hold.lastByUnlock ?? (which === 'any' ? hold.last : undefined)
    return entry === undefined ? this.#refuse(thread.owner, IN_ITS_SCOPE) : engine.release(hold, entry)
  }

  async #refuse(owner: string | undefined, hint: string): Promise<never> {
    throw await this.#deps.engine.notHeld(owner, hint)
  }
}

/** What tells the holds of the locks from others that a group is made of. Of those of another client its owners know nothing. */
function partsOf({ context, parts }: LockDeps): readonly string[] {
  const { owners } = context
  return parts?.filter((part) => part.context.owners === owners).map(({ identity }) => identity) ?? []
}

/** A lock, and all the locks that it is made of: asked for at once, one of those would be counted once for two requests. */
function withParts(deps: LockDeps): readonly LockDeps[] {
  return deps.parts === undefined ? [deps] : [deps, ...deps.parts.flatMap(withParts)]
}
