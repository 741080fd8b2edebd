import { sameOutage } from '../../core/holds/outage.js'
import { withoutAsyncContext } from '../../util/time/without-async-context.js'

/** How many deliveries one request acknowledges. */
const MOST_TOGETHER = 500

/** What Redis is told of one delivery. */
export interface Acknowledged {
  readonly member: string
  readonly group: string
  readonly dedup: string
}

/** Acknowledges deliveries of one queue with one request; returns, in order, which were held. */
export type Acknowledge = (deliveries: readonly Acknowledged[]) => Promise<readonly boolean[]>

interface Caller extends PromiseWithResolvers<boolean> {
  readonly delivery: Acknowledged
}

/** Those of one queue. */
interface Line {
  readonly waiting: Caller[]
}

/**
 * Acknowledges deliveries together. The first is sent at once. Those that come while a request of their queue is under way leave together when it has
 * its reply.
 */
export class Acknowledgements {
  readonly #lines = new Map<string, Line>()

  /** Returns whether the delivery was held. */
  join(queue: string, delivery: Acknowledged, send: Acknowledge): Promise<boolean> {
    const caller: Caller = { delivery, ...Promise.withResolvers<boolean>() }
    const line = this.#lines.get(queue)
    if (line === undefined) {
      const opened = { waiting: [caller] }
      this.#lines.set(queue, opened)
      void withoutAsyncContext(() => this.#run(queue, opened, send)) // it belongs to several flows
    } else line.waiting.push(caller)
    return caller.promise
  }

  async #run(queue: string, { waiting }: Line, send: Acknowledge): Promise<void> {
    while (waiting.length > 0) await settle(waiting.splice(0, MOST_TOGETHER), send)
    this.#lines.delete(queue)
  }
}

/** Never rejects. */
async function settle(callers: readonly Caller[], send: Acknowledge): Promise<void> {
  try {
    const held = await send(callers.map(({ delivery }) => delivery))
    for (const [index, { resolve }] of callers.entries()) resolve(held[index] === true)
  } catch (error) {
    for (const { reject } of callers) reject(sameOutage(error as Error))
  }
}
