import { demandTurns, type RunOptions } from '../../command/command-executor.js'
import type { Patience } from '../../core/arguments.js'
import type { ObjectContext } from '../../core/object-context.js'
import { RECHECK_MS } from '../../waiting/recheck.js'
import { waitUntil, type Attempt } from '../../waiting/wait-until.js'
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

/** A waiter that was woken without need looks once more, and one that was not woken waits on. */
const wakeAll = (): number => Infinity

const EXACTLY_ONCE: RunOptions = Object.freeze({ exactlyOnce: true })

/** Removes values at the ends of one sorted set, and waits for them. */
export class Polls {
  readonly #context: Pick<ObjectContext, 'keyWakeUps' | 'config'>
  readonly #access: ObjectAccess

  constructor(context: Pick<ObjectContext, 'keyWakeUps' | 'config'>, access: ObjectAccess) {
    this.#context = context
    this.#access = access
  }

  /** Removes what there is now, or waits where there is patience. */
  async poll(poll: Poll, patience: Patience | undefined): Promise<readonly ScoredBytes[]> {
    if (poll.count === 0) return []
    return patience === undefined
      ? await this.#now(poll, this.#access.run)
      : await this.waiting(poll, patience)
  }

  /** Removes what there is as soon as there is anything; returns nothing if there is not in time. */
  async waiting(poll: Poll, { deadline, signal }: Patience): Promise<readonly ScoredBytes[]> {
    demandTurns(this.#access.executor, 'Waiting for a value')
    signal?.throwIfAborted()
    const found = await this.#now(poll, EXACTLY_ONCE)
    if (found.length > 0 || deadline.passed) return found
    const { keyWakeUps, config } = this.#context
    const waiter = keyWakeUps.join(this.#access.key, wakeAll)
    const { subscriptionTimeoutMs } = config
    const attempt = () => this.#attempt(poll)
    try {
      return (await waitUntil(waiter, { attempt, deadline, signal, subscriptionTimeoutMs })) ?? []
    } finally {
      waiter.leave()
    }
  }

  async #attempt(poll: Poll): Promise<Attempt<readonly ScoredBytes[]>> {
    const found = await this.#now(poll, EXACTLY_ONCE)
    return found.length > 0 ? { done: true, value: found } : { done: false, retryInMs: RECHECK_MS }
  }

  /** Removes what there is now, in the order of the set. */
  async #now({ end, count }: Poll, options: RunOptions): Promise<readonly ScoredBytes[]> {
    const { executor, key } = this.#access
    const call = { keys: { set: key }, args: { count } }
    if (end === 'first') return await executor.send(commands.popFirst, call, options)
    return (await executor.send(commands.popLast, call, options)).reverse()
  }
}
