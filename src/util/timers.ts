/** Longer delays make `setTimeout` fire at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1

/** A delay that `setTimeout` takes as it is meant: never early, never overflowing. */
export function timerDelay(ms: number): number {
  return Math.min(Math.max(0, Math.ceil(ms)), LONGEST_TIMER_MS)
}
