/** How much of a lease is sure when nothing but the clock is asked. */
const SURE_SHARE = 0.98
const SURE_LESS_MS = 5

/** Until when a lease surely lasts that was asked for at a time, in milliseconds. */
export function sureUntil(askedAt: number, leaseMs: number): number {
  return askedAt + leaseMs * SURE_SHARE - SURE_LESS_MS
}

/**
 * How much of its lease a flow may stand still that has no hold to ask. It learns of a loss by an event, which comes too late for its next
 * line: renewals leave two thirds of a lease at least.
 */
export const LOOKED_AT_SHARE = 0.5

/** Returns whether it has been called often enough all the time. */
export function lookingEvery(ms: number, clock: { now(): number }): () => boolean {
  let lookedAt = clock.now()
  let isAttentive = true
  return () => {
    const at = clock.now()
    isAttentive &&= at - lookedAt < ms
    lookedAt = at
    return isAttentive
  }
}
