import { startWithoutAsyncContext } from './without-async-context.js'
import { timerDelay } from './timers.js'

/** A timer that fires later than this was held up by the program, in milliseconds. */
const HELD_UP_MS = 50

/**
 * Calls back when the event loop has run for some time, and then has read what has arrived. Returns how to cancel it.
 *
 * While the program does not let the event loop run, nothing can be sent or received, and afterwards timers fire before what has
 * arrived is read. So a timer that fires late is waited for once more, at most for as long again.
 */
export function afterRunning(ms: number, callback: () => void): () => void {
  let reading: NodeJS.Immediate | undefined
  const read = () => {
    reading = setImmediate(callback)
  }
  let timer = startTimer(ms, (lateMs) => {
    if (lateMs <= HELD_UP_MS) read()
    else timer = startTimer(Math.min(lateMs, ms), read)
  })
  return () => {
    clearTimeout(timer)
    clearImmediate(reading)
  }
}

/** Keeps no process alive. */
function startTimer(ms: number, callback: (lateMs: number) => void): NodeJS.Timeout {
  const delayMs = timerDelay(ms)
  const dueAt = performance.now() + delayMs
  return startWithoutAsyncContext(() =>
    setTimeout(() => {
      callback(performance.now() - dueAt)
    }, delayMs).unref(),
  )
}
