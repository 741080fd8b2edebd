import { timerDelay } from './timers.js'

/** What became of a promise; undefined if that did not show within that number of milliseconds. */
export function outcomeWithin<T>(
  promise: Promise<T>,
  ms: number,
): Promise<PromiseSettledResult<T> | undefined> {
  const { promise: outcome, resolve } = Promise.withResolvers<PromiseSettledResult<T> | undefined>()
  const timer = ms === Infinity ? undefined : setTimeout(resolve, timerDelay(ms), undefined)
  const end = (result: PromiseSettledResult<T>): void => {
    clearTimeout(timer)
    resolve(result)
  }
  promise.then(
    (value) => {
      end({ status: 'fulfilled', value })
    },
    (reason: unknown) => {
      end({ status: 'rejected', reason })
    },
  )
  return outcome
}
