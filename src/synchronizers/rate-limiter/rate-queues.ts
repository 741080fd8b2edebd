import type { Patience } from '../../core/arguments/arguments.js'
import type { ObjectContext } from '../../core/context/object-context.js'
import { demandStillWanted, endOfWaiting, unheard } from '../../core/context/still-wanted.js'
import { isTransient } from '../../errors/transient.js'
import { ChannelWaiter } from '../../pubsub/channel-waiter.js'
import { QueueReplies } from '../../waiting/queue-replies.js'
import { QueuedWaiter, WaitQueue } from '../../waiting/wait-queue.js'
import { WaitQueues } from '../../waiting/wait-queues.js'
import type { Attempt } from '../../waiting/wait-until.js'

/** There may be more permits than one waiter has asked for. */
const atOnce = (): undefined => undefined

/** Nothing is published when a rate has permits again: the first waiter sleeps until it is time, or until a call of this process wakes it. */
const sleeper = () => new ChannelWaiter('', { confirmed: true, refusal: undefined }, () => undefined)

/** The waiters of this process for one limiter. Only the first sends requests. */
class RateQueue extends WaitQueue {
  readonly replies = new QueueReplies()
}

/** The waiters of this process for rate limiters. */
export class RateQueues {
  readonly #context: ObjectContext
  readonly #queues = new WaitQueues<RateQueue>()

  constructor(context: ObjectContext) {
    this.#context = context
  }

  /**
   * Waits in the queue, then tries until it is granted; returns false when the time is over.
   *
   * @throws {@link ReplyTimeoutError} or {@link ConnectionLostError} if Redis has said nothing by then to those who stood before it
   */
  async wait(key: string, attempt: () => Promise<Attempt<true>>, patience: Patience): Promise<boolean> {
    demandStillWanted(this.#context, patience.signal)
    const open = () => new RateQueue(this.#context.config, sleeper)
    return await this.#queues.join(key, open, (queue) => this.#waitIn(key, queue, attempt, patience))
  }

  /** Makes the first of the queue try at once, because there may be more permits than it knows of. */
  wake(key: string): void {
    this.#queues.of(key)?.first?.channelWaiter?.set()
  }

  async #waitIn(
    key: string,
    queue: RateQueue,
    attempt: () => Promise<Attempt<true>>,
    { deadline, signal }: Patience,
  ): Promise<boolean> {
    const waiter = new QueuedWaiter()
    const isBehind = !queue.isEmpty
    const own = { isRefused: false }
    const ask = async () => {
      const next = await queue.replies.ask(attempt)
      own.isRefused ||= !next.done
      return next
    }
    const isSilent = () => queue.replies.isSilentFor(waiter)
    const end = endOfWaiting(this.#context, signal)
    try {
      const waiting = { deadline, signal: end, attempt: ask, retryNextInMs: atOnce }
      if ((await queue.wait(waiter, waiting)) === true) return true
      if (own.isRefused) return false
      if (deadline.passedLongAgo) return (await ask()).done // the process may have stood still
    } catch (error) {
      // It or another before it was refused, and its time is over: that is all that can be said of the rate.
      const isKnown = own.isRefused || (isBehind && !isSilent())
      if (isKnown && deadline.passed && isTransient(error)) return false
      throw error
    }
    if (isSilent()) throw unheard(this.#context, this.#context.topology.placeOf(key), waiter.cameAt)
    return false
  }
}
