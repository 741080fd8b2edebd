/** A FIN to a peer that does not respond is not waited for longer than this, in milliseconds. */
export const DISCONNECT_TIMEOUT_MS = 200

/** Why a connection is dropped by us. */
export function onSocketTimeout(timeoutMs: number): string {
  return `Nothing was received within ${timeoutMs} ms`
}

/** Whether an error says so, or ioredis says it of a connection that asks servers which of them is the master. */
export const SILENCE = /^(Nothing was received within|Socket timeout\.)/
