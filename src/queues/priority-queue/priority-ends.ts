import type { EntryRooms } from '../../collections/shared/entry-objects.js'
import type { Form } from '../../collections/sorted-set/elements.js'
import { LOCKED, poll } from '../../collections/sorted-set/sorted-set.scripts.js'
import { Turns } from '../../collections/sorted-set/turns.js'
import type { RunOptions } from '../../command/operation/command-executor.js'
import type { ObjectRequests } from '../../core/object-requests.js'
import type { Until } from '../../waiting/settled-in-time.js'
import {
  plainElements,
  type Elements,
  type End,
  type Moved,
  type Removed,
} from '../blocking-queue/elements.js'
import * as scripts from './priority-queue.scripts.js'
import { removeInTurn, type Attempt } from './removals-in-turn.js'

/** The lock of Java. */
export interface JavaLock {
  readonly name: string
  /** What scripts look at. */
  readonly key: string
  /** Whether it is in another slot, so that scripts cannot see it. */
  readonly isElsewhere: boolean
}

interface PriorityEndsDeps {
  readonly requests: ObjectRequests
  readonly rooms: EntryRooms
  readonly lock: JavaLock
  /** The key of the order. */
  readonly comparator: string
  /** How scripts read elements that were removed. */
  readonly formOf: (values: readonly Buffer[]) => Form
}

/** Elements that are moved to the other end of another queue. */
export interface PriorityMove extends Omit<Moved, 'values'> {
  readonly count: number
  /** Whether nothing is moved where there are fewer. */
  readonly exactly: 0 | 1
}

/** Removes elements at the ends of one priority queue, and puts them back in their order. */
export class PriorityEnds implements Elements {
  readonly kind = 'priority'
  readonly #deps: PriorityEndsDeps
  readonly #turns: Turns
  /** For what does not end with the signal of the object: what it removes would be lost. */
  readonly #lastingTurns: Turns

  constructor(deps: PriorityEndsDeps) {
    const { requests, rooms, lock } = deps
    const shared = { rooms, lock: lock.name, isElsewhere: lock.isElsewhere }
    this.#deps = deps
    this.#turns = new Turns({ ...shared, requests })
    this.#lastingTurns = new Turns({ ...shared, requests: { isBatch: false, signal: undefined } })
  }

  get turns(): Turns {
    return this.#turns
  }

  get size() {
    return plainElements.size
  }

  /** They are those of this queue alone. */
  async pop(
    _: ObjectRequests,
    __: readonly string[],
    what: { readonly end: End; readonly count: number },
    ...how: readonly [options?: RunOptions, until?: Until]
  ): Promise<readonly [place: number, values: readonly Buffer[]] | undefined> {
    const values = await this.removeAt(what, ...how)
    return values.length === 0 ? undefined : [0, values]
  }

  /** Removes elements, and returns them in the order in which they were. */
  async removeAt(
    { end, count }: { readonly end: End; readonly count: number },
    options?: RunOptions,
    until?: Until,
  ): Promise<readonly Buffer[]> {
    const { requests, lock } = this.#deps
    const attempt: Attempt = (held, how) =>
      requests.ask(poll, { held, side: end, count }, { lock: lock.key }, how)
    const found = await this.#remove(attempt, options, until)
    return end === 'first' ? found : found.toReversed()
  }

  /** Returns what was moved, in that order. */
  async move(
    { target, end, count, exactly }: PriorityMove,
    options?: RunOptions,
    until?: Until,
  ): Promise<readonly Buffer[]> {
    const { requests, lock } = this.#deps
    const attempt: Attempt = (held, how) =>
      requests.ask(scripts.move, { held, side: end, count, exactly }, { lock: lock.key, target }, how)
    return await this.#remove(attempt, options, until)
  }

  async putBack(_: ObjectRequests, { end, values }: Removed, options: RunOptions): Promise<void> {
    await this.#putBackFrom(this.#deps.requests.key, end, values, options)
  }

  async moveBack(_: ObjectRequests, { target, end, values }: Moved, options: RunOptions): Promise<void> {
    await this.#putBackFrom(target, end, values, options)
  }

  async #remove(attempt: Attempt, options?: RunOptions, until?: Until): Promise<readonly Buffer[]> {
    return until === undefined
      ? await this.#turns.take((held) => attempt(held, options))
      : await removeInTurn(this.#lastingTurns, attempt, options ?? {}, until)
  }

  async #putBackFrom(
    target: string,
    side: End,
    values: readonly Buffer[],
    options: RunOptions,
  ): Promise<void> {
    const { requests, lock, comparator, formOf } = this.#deps
    const form = formOf(values)
    await this.#lastingTurns.take(async (held) => {
      const keys = { lock: lock.key, comparator, target }
      const reply = await requests.ask(scripts.putBack, { held, form, side, values }, keys, options)
      return reply === LOCKED ? undefined : reply
    })
  }
}
