/** Longer delays make `setTimeout` fire at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1

/** A delay that `setTimeout` takes as it is meant: no fraction is cut off, and nothing overflows. */
export function timerDelay(ms: number): number {
  return Math.min(Math.max(0, Math.ceil(ms)), LONGEST_TIMER_MS)
}
