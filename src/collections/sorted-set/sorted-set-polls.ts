import { FROM_MASTER, type RunOptions } from '../../command/operation/command-executor.js'
import type { Patience } from '../../core/arguments/arguments.js'
import { EXACTLY_ONCE } from '../../core/redisson-object.js'
import type { KeyWaiters } from '../../waiting/key-waiters.js'
import type { ObjectRequests } from '../../core/object-requests.js'
import { findOrWait } from '../shared/find-or-wait.js'
import * as commands from './sorted-set.commands.js'
import * as scripts from './sorted-set.scripts.js'
import type { Held, Turns } from './turns.js'

/** The end of a sorted set at which values are removed. */
export type End = 'first' | 'last'

interface PollsDeps {
  readonly requests: ObjectRequests
  readonly turns: Turns
  readonly waiters: KeyWaiters
  /** The key of the lock of Java. */
  readonly lock: string
}

/** Removes values at the ends of one sorted set, and waits for them. */
export class SortedSetPolls {
  readonly #deps: PollsDeps

  constructor(deps: PollsDeps) {
    this.#deps = deps
  }

  /** Removes what there is now; where there is patience, it waits until there is anything. */
  async poll(end: End, count: number, patience: Patience | undefined): Promise<readonly Buffer[]> {
    if (count === 0) return []
    const { requests, turns, waiters } = this.#deps
    const poll = (options?: RunOptions) =>
      turns.take((held) => this.#once({ held, side: end, count }, options), patience?.signal)
    if (patience === undefined) return await poll()
    const remove = async (bounds: RunOptions) => {
      const found = await poll({ ...EXACTLY_ONCE, ...bounds })
      return found.length > 0 ? found : undefined
    }
    const hasAny = async (bounds: RunOptions) =>
      (await requests.ask(commands.size, {}, {}, { ...bounds, ...FROM_MASTER })) > 0
    return (await findOrWait(requests, waiters, [requests.key], { remove, hasAny }, patience)) ?? []
  }

  #once(
    args: { readonly held: Held; readonly side: End; readonly count: number },
    options?: RunOptions,
  ): Promise<readonly Buffer[] | undefined> {
    const { requests, lock } = this.#deps
    return requests.ask(scripts.poll, args, { lock }, options)
  }
}
