import type { Config } from './config.js'

/** How long a command may take that waits for replicas to confirm it, in milliseconds. */
export function syncedTimeoutMs({ timeoutMs, slavesSyncTimeoutMs }: Config): number {
  return timeoutMs + slavesSyncTimeoutMs
}
