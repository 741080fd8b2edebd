import type { PollOptions, TakeOptions } from '../../collections/shared/polling.api.js'
import { EntryRooms } from '../../collections/shared/entry-objects.js'
import { pollPatience, takePatience } from '../../collections/shared/polling.js'
import type { ValueCodec } from '../../collections/shared/value-codec.js'
import type { Patience } from '../../core/arguments/arguments.js'
import type { SharedServices } from '../../core/context/factories.js'
import type { ObjectContext } from '../../core/context/object-context.js'
import type { ObjectRequests } from '../../core/object-requests.js'
import { KeyWaiters } from '../../waiting/key-waiters.js'
import { BlockingCalls, type Moving, type SharedByCalls } from '../blocking-queue/blocking-calls.js'
import { Receivers } from '../blocking-queue/receivers.js'
import { Returns } from '../blocking-queue/returns.js'
import type { PriorityEnds, PriorityMove } from '../priority-queue/priority-ends.js'

/** What waiting calls of a client share. */
export interface SharedByPriorityCalls extends SharedByCalls {
  readonly rooms: EntryRooms
}

/** No delayed queue has a priority queue as its destination. */
const NO_DELAYS: SharedByCalls['delays'] = { watch: () => () => undefined }

export function sharedByPriorityCalls(shared: SharedServices): SharedByPriorityCalls {
  return {
    rooms: shared.get(EntryRooms),
    waiters: shared.get(KeyWaiters),
    receivers: shared.get(Receivers),
    returns: shared.get(Returns),
    delays: NO_DELAYS,
  }
}

/** The calls of a priority queue that wait for elements. */
export class PriorityCalls<V> extends BlockingCalls<V> {
  readonly #ends: PriorityEnds

  constructor(
    context: ObjectContext,
    about: { readonly name: string; readonly requests: ObjectRequests; readonly codec: ValueCodec<V> },
    shared: SharedByCalls,
    ends: PriorityEnds,
  ) {
    super(context, about, shared, ends)
    this.#ends = ends
  }

  /** Moves the last element to the head of another queue. */
  async pollLastToFirst(target: string, options: PollOptions = {}): Promise<V | undefined> {
    const patience = pollPatience(options)
    if (patience !== undefined) return await this.#lastToFirst(target, patience)
    const [moved] = await this.#ends.move(movingTo(target))
    return this.decodedIfAny(moved)
  }

  /** The same as soon as there is one. */
  async takeLastToFirst(target: string, options: TakeOptions = {}): Promise<V> {
    return (await this.#lastToFirst(target, takePatience(options))) as V // it waits without an end
  }

  async #lastToFirst(target: string, patience: Patience): Promise<V | undefined> {
    const moving = movingTo(target)
    const send: Moving['send'] = (options, until) => this.#ends.move(moving, options, until)
    return (await this.move({ ...moving, least: 1, send }, patience))[0]
  }
}

function movingTo(target: string): PriorityMove {
  return { target, end: 'last', targetEnd: 'first', count: 1, exactly: 0 }
}
