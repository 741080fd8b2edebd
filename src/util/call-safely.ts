/** Calls a function whose error must not reach those around it: it surfaces as an uncaught exception, as it would from any callback. */
export function callSafely(fn: () => void): void {
  try {
    fn()
  } catch (error) {
    queueMicrotask(() => {
      throw error
    })
  }
}
