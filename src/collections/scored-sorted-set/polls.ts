import { demandTurns, type RunOptions } from '../../command/command-executor.js'
import type { Patience } from '../../core/arguments.js'
import type { KeyWaiters } from '../../waiting/key-waiters.js'
import type { ObjectAccess } from '../shared/object-access.js'
import * as commands from './scored-sorted-set.commands.js'
import type { ScoredBytes } from './scored-reader.js'

/** The end of a sorted set at which values are removed. */
export type End = 'first' | 'last'

/** What a poll is about. */
export interface Poll {
  readonly end: End
  /** How many values are removed at most. */
  readonly count: number
}

const EXACTLY_ONCE: RunOptions = Object.freeze({ exactlyOnce: true })

/** Removes values at the ends of one sorted set, and waits for them. */
export class Polls {
  readonly #access: ObjectAccess
  readonly #waiters: KeyWaiters

  constructor(access: ObjectAccess, waiters: KeyWaiters) {
    this.#access = access
    this.#waiters = waiters
  }

  /** Removes what there is now, or waits where there is patience. */
  async poll(poll: Poll, patience: Patience | undefined): Promise<readonly ScoredBytes[]> {
    if (poll.count === 0) return []
    return patience === undefined
      ? await this.#now(poll, this.#access.run)
      : await this.waiting(poll, patience)
  }

  /** Removes what there is as soon as there is anything; returns nothing if there is not in time. */
  async waiting(poll: Poll, patience: Patience): Promise<readonly ScoredBytes[]> {
    const { executor, key } = this.#access
    demandTurns(executor, 'Waiting for a value')
    patience.signal?.throwIfAborted()
    const found = await this.#now(poll, EXACTLY_ONCE)
    if (found.length > 0 || patience.deadline.passed) return found
    const find = async () => {
      const entries = await this.#now(poll, EXACTLY_ONCE)
      return entries.length > 0 ? entries : undefined
    }
    return (await this.#waiters.wait([key], find, patience)) ?? []
  }

  /** Removes what there is now, in the order of the set. */
  async #now({ end, count }: Poll, options: RunOptions): Promise<readonly ScoredBytes[]> {
    const { executor, key } = this.#access
    const call = { keys: { set: key }, args: { count } }
    if (end === 'first') return await executor.send(commands.popFirst, call, options)
    return (await executor.send(commands.popLast, call, options)).reverse()
  }
}
