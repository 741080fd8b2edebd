import { NestedLockError } from '../../../errors/lock-errors.js'
import { afterRunning } from '../../../util/time/after-running.js'
import { eitherSignal } from '../../../util/abort/either-signal.js'
import { warnOnce } from '../../../util/warn-once.js'
import type { Hold } from './hold.js'

interface Waiting {
  readonly lock: string
  /** What the same flow holds already. */
  readonly hold: Hold
  /** What to do instead, in words. */
  readonly advice: string
  /** How long to wait for oneself, in milliseconds. */
  readonly patienceMs: number
  readonly signal: AbortSignal | undefined
}

/**
 * Waits for a lock that the same flow already holds, as an owner that cannot re-enter.
 *
 * The flow may have forked, and then this is right. Or it waits for itself, and would for ever; nothing can tell the two
 * apart. So it warns, and gives up if the lock has not moved for as long as the watchdog keeps a lock alive.
 */
export async function waitUnlessSelfDeadlock<T>(
  waiting: Waiting,
  wait: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const { lock, hold, advice, patienceMs, signal } = waiting
  warnOnce(
    'REDISSON_NESTED_LOCK',
    lock,
    `Lock ${lock} is waited for by a flow that holds it. If this is one flow and not a fork of it, it waits for itself: ` +
      `${advice}.`,
  )
  const stuck = new AbortController()
  const stopTimer = afterRunning(patienceMs, () => {
    if (hold.count > 0 && hold.loss() === undefined)
      stuck.abort(new NestedLockError(lock, patienceMs, capitalized(advice)))
  })
  try {
    return await wait(eitherSignal(signal, stuck.signal))
  } finally {
    stopTimer()
  }
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
