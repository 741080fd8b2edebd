import type { Locking } from './locking.js'

/** Redis does one command at a time. A sale is two. */
export const none: Locking = (sell) => sell()
