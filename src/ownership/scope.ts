import type { Thread } from './thread.js'

/** A function that runs as a thread, together with all that it awaits. */
export class Scope {
  readonly thread: Thread
  #parent: Scope | undefined
  #ended = false
  #onEnd: Set<() => void> | undefined

  constructor(thread: Thread, parent: Scope | undefined) {
    this.thread = thread
    this.#parent = parent
    parent?.forgetEnded()
  }

  /** The next scope around this one that is running, or that still holds something. */
  get parent(): Scope | undefined {
    this.forgetEnded()
    return this.#parent
  }

  /** Whether the function has settled. What it left running may no longer act as its thread. */
  get ended(): boolean {
    return this.#ended
  }

  /** Whether neither this scope nor one around it is of any more use to a caller. */
  get isOver(): boolean {
    return this.#isSpent && this.parent === undefined
  }

  end(): void {
    this.#ended = true
    for (const callback of this.#onEnd ?? []) callback()
  }

  /** Calls back when the function has settled, unless {@link Scope.offEnd} comes first. */
  onEnd(callback: () => void): void {
    this.#onEnd ??= new Set()
    this.#onEnd.add(callback)
  }

  offEnd(callback: () => void): void {
    this.#onEnd?.delete(callback)
  }

  /** Whether this scope is another one, or began somewhere inside it, where that one is still running. */
  isWithin(other: Scope): boolean {
    let around: Scope | undefined = this.parent
    while (around !== undefined && around !== other) around = around.parent
    return this === other || around === other
  }

  /**
   * Leaves out the scopes around this one that are of no more use to any caller. A function may begin the next one before it ends,
   * and that one the next, for as long as the process runs.
   */
  forgetEnded(): void {
    while (this.#parent !== undefined && this.#parent.#isSpent) this.#parent = this.#parent.#parent
  }

  get #isSpent(): boolean {
    return this.#ended && this.thread.holds === 0
  }
}
