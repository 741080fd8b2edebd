/** How much of a lease is sure when nothing but the clock is asked. */
const SURE_SHARE = 0.98
const SURE_LESS_MS = 5

/** Until when a lease surely lasts that was asked for at a time, in milliseconds. */
export function sureUntil(askedAt: number, leaseMs: number): number {
  return askedAt + leaseMs * SURE_SHARE - SURE_LESS_MS
}
