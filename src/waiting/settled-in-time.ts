import type { Patience } from '../core/arguments.js'
import { AutoResetEvent } from '../util/auto-reset-event.js'

/** For how long a caller still waits, in milliseconds. One that only tries once waits for replies, however long they take. */
export function leftToWaitMs({ waitMs, deadline }: Pick<Patience, 'waitMs' | 'deadline'>): number {
  return waitMs === 0 ? Infinity : deadline.within(Infinity)
}

/**
 * Waits until something has settled, in any way, but no longer than its caller does. Returns whether it has; rejects with the signal's
 * reason when that aborts.
 */
export function settledInTime(settling: Promise<unknown>, patience: Patience): Promise<boolean> {
  const sleeper = new AutoResetEvent()
  const wake = () => {
    sleeper.set()
  }
  settling.then(wake, wake)
  return sleeper.wait(leftToWaitMs(patience), patience.signal)
}
