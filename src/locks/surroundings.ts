import type { Owners } from '../ownership/owners.js'
import type { Thread } from '../ownership/thread.js'
import type { Hold } from './hold.js'
import type { Keeper } from './keeper.js'
import type { Nested } from './nesting.js'

/** Knows the holds of a lock, or of the locks that it is made of. */
interface Holds {
  readonly context: { readonly owners: Owners }
  readonly keeper: Keeper
  readonly parts?: readonly Holds[]
}

/** One side of a read-write lock. */
export interface Side {
  readonly mode: 'read' | 'write'
  /** The other side. */
  readonly opposite: Holds
}

/** What a flow holds already, and would wait for. */
export interface Around {
  readonly hold: Hold
  readonly nested: Nested
}

/** What the flow that asks for a lock holds already of it, and of its other side where it has one. */
export class Surroundings {
  readonly #owners: Owners
  readonly #own: Holds
  readonly #side: Side | undefined

  constructor(own: Holds & { readonly side?: Side }) {
    this.#owners = own.context.owners
    this.#own = own
    this.#side = own.side
  }

  /** What the flow may hold itself, or a flow that it has forked from, so that a new owner would wait for it. */
  held(): Around | undefined {
    // Readers let each other in, and a flow that reads already does not wait for writers, either.
    const hold = this.#side?.mode === 'read' ? undefined : this.#holdOf(this.#own)
    return hold === undefined ? this.otherSide() : { hold, nested: 'same lock' }
  }

  /** The same of the other side alone. */
  otherSide(): Around | undefined {
    if (this.#side === undefined) return undefined
    const hold = this.#holdOf(this.#side.opposite)
    return hold && { hold, nested: this.#side.mode === 'read' ? 'writes already' : 'reads already' }
  }

  /** What a thread reads that asks to write: it would wait for itself, unless another flow gives that back for it. */
  upgradeOf(thread: Thread): Around | undefined {
    const hold = this.#side?.mode === 'write' ? this.#side.opposite.keeper.holdOf(thread) : undefined
    return hold && { hold, nested: 'reads already' }
  }

  /** Whether the flow reads already, and asks to read. */
  get reads(): boolean {
    return this.#side?.mode === 'read' && this.#holdOf(this.#own) !== undefined
  }

  /** Who writes around a flow that asks to read, which it may as the same thread. */
  writer(): Thread | undefined {
    if (this.#side?.mode !== 'read') return undefined
    for (let around = this.#owners.scope; around !== undefined; around = around.parent)
      if (!around.ended && this.#side.opposite.keeper.holdOf(around.thread) !== undefined)
        return around.thread
    return undefined
  }

  #holdOf({ context, keeper, parts = [] }: Holds): Hold | undefined {
    for (const thread of context.owners.threadsOfTheFlow()) {
      const hold = keeper.holdOf(thread)
      if (hold !== undefined) return hold
    }
    for (const part of parts) {
      const hold = this.#holdOf(part)
      if (hold !== undefined) return hold
    }
    return undefined
  }
}
