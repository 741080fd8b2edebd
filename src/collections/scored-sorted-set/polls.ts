import { FROM_MASTER, type RunOptions } from '../../command/operation/command-executor.js'
import type { Patience } from '../../core/arguments/arguments.js'
import type { KeyWaiters } from '../../waiting/key-waiters.js'
import { findOrWait } from '../shared/find-or-wait.js'
import type { ObjectRequests } from '../../core/object-requests.js'
import * as commands from './scored-sorted-set.commands.js'
import * as scripts from './scored-sorted-set.scripts.js'
import type { ScoredBytes } from './scored-reader.js'

/** The end of a sorted set at which values are removed. */
export type End = 'first' | 'last'

/** What a poll is about. */
export interface Poll {
  readonly end: End
  /** How many values are removed at most. */
  readonly count: number
  /** The names of other sets, which are looked at in this order where this one is empty. */
  readonly others?: readonly string[]
}

/** What was removed, and where. */
export interface Polled {
  /** The place of the set among all of them, of which this one is 0. */
  readonly place: number
  /** In the order of the set; none if there were none. */
  readonly entries: readonly ScoredBytes[]
}

const NOTHING: Polled = Object.freeze({ place: 0, entries: [] })

const EXACTLY_ONCE: RunOptions = Object.freeze({ exactlyOnce: true })

/** Removes values at the ends of one sorted set, or of several, and waits for them. */
export class Polls {
  readonly #requests: ObjectRequests
  readonly #waiters: KeyWaiters
  readonly #keyOf: (name: string) => string

  /** @param keyOf - the key of another set; it throws if that is not in the same slot */
  constructor(requests: ObjectRequests, waiters: KeyWaiters, keyOf: (name: string) => string) {
    this.#requests = requests
    this.#waiters = waiters
    this.#keyOf = keyOf
  }

  /** Removes what there is now, or waits where there is patience. */
  async poll(poll: Poll, patience: Patience | undefined): Promise<Polled> {
    if (poll.count === 0) return NOTHING
    return patience === undefined ? await this.#now(poll) : await this.waiting(poll, patience)
  }

  /** Removes what there is as soon as there is anything; nothing if there is not in time. */
  async waiting(poll: Poll, patience: Patience): Promise<Polled> {
    const remove = async (bounds: RunOptions) => {
      const polled = await this.#now(poll, { ...EXACTLY_ONCE, ...bounds })
      return polled.entries.length > 0 ? polled : undefined
    }
    const source = { remove, hasAny: (bounds: RunOptions) => this.#hasAny(poll, bounds) }
    return (await findOrWait(this.#requests, this.#waiters, this.#keysOf(poll), source, patience)) ?? NOTHING
  }

  async #hasAny(poll: Poll, bounds: RunOptions): Promise<boolean> {
    const sizes = this.#keysOf(poll).map((set) =>
      this.#requests.at(set).ask(commands.size, {}, {}, { ...bounds, ...FROM_MASTER }),
    )
    return (await Promise.all(sizes)).some((size) => size > 0)
  }

  async #now(poll: Poll, options?: RunOptions): Promise<Polled> {
    const { place, entries } = await this.#pop(poll, options)
    return { place, entries: poll.end === 'first' ? entries : entries.toReversed() }
  }

  /** What is popped from the end comes with the highest score first. */
  async #pop(poll: Poll, options?: RunOptions): Promise<Polled> {
    const { end, count, others } = poll
    if (others === undefined) {
      const pop = end === 'first' ? commands.popFirst : commands.popLast
      return { place: 0, entries: await this.#requests.ask(pop, { count }, {}, options) }
    }
    const args = { pop: end === 'first' ? 'zpopmin' : 'zpopmax', count }
    const found = await this.#requests.run(
      scripts.pollFromAny,
      { keys: { sets: this.#keysOf(poll) }, args },
      options,
    )
    return found === undefined ? NOTHING : { place: found[0], entries: found[1] }
  }

  #keysOf({ others = [] }: Poll): string[] {
    return [this.#requests.key, ...others.map((name) => this.#keyOf(name))]
  }
}
