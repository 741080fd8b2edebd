import type { RunOptions } from '../../command/operation/command-executor.js'
import type { Until } from '../../waiting/settled-in-time.js'

/** The end of a queue at which elements are removed. */
export type End = 'first' | 'last'

/** What is removed. */
export interface Pop {
  readonly end: End
  readonly count: number
  /** The queues of one slot, in the order in which they are looked at. */
  readonly keys: readonly string[]
}

/** What was removed, and where. */
export interface Popped {
  /** The place of the queue among all that were named, of which this one is 0. */
  readonly place: number
  /** In the order in which they were removed. There is one at least. */
  readonly values: readonly Buffer[]
}

/** Where elements were moved. */
export interface Moved {
  readonly target: string
  /** The end of the queue from which they were removed. */
  readonly end: End
  /** The end of the other queue to which they were added. */
  readonly targetEnd: End
}

/** How elements are removed at the ends of queues, and put back. */
export interface Ends {
  /** Removes elements of the first queue that has any. The call waits for nothing where there is no `until`. */
  readonly pop: (pop: Pop, options?: RunOptions, until?: Until) => Promise<Popped | undefined>
  /** Puts elements back that were removed, given in the order in which they were. */
  readonly putBack: (
    removed: { readonly key: string; readonly end: End },
    values: readonly Buffer[],
    options: RunOptions,
  ) => Promise<unknown>
  /** Puts elements back that were moved to another queue, as far as they are still there. */
  readonly moveBack: (moved: Moved, values: readonly Buffer[], options: RunOptions) => Promise<unknown>
}
