/** How long a caller that has given up waits for a reply that is on its way, in milliseconds: it may bring an element. */
export const REPLY_GRACE_MS = 500
