import type { Config } from '../config/config.js'
import type { Patience } from '../core/arguments/arguments.js'
import { AutoResetEvent } from '../util/auto-reset-event.js'
import { Deadline } from '../util/time/deadline.js'

/** When a waiting ends. */
export type Until = Pick<Patience, 'deadline' | 'signal'>

/** How long a caller waits, and for its replies where that is longer. */
type Asker = Pick<Patience, 'waitMs' | 'deadline'> & { readonly replyBy?: Deadline | undefined }

/** Until when a caller waits for what has to settle before its own request. One that only tries once waits for as long as one reply may take. */
export function settlingDeadline(
  { waitMs, deadline, replyBy }: Asker,
  { timeoutMs }: Pick<Config, 'timeoutMs'>,
): Deadline {
  return replyBy ?? (waitMs === 0 ? Deadline.after(timeoutMs) : deadline)
}

/**
 * Waits until something has settled, in any way, but no longer than its caller waits. Returns whether it has; rejects with the
 * signal's reason when that aborts.
 */
export function settledInTime(settling: Promise<unknown>, { deadline, signal }: Until): Promise<boolean> {
  const sleeper = new AutoResetEvent()
  const wake = () => {
    sleeper.set()
  }
  settling.then(wake, wake)
  return sleeper.wait(deadline.within(Infinity), signal)
}
