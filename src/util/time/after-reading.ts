/**
 * Resolves when what has arrived by now is read.
 *
 * While the program does not let the event loop run, nothing can be read, and afterwards timers fire before what has arrived is read. So
 * nothing is taken for late before that.
 */
export function afterReading(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve)
  })
}
