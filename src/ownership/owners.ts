import type { ThreadId } from '../api/thread-id.js'
import { FlowContext } from './flow-context.js'
import { Note } from './note.js'
import { Scope } from './scope.js'
import { namedThread, type Thread } from './thread.js'

/** Threads of our own begin here, far above the ids that people choose, so that the two never meet. */
const FIRST_OWN_ID = 1_000_000_000_000_000

/** What an asynchronous context knows about who is asking. */
interface Context {
  readonly scope: Scope | undefined
  readonly notes: readonly Note[]
}

const NOBODY: Context = { scope: undefined, notes: [] }

/** Answers one question: who is asking? One per client, so that two clients never take each other's flows for theirs. */
export class Owners {
  readonly clientId: string
  readonly #contexts = new FlowContext<Context>({ scope: undefined, notes: [] })
  #nextId = FIRST_OWN_ID

  constructor(clientId: string) {
    this.clientId = clientId
  }

  /** A thread that nobody has been before. */
  mint(): Thread {
    const id = String(this.#nextId++)
    return { id, owner: `${this.clientId}:${id}`, shared: false }
  }

  /** The thread that the user names. */
  named(threadId: ThreadId): Thread {
    return namedThread(this.clientId, threadId)
  }

  /** Runs a function as a thread. The scope ends when the function has settled. */
  async run<T>(scope: Scope, fn: () => T): Promise<Awaited<T>> {
    try {
      return await this.#contexts.run({ ...this.#context, scope }, fn)
    } finally {
      scope.end()
    }
  }

  /** A scope for a thread, inside the one that is asking. */
  openScope(thread: Thread): Scope {
    return new Scope(thread, this.scope)
  }

  /**
   * The scope that is asking; undefined outside every scope.
   *
   * What was started inside a scope and outlives it is a stranger, even where an outer scope goes on: it must never
   * pass for the thread that it came from.
   */
  get scope(): Scope | undefined {
    const { scope } = this.#context
    return scope?.ended === true ? undefined : scope
  }

  /** Every scope around the caller, innermost first, ended ones included. */
  *enclosingScopes(): Generator<Scope> {
    for (let { scope } = this.#context; scope !== undefined; scope = scope.parent) yield scope
  }

  /** Every thread that the caller's flow acts as, or has acted as before it forked: by its scopes, and by its notes. */
  threadsOfTheFlow(): readonly Thread[] {
    const { scope, notes } = this.#context
    if (scope === undefined && notes.length === 0) return []
    const held = notes.filter((note) => note.held).reverse()
    return [...this.enclosingScopes(), ...held].map(({ thread }) => thread)
  }

  /**
   * Notes in the caller's own context that it asks for a lock by the plain form, so that `unlock()` will find the hold.
   *
   * It has to be called in the synchronous part of the plain call. A note of the same lock that is still pending here
   * cannot be the caller's own, which would be waiting: it leaked from a sibling, and is left out.
   */
  note(lock: string, thread: Thread): Note {
    const note = new Note(lock, thread)
    const { scope, notes } = this.#context
    const kept = notes.filter((other) => !other.over && !(other.pending && other.lock === lock))
    this.#contexts.enter({ scope, notes: [...kept, note] })
    return note
  }

  /** The newest hold of a lock that was noted in the caller's context and still stands. */
  noted(lock: string): Note | undefined {
    return this.#context.notes.findLast((note) => note.held && note.lock === lock)
  }

  get #context(): Context {
    return this.#contexts.value ?? NOBODY
  }
}
