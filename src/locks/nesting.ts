import { NestedLockError } from '../errors/lock-errors.js'
import { timerDelay } from '../util/timers.js'
import type { Hold } from './hold.js'

/** What keeps a flow waiting for itself, and what to do instead. */
export type Nested = 'same lock' | 'reads already' | 'writes already'

const ADVICE: Readonly<Record<Nested, string>> = {
  'same lock': 'use withLock(), which re-enters, or wrap the flow in client.runAsThread()',
  'reads already': 'give back the read lock before taking the write lock, or begin with the write lock',
  'writes already': 'use withLock() on both sides, or wrap the flow in client.runAsThread()',
}

interface Nesting {
  readonly lock: string
  /** What the same flow holds already. */
  readonly hold: Hold
  readonly nested: Nested
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
export async function waitNested<T>(nesting: Nesting, wait: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const { lock, hold, nested, patienceMs, signal } = nesting
  const advice = ADVICE[nested]
  warnOnce(lock, advice)
  const stuck = new AbortController()
  const timer = setTimeout(() => {
    if (hold.count > 0 && hold.lost === undefined)
      stuck.abort(new NestedLockError(lock, patienceMs, capitalized(advice)))
  }, timerDelay(patienceMs))
  try {
    return await wait(signal === undefined ? stuck.signal : AbortSignal.any([signal, stuck.signal]))
  } finally {
    clearTimeout(timer)
  }
}

const warned = new Set<string>()

function warnOnce(lock: string, advice: string): void {
  if (warned.has(lock)) return
  warned.add(lock)
  process.emitWarning(
    `Lock ${lock} is waited for by a flow that holds it. If this is one flow and not a fork of it, it waits for itself: ` +
      `${advice}.`,
    { code: 'REDISSON_NESTED_LOCK' },
  )
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
