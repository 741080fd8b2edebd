/** How long to wait for the FIN of a peer that does not respond, in milliseconds. */
export const DISCONNECT_TIMEOUT_MS = 200

/** Returns the reason for which we drop a silent connection. */
export function onSocketTimeout(timeoutMs: number): string {
  return `Nothing was received within ${timeoutMs} ms`
}

/** Matches {@link onSocketTimeout}, and ioredis's message for a connection that asks servers which of them is the master. */
export const SILENCE = /^(Nothing was received within|Socket timeout\.)/
