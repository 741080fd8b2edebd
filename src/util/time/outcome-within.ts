import { afterRunning } from './after-running.js'

/** What became of a promise; undefined if that did not show within that number of milliseconds. */
export function outcomeWithin<T>(
  promise: Promise<T>,
  ms: number,
): Promise<PromiseSettledResult<T> | undefined> {
  const { promise: outcome, resolve } = Promise.withResolvers<PromiseSettledResult<T> | undefined>()
  const stopTimer =
    ms === Infinity
      ? undefined
      : afterRunning(ms, () => {
          resolve(undefined)
        })
  const end = (result: PromiseSettledResult<T>): void => {
    stopTimer?.()
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
