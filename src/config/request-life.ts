import type { Config } from './config.js'

/**
 * For how long copies of a request may be under way, in milliseconds: twice what all of them take in time, so that a busy process does not
 * have to give up the last.
 *
 * @param timeoutMs - how long the reply to each copy may take
 */
export function requestLifeMs(config: Config, timeoutMs = config.timeoutMs): number {
  const { longestRetryDelayMs, retryAttempts } = config
  return (timeoutMs + longestRetryDelayMs) * (retryAttempts + 1) * 2
}
