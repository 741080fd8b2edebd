import type { Scope } from '../../ownership/scope.js'
import type { Thread } from '../../ownership/thread.js'
import type { Hold } from '../shared/hold/hold.js'
import { admitsInTurn, sameLock, type BlockingHold, type FlowHolds, type Nesting } from '../shared/nesting.js'

/** The rules of several locks as one: those of each of them, and of what the flow holds of all. */
export class CompositeNesting implements Nesting {
  readonly isTakenSecond = false
  readonly #own: FlowHolds
  readonly #parts: readonly Nesting[]

  constructor(own: FlowHolds, parts: readonly Nesting[]) {
    this.#own = own
    this.#parts = parts
  }

  blocking(): BlockingHold | undefined {
    return sameLock(this.#own) ?? this.#ofParts((part) => part.blocking())
  }

  blockingBeside(): BlockingHold | undefined {
    return this.#ofParts((part) => part.blockingBeside())
  }

  blockingOf(thread: Thread): BlockingHold | undefined {
    return this.#ofParts((part) => part.blockingOf(thread))
  }

  get isInside(): boolean {
    return this.#parts.some((part) => part.isInside)
  }

  threadAround(): Thread | undefined {
    return this.#ofParts((part) => part.threadAround())
  }

  /** Its members are taken by their own engines. */
  turnsOf(): undefined {
    return undefined
  }

  admits(outer: Hold, scope: Scope): boolean {
    return admitsInTurn(outer, scope)
  }

  /** What is found for the first part for which anything is. */
  #ofParts<T>(find: (part: Nesting) => T | undefined): T | undefined {
    for (const part of this.#parts) {
      const found = find(part)
      if (found !== undefined) return found
    }
    return undefined
  }
}
