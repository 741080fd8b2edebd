import { ReplyTimeoutError } from '../../errors/connection-errors.js'
import { eitherSignal } from '../../util/abort/either-signal.js'
import type { ObjectContext } from './object-context.js'

/**
 * Demands that a request to take something is still wanted: that its caller has not given up, and that the client is not
 * being shut down, after which no caller would release what it takes.
 *
 * @throws {@link ClientClosedError}, or the reason of the caller's signal
 */
export function demandStillWanted({ closing }: ObjectContext, signal: AbortSignal | undefined): void {
  closing.throwIfAborted()
  signal?.throwIfAborted()
}

/**
 * Demands, where a time to wait is over, that Redis can be reached. Otherwise nothing is known of what was waited for.
 *
 * @throws {@link ConnectionLostError}, or {@link AuthenticationError}
 */
export function demandReachable({ topology }: Pick<ObjectContext, 'topology'>): void {
  const { outage } = topology
  if (outage !== undefined) throw outage
}

/**
 * The error of a call that has sent nothing by the end of its time, because what is asked before it has no reply: nothing is known then of what
 * it asks for.
 *
 * @param place - where that is asked, as `host:port` or in words
 * @param since - when its waiting began, on the monotonic clock
 */
export function unheard({ topology }: Pick<ObjectContext, 'topology'>, place: string, since: number): Error {
  const { outage } = topology
  if (outage !== undefined) return outage
  return new ReplyTimeoutError(place, Math.round(performance.now() - since), { mayHaveRun: false })
}

/** A signal that ends a waiting: it aborts when the caller gives up, and when the shutdown begins. */
export function endOfWaiting({ closing }: ObjectContext, signal: AbortSignal | undefined): AbortSignal {
  return eitherSignal(signal, closing)
}
