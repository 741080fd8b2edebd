import type { RunOptions } from '../../../command/operation/command-executor.js'
import type { Config } from '../../../config/config.js'
import type { ReleaseRequest } from './lock-driver.js'

/**
 * For how long a release is tried while Redis cannot be reached, in milliseconds: until the lease ends, or as long as the watchdog keeps a
 * lock if that is longer, as the lease in Redis may end later than is known here.
 */
export function releasableMs(
  { lastsUntil = -Infinity }: Pick<ReleaseRequest, 'lastsUntil'>,
  { lockWatchdogTimeoutMs }: Config,
): number {
  return Math.max(lockWatchdogTimeoutMs, Math.ceil(lastsUntil - performance.now()))
}

/**
 * How a hold is released. What Redis remembers of the request lasts for as long as its caller may send it again.
 *
 * @param isUnsure - whether the outcome of an earlier request to do the same is unknown
 */
export function releaseOptions(
  { holdCountBefore, isRetry, until = Infinity, lastsUntil = -Infinity }: ReleaseRequest,
  config: Config,
  isUnsure = false,
): RunOptions {
  return {
    remember: holdCountBefore === 0 || isRetry || isUnsure,
    ...(isRetry && { keep: true }), // for the copies that were sent before, which the network may hold back
    repeatableMs: releasableMs({ lastsUntil }, config),
    ...(until !== Infinity && { until }),
  }
}
