import type { LockContext } from '../../../core/context/object-context.js'
import { endOfWaiting, unheard } from '../../../core/context/still-wanted.js'
import { AutoResetEvent } from '../../../util/auto-reset-event.js'
import type { Until as Patience } from '../../../waiting/settled-in-time.js'
import type { Hold } from './hold.js'

/** For how long a caller waits, and for what. */
interface Until extends Patience {
  /** Returns where the lock is asked for, for the error. */
  readonly placeOf: () => string
}

/**
 * Runs a request about a hold in turn with the others, for a caller who may give up while those are under way. It does not run then.
 *
 * @throws {@link ReplyTimeoutError} or {@link ConnectionLostError} if its turn did not come in time, as nothing is known then of what it asks
 * for; {@link ClientClosedError}, or the reason of the caller's signal
 */
export function inTurn<T>(
  hold: Hold,
  context: LockContext,
  until: Until,
  request: () => Promise<T>,
): Promise<T> {
  return hold.isBusy ? afterOthers(hold, context, until, request) : hold.inTurn(request)
}

async function afterOthers<T>(
  hold: Hold,
  context: LockContext,
  until: Until,
  request: () => Promise<T>,
): Promise<T> {
  const askedAt = performance.now()
  const turn = new AutoResetEvent()
  const wait = { isOver: false }
  let running: Promise<T> | undefined
  void hold.inTurn(async () => {
    if (wait.isOver) return
    running = request()
    turn.set()
    await running.catch(() => undefined)
  })
  const withinMs = until.deadline.within(Infinity)
  const reason = await turn.wait(withinMs, endOfWaiting(context, until.signal)).then(
    () => unheard(context, until.placeOf(), askedAt),
    (error: unknown) => error,
  )
  wait.isOver = true
  if (running === undefined) throw reason
  return await running // it regards the signal itself, if that has aborted since it began
}
