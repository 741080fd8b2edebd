import type { ThreadId } from '../api/thread-id.js'
import { FlowContext, type FlowValue } from './flow-context.js'
import { FlowMarkers } from './flow-markers.js'
import { PlainHoldMarker } from './plain-hold-marker.js'
import { Scope } from './scope.js'
import { namedThread, type Thread } from './thread.js'

/** Threads of our own begin here, far above the ids that people choose, so that the two never meet. */
const FIRST_OWN_ID = 1_000_000_000_000_000

/** What an asynchronous context knows about the thread of a call. */
class OwnerContext implements FlowValue {
  static readonly none = new OwnerContext(undefined, FlowMarkers.none)

  readonly scope: Scope | undefined
  readonly markers: FlowMarkers

  constructor(scope: Scope | undefined, markers: FlowMarkers) {
    this.scope = scope
    this.markers = markers
  }

  get isOver(): boolean {
    return this.scope?.isOver !== false && this.markers.isOver
  }
}

/** Finds the thread of a call. One per client, so that two clients never mistake each other's flows for their own. */
export class Owners {
  readonly clientId: string
  readonly #contexts = new FlowContext<OwnerContext>()
  #nextId = FIRST_OWN_ID

  constructor(clientId: string) {
    this.clientId = clientId
  }

  /** Whether an owner in Redis is a thread of this client. */
  includes(owner: string): boolean {
    return owner.startsWith(`${this.clientId}:`)
  }

  /** A new thread. */
  newThread(): Thread {
    const id = String(this.#nextId++)
    return { id, owner: `${this.clientId}:${id}`, chosen: false, shared: false, holds: 0 }
  }

  /** The thread that the user names. */
  named(threadId: ThreadId): Thread {
    return namedThread(this.clientId, threadId)
  }

  /** Runs a function as a thread. The scope ends when the function has settled. */
  async run<T>(scope: Scope, fn: () => T | PromiseLike<T>): Promise<T> {
    try {
      return await this.runIn(scope, fn)
    } finally {
      scope.end()
    }
  }

  /**
   * Runs a function as a thread, and leaves it to the caller to end the scope when the function has settled.
   *
   * A thenable, such as a query builder, may begin its work only in `then()`. The promise that is made here calls that inside the scope; `await` in the
   * caller would call it outside. `await` would make the same promise, so this costs nothing, and a native promise is returned as it is.
   */
  runIn<T>(scope: Scope, fn: () => T | PromiseLike<T>): Promise<T> {
    const context = new OwnerContext(scope, this.#context.markers)
    return this.#contexts.run(context, () => Promise.resolve(fn()))
  }

  /** A scope for a thread, inside that of the caller. */
  openScope(thread: Thread): Scope {
    return new Scope(thread, this.scope)
  }

  /**
   * The scope of the caller; undefined outside every scope.
   *
   * What was started inside a scope and outlives it does not belong to it, even where an outer scope goes on: it
   * must never act as the thread that started it.
   */
  get scope(): Scope | undefined {
    const { scope } = this.#context
    return scope?.ended === true ? undefined : scope
  }

  /** Every scope around the caller, innermost first, and of those that have ended the ones that still hold something. */
  *enclosingScopes(): Generator<Scope> {
    for (let { scope } = this.#context; scope !== undefined; scope = scope.parent) yield scope
  }

  /**
   * Every thread that may hold a lock of those that the caller's flow acts as, or has acted as before it forked: by its scopes, and by
   * its markers of the lock and of groups that the lock is a part of.
   */
  *threadsOfTheFlow(lock: string): Generator<Thread> {
    for (const { thread } of this.enclosingScopes()) yield thread
    for (const { thread } of this.#context.markers.held(lock)) yield thread
  }

  /**
   * Notes in the caller's own context that it asks for a lock by the plain form, so that `unlock()` will find the hold.
   *
   * It has to be called in the synchronous part of the plain call.
   *
   * @param parts - the locks that it is made of, if it is a group
   */
  note(lock: string, thread: Thread, parts?: readonly string[]): PlainHoldMarker {
    const marker = new PlainHoldMarker(lock, thread, parts)
    const { scope, markers } = this.#context
    this.#contexts.enter(new OwnerContext(scope, markers.with(marker)))
    return marker
  }

  /** The newest hold of a lock that has a marker in the caller's context and is still valid. */
  noted(lock: string): PlainHoldMarker | undefined {
    return this.#context.markers.newestHeld(lock)
  }

  get #context(): OwnerContext {
    return this.#contexts.value ?? OwnerContext.none
  }
}
