import type { Scope } from '../../../ownership/scope.js'
import type { Deadline } from '../../../util/time/deadline.js'
import { AutoResetEvent } from '../../../util/auto-reset-event.js'

/**
 * The scopes that are inside one hold, so that those which run side by side take turns.
 *
 * A hold may be entered again from the innermost scope inside it, and from what that one awaits. A call from
 * elsewhere has forked from it, and waits until it has left or is over.
 */
export class ReentrantScopes {
  readonly #inside: Scope[] = []
  readonly #waiting = new Set<AutoResetEvent>()
  readonly #wakeAll = (): void => {
    for (const sleeper of this.#waiting) sleeper.set()
  }

  /** Whether a scope may enter now. */
  admits(scope: Scope): boolean {
    const innermost = this.#inside.findLast(({ ended }) => !ended)
    return innermost === undefined || scope.isWithin(innermost)
  }

  enter(scope: Scope): void {
    this.#inside.push(scope)
    scope.onEnd(this.#wakeAll)
  }

  leave(scope: Scope): void {
    this.#inside.splice(this.#inside.lastIndexOf(scope), 1)
    if (!this.#inside.includes(scope)) scope.offEnd(this.#wakeAll)
    this.#wakeAll()
  }

  /** Waits until some scope has left, or the deadline has passed. */
  async change(deadline: Deadline, signal: AbortSignal | undefined): Promise<void> {
    const sleeper = new AutoResetEvent()
    this.#waiting.add(sleeper)
    try {
      await sleeper.wait(deadline.within(Infinity), signal)
    } finally {
      this.#waiting.delete(sleeper)
    }
  }
}
