import * as list from '../../collections/list/list.commands.js'
import type { RunOptions } from '../../command/operation/command-executor.js'
import type { ObjectRequests } from '../../core/object-requests.js'
import type { Until } from '../../waiting/settled-in-time.js'
import * as ends from '../queue/queue.commands.js'
import * as queue from '../queue/queue.scripts.js'
import * as scripts from './blocking-queue.scripts.js'

/** The end of a queue at which elements are removed or added. */
export type End = 'first' | 'last'

/** Elements that were removed, and where they were. */
export interface Removed {
  readonly end: End
  /** In the order in which they were removed. */
  readonly values: readonly Buffer[]
}

/** Elements that were moved to another queue. */
export interface Moved extends Removed {
  readonly target: string
  /** The end of the other queue at which they were added. */
  readonly targetEnd: End
}

/** How one kind of queue removes elements and puts them back. The requests are about the queue itself. */
export interface Elements {
  /** What one kind puts back, another one does not. */
  readonly kind: string

  /**
   * Removes elements of the first queue that has any. Returns its place, counted from 0, and the elements; undefined if there are none.
   *
   * @param keys - of queues in one slot, of which there is one at least
   * @param until - when the call ends, if it waits; what is waited for before anything is removed ends with it
   */
  readonly pop: (
    requests: ObjectRequests,
    keys: readonly string[],
    what: { readonly end: End; readonly count: number },
    options?: RunOptions,
    until?: Until,
  ) => Promise<readonly [place: number, values: readonly Buffer[]] | undefined>

  /** Adds elements where they were removed. */
  readonly putBack: (requests: ObjectRequests, removed: Removed, options: RunOptions) => Promise<unknown>

  /** Puts elements back that were moved, as far as they are still there. */
  readonly moveBack: (requests: ObjectRequests, moved: Moved, options: RunOptions) => Promise<unknown>

  /** Returns how many elements a queue has. */
  readonly size: (requests: ObjectRequests, options: RunOptions) => Promise<number>
}

/** The same, and how elements are moved to other queues. */
export interface MovableElements extends Elements {
  /** Moves the last element to the head of another queue. Returns it; undefined if there is none. */
  readonly moveLast: (
    requests: ObjectRequests,
    target: string,
    options?: RunOptions,
  ) => Promise<Buffer | undefined>

  /** Moves elements from the head to the tail of another queue, and returns them. */
  readonly moveFirst: (
    requests: ObjectRequests,
    target: string,
    what: { readonly count: number; readonly exactly: 0 | 1 },
    options?: RunOptions,
  ) => Promise<readonly Buffer[]>
}

/** Those of queues that are no more than a list. */
export const plainElements: MovableElements = {
  kind: 'list',

  async pop(requests, keys, { end, count }, options) {
    const pop = popAt(end)
    if (keys.length > 1)
      return await requests.run(
        scripts.pollFromAny,
        { keys: { queues: keys }, args: { pop, count } },
        options,
      )
    const own = requests.at(keys[0] as string)
    const values =
      count === 1
        ? [await own.ask(end === 'first' ? ends.poll : ends.pollLast, {}, {}, options)]
        : await own.ask(queue.poll, { pop, count }, {}, options)
    return values[0] === undefined ? undefined : [0, values as Buffer[]]
  },

  putBack: (requests, { end, values }, options) =>
    requests.ask(scripts.putBack, { push: pushAt(end), values }, {}, options),

  moveLast: (requests, target, options) =>
    requests.ask(ends.pollLastAndOfferFirstTo, {}, { target }, options),

  moveFirst: (requests, target, args, options) =>
    requests.run(queue.move, { keys: { queues: [requests.key, target] }, args }, options),

  moveBack: (requests, { end, values, target, targetEnd }, options) =>
    requests.ask(
      scripts.moveBack,
      { push: pushAt(end), from: rankOf(targetEnd), values },
      { target },
      options,
    ),

  size: (requests, options) => requests.ask(list.size, {}, {}, options),
}

/** The command that removes elements at an end. */
export function popAt(end: End): 'lpop' | 'rpop' {
  return end === 'first' ? 'lpop' : 'rpop'
}

/** The command that adds elements at an end. */
export function pushAt(end: End): 'lpush' | 'rpush' {
  return end === 'first' ? 'lpush' : 'rpush'
}

/** From which end elements are looked for. */
export function rankOf(end: End): 1 | -1 {
  return end === 'first' ? 1 : -1
}
