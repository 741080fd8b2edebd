import type { Patience } from '../../core/arguments/arguments.js'
import type { ObjectContext } from '../../core/context/object-context.js'
import { isOutage, sameOutage } from '../../core/holds/outage.js'
import { unheard } from '../../core/context/still-wanted.js'
import { ClientClosedError } from '../../errors/client-errors.js'
import { isTransient } from '../../errors/transient.js'
import type { Comer } from '../../waiting/own-time.js'
import { QueueReplies } from '../../waiting/queue-replies.js'
import type { Attempt } from '../../waiting/wait-until.js'
import { AutoResetEvent } from '../../util/auto-reset-event.js'

/**
 * The waiters of this process for rate limiters. Of each limiter only the first sends requests. If it finds that Redis cannot be
 * reached, all that waited when its request began reject.
 */
export class RateQueues {
  readonly #context: Pick<ObjectContext, 'topology'>
  readonly #lines = new Map<string, Line>()
  #closed = false

  constructor(context: Pick<ObjectContext, 'topology'>) {
    this.#context = context
  }

  /**
   * Waits in the queue, then tries until it is granted; returns false when the time is over.
   *
   * @throws {@link ReplyTimeoutError} or {@link ConnectionLostError} if Redis has said nothing by then to those who stood before it
   */
  async wait(key: string, attempt: () => Promise<Attempt<true>>, patience: Patience): Promise<boolean> {
    const { deadline, signal } = patience
    if (this.#closed) throw new ClientClosedError()
    const place = new Place()
    const line = this.#lines.get(key) ?? { places: [], replies: new QueueReplies() }
    this.#lines.set(key, line)
    const isBehind = line.places.length > 0
    line.places.push(place)
    try {
      const isFirst = !isBehind || (await place.wait(deadline.within(Infinity), signal))
      if (!isFirst && !deadline.passedLongAgo) {
        if (line.replies.isSilentFor(place))
          throw unheard(this.#context, this.#context.topology.placeOf(key), place.cameAt)
        return false
      }
      let refused = isBehind && !line.replies.isSilentFor(place)
      for (; ; refused = true) {
        const next = await toldToAll(line, attempt, patience).catch((error: unknown) => {
          // It or another before it was refused, and its time is over: that is all that can be said of the rate.
          if (refused && deadline.passed && isTransient(error)) return undefined
          throw error
        })
        if (next?.done === true) return true
        if (next === undefined || deadline.passed) return false
        await place.wait(deadline.within(next.retryInMs), signal)
        if (deadline.passedJustNow) return false // there is no time for a reply
      }
    } finally {
      this.#leave(key, line, place)
    }
  }

  /** Makes the first of the queue try at once, because there may be more permits than it knows of. */
  wake(key: string): void {
    this.#lines.get(key)?.places[0]?.set()
  }

  /** Rejects all waiters. */
  close(): void {
    this.#closed = true
    for (const { places } of this.#lines.values()) {
      for (const place of places) place.fail(new ClientClosedError())
    }
  }

  #leave(key: string, line: Line, place: Place): void {
    const { places } = line
    const wasFirst = places[0] === place
    const index = places.indexOf(place)
    if (index >= 0) places.splice(index, 1)
    if (places.length === 0 && this.#lines.get(key) === line) this.#lines.delete(key)
    else if (wasFirst) places[0]?.set()
  }
}

/** A waiter of a queue. */
class Place extends AutoResetEvent implements Comer {
  readonly cameAt = performance.now()
}

/** The waiters for one limiter, in the order in which they came. */
interface Line {
  readonly places: Place[]
  readonly replies: QueueReplies
}

/** Makes the attempt of the first waiter. If Redis cannot be reached, all that wait by then reject. */
async function toldToAll<T>(
  { places, replies }: Line,
  attempt: () => Promise<T>,
  patience: Patience,
): Promise<T> {
  const [, ...others] = places
  try {
    return await replies.ask(attempt)
  } catch (error) {
    if (isOutage(error, patience)) dismiss(places, new Set(others), error)
    throw error
  }
}

function dismiss(places: Place[], others: ReadonlySet<Place>, error: Error): void {
  const left = places.filter((place) => !others.has(place))
  places.splice(0, Infinity, ...left)
  for (const place of others) place.fail(sameOutage(error))
}
