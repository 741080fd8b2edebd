/**
 * A waiter checks again after this number of milliseconds, with or without a message.
 *
 * A lock has a lease, at whose end its waiters look in any case. Permits and counts have none, and so a message that got lost
 * would be missed for good; a rate may change without any message.
 */
export const RECHECK_MS = 5000
