import type { Config } from './config.js'

/** Longer than any copy of a request may still be under way, in milliseconds. */
export function requestLifeMs({ timeoutMs, longestRetryDelayMs, retryAttempts }: Config): number {
  return (timeoutMs + longestRetryDelayMs) * (retryAttempts + 1)
}
