import type { ObjectContext } from '../../core/context/object-context.js'
import { onAbort } from '../../util/abort/abort-listeners.js'
import { DelayLooks } from './delay-looks.js'
import { Transfer } from './transfer.js'

/** A transfer, and for how long it goes on. */
interface Kept {
  readonly transfer: Transfer
  /** How many objects hold it. */
  holders: number
  /** Whether it goes on without any of them, and without calls that wait, until no element waits. */
  untilIdle: boolean
}

/** Ends a hold of a transfer. */
export interface TransferHold {
  /** Looks when an element is due that was offered, in so many milliseconds. */
  offered(delayMs: number): void
  /** Ends it, and the transfer if nothing else holds it, and no call of this client waits for elements of the queue. */
  release(): void
  /** The same once nothing waits: the program has not said that it shall end. */
  forget(): void
}

const NO_HOLD: TransferHold = { offered: nothing, release: nothing, forget: nothing }

/**
 * Moves elements of delayed queues to their destinations when they are due, for one client.
 *
 * A queue has one transfer for each client, with one timer, which keeps no process alive. It goes on as long as an object of the program holds it. A
 * client whose calls wait for elements of a queue looks whether any wait there. If so, it moves them as long as its calls wait.
 */
export class DelayedTransfers {
  readonly #context: ObjectContext
  readonly #kept = new Map<string, Kept>()
  readonly #looks: DelayLooks

  constructor(context: ObjectContext) {
    this.#context = context
    this.#looks = new DelayLooks(context, {
      knows: (queue) => this.#kept.get(queue)?.transfer.isIdle === false,
      found: (queue) => {
        this.#keep(queue).transfer.look()
      },
      left: (queue) => {
        const kept = this.#kept.get(queue)
        if (kept !== undefined) this.#endUnused(queue, kept)
      },
    })
    if (!context.executor.isBatch)
      onAbort(context.closing, () => {
        this.#close()
      })
  }

  /** How many queues have a transfer. */
  get size(): number {
    return this.#kept.size
  }

  /** Moves elements to a queue, for an object that lasts. A batch is over soon. */
  hold(queue: string): TransferHold {
    const { executor, closing } = this.#context
    if (executor.isBatch || closing.aborted) return NO_HOLD
    const kept = this.#keep(queue)
    kept.holders += 1
    let holds = true
    const end = (untilIdle: boolean) => {
      if (!holds) return
      holds = false
      kept.holders -= 1
      kept.untilIdle ||= untilIdle
      this.#endUnused(queue, kept)
    }
    return {
      offered: (delayMs) => {
        kept.transfer.expectIn(delayMs)
      },
      release: () => {
        end(false)
      },
      forget: () => {
        end(true)
      },
    }
  }

  /** Looks whether elements wait for these queues, as long as the returned function is not called. */
  watch(queues: readonly string[]): () => void {
    return this.#looks.watch(queues)
  }

  #keep(queue: string): Kept {
    const known = this.#kept.get(queue)
    if (known !== undefined) return known
    const transfer = new Transfer(this.#context, queue, () => {
      kept.untilIdle = false
      this.#endUnused(queue, kept)
    })
    const kept: Kept = { transfer, holders: 0, untilIdle: false }
    this.#kept.set(queue, kept)
    transfer.look()
    return kept
  }

  /** Ends a transfer that no object of the program holds, and for which no call waits; where that was forgotten, once no element waits. */
  #endUnused(queue: string, kept: Kept): void {
    if (kept.holders > 0 || this.#looks.isWatched(queue)) return
    if (kept.untilIdle) kept.transfer.look()
    else this.#end(queue, kept)
  }

  /** One that has ended may have been followed by another of the same queue. */
  #end(queue: string, kept: Kept): void {
    kept.transfer.end()
    if (this.#kept.get(queue) === kept) this.#kept.delete(queue)
  }

  #close(): void {
    this.#looks.close()
    for (const [queue, kept] of this.#kept) this.#end(queue, kept)
  }
}

function nothing(): void {}
