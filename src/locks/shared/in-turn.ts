import type { Patience } from '../../core/arguments.js'
import type { LockContext } from '../../core/object-context.js'
import { endOfWaiting } from '../../core/still-wanted.js'
import { LockTimeoutError } from '../../errors/lock-errors.js'
import { AutoResetEvent } from '../../util/auto-reset-event.js'
import type { Hold } from './hold.js'

/**
 * Runs a request about a hold in turn with the others, for a caller who may give up while those are under way. It does not run then.
 *
 * A caller that tries once and does not wait still gets a reply of Redis, and so waits for its turn.
 *
 * @throws {@link LockTimeoutError} if its turn did not come in time; {@link ClientClosedError}, or the reason of the caller's signal
 */
export function inTurn<T>(
  hold: Hold,
  context: LockContext,
  patience: Patience,
  request: () => Promise<T>,
): Promise<T> {
  return hold.isBusy ? afterOthers(hold, context, patience, request) : hold.inTurn(request)
}

async function afterOthers<T>(
  hold: Hold,
  context: LockContext,
  { waitMs, deadline, signal }: Patience,
  request: () => Promise<T>,
): Promise<T> {
  const turn = new AutoResetEvent()
  const wait = { isOver: false }
  let running: Promise<T> | undefined
  void hold.inTurn(async () => {
    if (wait.isOver) return
    running = request()
    turn.set()
    await running.catch(() => undefined)
  })
  const withinMs = waitMs === 0 ? Infinity : deadline.within(Infinity)
  const late = new LockTimeoutError(hold.lock, waitMs)
  const reason = await turn.wait(withinMs, endOfWaiting(context, signal)).then(
    () => late,
    (error: unknown) => error,
  )
  wait.isOver = true
  if (running === undefined) throw reason
  return await running // it regards the signal itself, if that has aborted since it began
}
