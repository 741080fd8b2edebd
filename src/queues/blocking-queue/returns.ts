import { setImmediate as nextTurn } from 'node:timers/promises'
import { MOST_ENTRIES } from '../../core/arguments/scan-settings.js'
import type { ObjectContext } from '../../core/context/object-context.js'
import { chunk } from '../../util/collections/chunk.js'
import type { Deadline } from '../../util/time/deadline.js'
import { outcomeWithin } from '../../util/time/outcome-within.js'

/** Elements that reach no caller, and where they belong. */
export interface Return {
  /** What the elements of several calls have in common that are put back together. */
  readonly place: string
  /** In the order in which they were removed. */
  readonly values: readonly Buffer[]
  /** Puts elements back, given in the order in which they were removed. */
  readonly putBack: (values: readonly Buffer[]) => Promise<unknown>
}

/** What a removal finds that has no caller any more. */
type Finding = Promise<Return | undefined>

/**
 * Puts elements back that reach no caller. Each is added at the end from which it was removed, so the last one that was removed comes first.
 *
 * Calls of one queue that give up together wait for each other here. One after the other, they would leave the queue in the reverse order.
 */
export class Returns {
  /** Those to which removals may be added, by their queues. */
  readonly #batches = new Map<string, Batch>()
  /** Those that are not over. */
  readonly #open = new Set<Batch>()

  constructor({ onClose }: Pick<ObjectContext, 'onClose'>) {
    onClose((deadline) => this.#settled(deadline))
  }

  /** Puts back what a removal finds, if anything. Resolves when that is done, or has failed for good. Never rejects. */
  async expect(queue: string, finding: Finding): Promise<void> {
    const batch = this.#batches.get(queue) ?? this.#newBatch(queue)
    batch.add(finding)
    await batch.over
  }

  #newBatch(queue: string): Batch {
    const batch = new Batch(() => this.#batches.delete(queue))
    this.#batches.set(queue, batch)
    this.#open.add(batch)
    void batch.over.then(() => this.#open.delete(batch))
    return batch
  }

  /** Waits until no element is under way any more, or the deadline has passed. */
  async #settled(deadline: Deadline): Promise<void> {
    await nextTurn() // what has just arrived is with its caller then, or here
    while (this.#open.size > 0 && !deadline.passed)
      await outcomeWithin(Promise.all([...this.#open].map(({ over }) => over)), deadline.within(Infinity))
  }
}

/** Removals whose elements are put back together. */
class Batch {
  /** Resolves when the elements are back. Never rejects. */
  readonly over: Promise<void>
  readonly #first = Promise.withResolvers<void>()
  readonly #findings: Promise<void>[] = []
  readonly #found: Return[] = []

  /** @param close - has no further removal be added */
  constructor(close: () => void) {
    this.over = this.#run(close)
  }

  add(finding: Finding): void {
    this.#findings.push(this.#note(finding))
  }

  async #note(finding: Finding): Promise<void> {
    const found = await finding.catch(() => undefined)
    if (found !== undefined) this.#found.push(found)
    this.#first.resolve()
  }

  /** What gives up before the first reply, or in the same turn of the event loop, belongs to it. */
  async #run(close: () => void): Promise<void> {
    await this.#first.promise
    await nextTurn()
    close()
    await Promise.all(this.#findings)
    const places = Map.groupBy(this.#found, ({ place }) => place)
    await Promise.all([...places.values()].map(putBack))
  }
}

async function putBack(found: readonly Return[]): Promise<void> {
  const values = found.flatMap((each) => each.values)
  for (const part of chunk(values, MOST_ENTRIES).toReversed())
    await found[0]?.putBack(part).catch(() => undefined) // there is no caller to tell
}
